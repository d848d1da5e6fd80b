//! Walking an index of one owner's matches, and the conditions that a walk leaves open.

use event::Seats;
use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::store::{MatchRange, WALKED, Walk};
use crate::{MatchStatus, ToAct, Visibility};

/// The seats to act after a match's newest event, as a set of bits.
const TO_ACT: &str = "COALESCE((SELECT e.to_act FROM event AS e WHERE e.match_id = m.match_id \
                      ORDER BY e.seq DESC LIMIT 1), 0)";

/// A match is walked once, even if a player has several of its seats.
const FIRST_SEAT_OF_PLAYER: &str = " AND NOT EXISTS (SELECT 1 FROM match_seat AS e WHERE \
     e.match_id = c.match_id AND e.seat < c.seat AND e.owner = c.owner AND e.player_id = c.player_id)";

/// Returns the query for the last of the candidates that one call may look at. It has no row if there are
/// fewer.
pub(crate) fn last_candidate_query<D: Database>(range: &MatchRange, walk: &Walk) -> QueryBuilder<D>
where
    i64: for<'e> Encode<'e, D> + Type<D>,
    String: for<'e> Encode<'e, D> + Type<D>,
    Uuid: for<'e> Encode<'e, D> + Type<D>,
{
    let mut query = QueryBuilder::new("");
    push_walk(&mut query, range, walk);
    query.push(" LIMIT 1 OFFSET ").push_bind(i64::from(WALKED.0) - 1);
    query
}

/// Adds the candidates of a walk, newest first: a range of one index.
pub(super) fn push_walk<D: Database>(query: &mut QueryBuilder<D>, range: &MatchRange, walk: &Walk)
where
    i64: for<'e> Encode<'e, D> + Type<D>,
    String: for<'e> Encode<'e, D> + Type<D>,
    Uuid: for<'e> Encode<'e, D> + Type<D>,
{
    let (table, fixed) = index_of(walk);
    query.push(format_args!("SELECT c.create_time, c.match_id FROM {table} AS c WHERE c.owner = "));
    query.push_bind(range.owner.clone().unwrap_or_default());
    for (column, value) in fixed {
        query.push(format_args!(" AND c.{column} = ")).push_bind(value.to_owned());
    }
    query.push(" AND c.create_time >= ").push_bind(range.since.0);
    for (comparison, end) in [("<", Some(range.end)), (">=", range.last_candidate)] {
        let Some((time, id)) = end else { continue };
        query.push(format_args!(" AND (c.create_time, c.match_id) {comparison} (")).push_bind(time.0);
        query.push(", ").push_bind(id.0).push(")");
    }
    if let Walk::Player(_) = walk {
        query.push(FIRST_SEAT_OF_PLAYER);
    }
    query.push(" ORDER BY c.create_time DESC, c.match_id DESC");
}

/// Returns the table of a walk's index and the columns that it fixes besides the owner.
fn index_of(walk: &Walk) -> (&'static str, Vec<(&'static str, &str)>) {
    match walk {
        Walk::ExternalId(id) => ("\"match\"", vec![("external_id", id)]),
        Walk::Player(id) => ("match_seat", vec![("player_id", id)]),
        Walk::Label(key, value) => ("match_label", vec![("key", key), ("value", value)]),
        Walk::Status(status) => ("\"match\"", vec![("status", status.as_str())]),
        Walk::Owned => ("\"match\"", Vec::new()),
    }
}

/// Adds the conditions of a range that its walk leaves open, for the matches `m` of the candidates `c`. Each
/// costs a few probes of an index for each candidate.
pub(super) fn push_conditions<D: Database>(query: &mut QueryBuilder<D>, range: &MatchRange, walk: &Walk)
where
    String: for<'e> Encode<'e, D> + Type<D>,
{
    let columns = [
        ("status", range.status.map(MatchStatus::as_str)),
        ("game", range.game.as_deref()),
        ("visibility", range.visibility.map(Visibility::as_str)),
    ];
    for (column, value) in columns {
        let Some(value) = value else { continue };
        query.push(format_args!(" AND m.{column} = ")).push_bind(value.to_owned());
    }
    for (key, value) in &range.labels.0 {
        if *walk == Walk::Label(key.clone(), value.clone()) {
            continue;
        }
        query.push(" AND EXISTS (SELECT 1 FROM match_label AS l WHERE l.match_id = m.match_id AND l.key = ");
        query.push_bind(key.clone()).push(" AND l.value = ").push_bind(value.clone()).push(")");
    }
    if let Some(ToAct::Seat(seat)) = range.to_act {
        query.push(format_args!(" AND {TO_ACT} & {} <> 0", Seats::only(seat).bits()));
    }
    push_player(query, range, walk);
}

/// Adds the condition that a seat has the range's player, unless the walk has just this condition.
fn push_player<D: Database>(query: &mut QueryBuilder<D>, range: &MatchRange, walk: &Walk)
where
    String: for<'e> Encode<'e, D> + Type<D>,
{
    let acts = range.to_act == Some(ToAct::Player);
    let walked = matches!(walk, Walk::Player(_)) && range.display_name.is_none() && !acts;
    if walked || (range.player_id.is_none() && range.display_name.is_none()) {
        return;
    }
    // With the creation time each index of the table that has a player leads to one row at once.
    query.push(
        " AND EXISTS (SELECT 1 FROM match_seat AS p WHERE p.match_id = m.match_id \
         AND p.create_time = m.create_time AND p.owner = m.owner",
    );
    for (column, value) in [("player_id", &range.player_id), ("display_name", &range.display_name)] {
        let Some(value) = value else { continue };
        query.push(format_args!(" AND p.{column} = ")).push_bind(value.clone());
    }
    if acts {
        query.push(format_args!(" AND ({TO_ACT} >> p.seat) & 1 = 1"));
    }
    query.push(")");
}
