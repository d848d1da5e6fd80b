//! Walking an index of the directory, and the conditions that a walk leaves open.
//!
//! A subquery with an `OFFSET` stays one that Postgres runs for a candidate: it does not turn it into a join,
//! which may read a whole table.

use event::Seats;
use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use super::sharded::for_shards;
use crate::store::{IndexPrefix, MatchRange, WALKED, Walk};
use crate::{MatchStatus, Shards, ToAct};

/// The seats to act after a match's newest event, as a set of bits.
const TO_ACT: &str = "COALESCE((SELECT e.to_act FROM event AS e \
                      WHERE [[e.shard = m.shard AND ]]e.match_id = m.match_id \
                      ORDER BY e.seq DESC LIMIT 1), 0)";

/// A match is walked once, even if a player has several of its seats.
const FIRST_SEAT_WITH_ID: &str = " AND NOT EXISTS (SELECT 1 FROM match_seat AS e WHERE \
     [[e.shard = c.shard AND ]]e.match_id = c.match_id AND e.seat < c.seat \
     AND e.player_id = c.player_id LIMIT 1 OFFSET 0)";
const FIRST_SEAT_WITH_NAME: &str = " AND NOT EXISTS (SELECT 1 FROM match_seat AS e WHERE \
     [[e.shard = c.shard AND ]]e.match_id = c.match_id AND e.seat < c.seat \
     AND e.display_name = c.display_name LIMIT 1 OFFSET 0)";

/// Returns the query for the last of the candidates that one call may look at. It has no row if there are
/// fewer.
pub(crate) fn last_candidate_query<D: Database>(
    range: &MatchRange,
    walk: &Walk,
    shards: Shards,
) -> QueryBuilder<D>
where
    i64: for<'e> Encode<'e, D> + Type<D>,
    String: for<'e> Encode<'e, D> + Type<D>,
    Uuid: for<'e> Encode<'e, D> + Type<D>,
{
    let mut query = QueryBuilder::new("");
    push_walk(&mut query, range, walk, shards);
    query.push(" LIMIT 1 OFFSET ").push_bind(i64::from(WALKED.0) - 1);
    query
}

/// Adds text with parts for several shards.
pub(super) fn push_for<D: Database>(query: &mut QueryBuilder<D>, shards: Shards, template: &str) {
    query.push(for_shards(template, shards));
}

/// Adds the candidates of a walk, newest first: a range of one index.
pub(super) fn push_walk<D: Database>(
    query: &mut QueryBuilder<D>,
    range: &MatchRange,
    walk: &Walk,
    shards: Shards,
) where
    i64: for<'e> Encode<'e, D> + Type<D>,
    String: for<'e> Encode<'e, D> + Type<D>,
    Uuid: for<'e> Encode<'e, D> + Type<D>,
{
    let (table, fixed) = index_of(walk);
    let (first, value) = match &range.prefix {
        IndexPrefix::Owner(owner) => ("owner", owner.clone()),
        IndexPrefix::Visibility(visibility) => ("visibility", visibility.as_str().to_owned()),
    };
    query.push(format_args!("SELECT c.create_time, c.match_id FROM {table} AS c WHERE c.{first} = "));
    query.push_bind(value);
    for (column, value) in fixed {
        query.push(format_args!(" AND c.{column} = ")).push_bind(value.to_owned());
    }
    query.push(" AND c.create_time >= ").push_bind(range.since.0);
    for (comparison, end) in [("<", Some(range.end)), (">=", range.last_candidate)] {
        let Some((time, id)) = end else { continue };
        query.push(format_args!(" AND (c.create_time, c.match_id) {comparison} (")).push_bind(time.0);
        query.push(", ").push_bind(id.0).push(")");
    }
    match walk {
        Walk::PlayerId(_) => push_for(query, shards, FIRST_SEAT_WITH_ID),
        Walk::DisplayName(_) => push_for(query, shards, FIRST_SEAT_WITH_NAME),
        Walk::ExternalId(_) | Walk::Label(..) | Walk::Status(_) | Walk::Game(_) | Walk::All => {}
    }
    query.push(" ORDER BY c.create_time DESC, c.match_id DESC");
}

/// Returns the table of a walk's index and the columns that it fixes after the prefix.
fn index_of(walk: &Walk) -> (&'static str, Vec<(&'static str, &str)>) {
    match walk {
        Walk::ExternalId(id) => ("\"match\"", vec![("external_id", id)]),
        Walk::PlayerId(id) => ("match_seat", vec![("player_id", id)]),
        Walk::DisplayName(name) => ("match_seat", vec![("display_name", name)]),
        Walk::Label(key, value) => ("match_label", vec![("key", key), ("value", value)]),
        Walk::Status(status) => ("\"match\"", vec![("status", status.as_str())]),
        Walk::Game(game) => ("\"match\"", vec![("game", game)]),
        Walk::All => ("\"match\"", Vec::new()),
    }
}

/// Adds the conditions of a range that its walk leaves open, for the matches `m` of the candidates `c`. Each
/// costs a few probes of an index for each candidate.
pub(super) fn push_conditions<D: Database>(query: &mut QueryBuilder<D>, range: &MatchRange, shards: Shards)
where
    String: for<'e> Encode<'e, D> + Type<D>,
{
    let columns = [("status", range.status.map(MatchStatus::as_str)), ("game", range.game.as_deref())];
    for (column, value) in columns {
        let Some(value) = value else { continue };
        query.push(format_args!(" AND m.{column} = ")).push_bind(value.to_owned());
    }
    for (key, value) in &range.labels.0 {
        if range.walk == Walk::Label(key.clone(), value.clone()) {
            continue;
        }
        query.push(" AND EXISTS (SELECT 1 FROM match_label AS l WHERE ");
        push_for(query, shards, "[[l.shard = m.shard AND ]]l.match_id = m.match_id AND l.key = ");
        query.push_bind(key.clone()).push(" AND l.value = ").push_bind(value.clone());
        query.push(" LIMIT 1 OFFSET 0)");
    }
    if let Some(ToAct::Seat(seat)) = range.to_act {
        push_for(query, shards, &format!(" AND {TO_ACT} & {} <> 0", Seats::only(seat).bits()));
    }
    push_player(query, range, shards);
}

/// Adds the condition that a seat has the range's player, unless the walk has just this condition.
fn push_player<D: Database>(query: &mut QueryBuilder<D>, range: &MatchRange, shards: Shards)
where
    String: for<'e> Encode<'e, D> + Type<D>,
{
    let acts = range.to_act == Some(ToAct::Player);
    let is_walked = match &range.walk {
        Walk::PlayerId(_) => range.display_name.is_none() && !acts,
        Walk::DisplayName(_) => range.player_id.is_none() && !acts,
        _ => false,
    };
    if is_walked || (range.player_id.is_none() && range.display_name.is_none()) {
        return;
    }
    // With the creation time each index of the table that has a player leads to one row at once.
    push_for(
        query,
        shards,
        " AND EXISTS (SELECT 1 FROM match_seat AS p WHERE [[p.shard = m.shard AND ]]p.match_id = m.match_id \
         AND p.create_time = m.create_time AND p.owner = m.owner",
    );
    for (column, value) in [("player_id", &range.player_id), ("display_name", &range.display_name)] {
        let Some(value) = value else { continue };
        query.push(format_args!(" AND p.{column} = ")).push_bind(value.clone());
    }
    if acts {
        push_for(query, shards, &format!(" AND ({TO_ACT} >> p.seat) & 1 = 1"));
    }
    query.push(" LIMIT 1 OFFSET 0)");
}
