//! The queries for a range of the directory.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use super::walks::{push_conditions, push_walk};
use crate::store::{MatchRange, WALKED, Walk};
use crate::{MatchStatus, Visibility};

/// How a query makes the database use the index of its first condition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexHint {
    /// Not at all: the database has statistics.
    None,
    /// A `+` before each other condition's column excludes its index.
    UnaryPlus,
}

/// Returns the query for a range of the directory: each match with its seats.
pub(crate) fn list_query<D: Database>(selection: &str, range: &MatchRange, hint: IndexHint) -> QueryBuilder<D>
where
    i64: for<'e> Encode<'e, D> + Type<D>,
    String: for<'e> Encode<'e, D> + Type<D>,
    Uuid: for<'e> Encode<'e, D> + Type<D>,
{
    let mut query = QueryBuilder::new(format!("SELECT {selection} FROM ("));
    match &range.walk {
        Some(walk) => push_walked_matches(&mut query, range, walk),
        None => push_matches(&mut query, range, hint),
    }
    query.push(") AS m LEFT JOIN match_seat AS s ON s.match_id = m.match_id");
    query
}

/// Adds the matches of a walk that meet the range's other conditions. The walk's own limit keeps the database
/// from looking at more candidates, whatever index it would like better.
fn push_walked_matches<D: Database>(query: &mut QueryBuilder<D>, range: &MatchRange, walk: &Walk)
where
    i64: for<'e> Encode<'e, D> + Type<D>,
    String: for<'e> Encode<'e, D> + Type<D>,
    Uuid: for<'e> Encode<'e, D> + Type<D>,
{
    let looked_at = if range.has_more_conditions(walk) { WALKED } else { range.page };
    query.push("SELECT m.* FROM (");
    push_walk(query, range, walk);
    query.push(" LIMIT ").push_bind(i64::from(looked_at.0));
    query.push(") AS c CROSS JOIN \"match\" AS m WHERE m.match_id = c.match_id");
    push_conditions(query, range, walk);
    query.push(" ORDER BY c.create_time DESC, c.match_id DESC LIMIT ").push_bind(i64::from(range.page.0));
}

/// Adds the matches of a range without a walk. Its conditions start with the one whose index leaves the
/// fewest rows to skip, as far as that is known without statistics.
fn push_matches<D: Database>(query: &mut QueryBuilder<D>, range: &MatchRange, hint: IndexHint)
where
    i64: for<'e> Encode<'e, D> + Type<D>,
    String: for<'e> Encode<'e, D> + Type<D>,
    Uuid: for<'e> Encode<'e, D> + Type<D>,
{
    // The table whose index has the order.
    let (from, t) = match &range.display_name {
        None => ("\"match\" AS m", "m"),
        // In this order: the seats' index, then the match of each seat.
        Some(_) => ("match_seat AS p CROSS JOIN \"match\" AS m", "p"),
    };
    query.push(format_args!("SELECT m.* FROM {from} WHERE {t}.create_time >= ")).push_bind(range.since.0);
    let (time, id) = range.end;
    query.push(format_args!(" AND ({t}.create_time, {t}.match_id) < (")).push_bind(time.0);
    query.push(", ").push_bind(id.0).push(")");
    let of_player = range.display_name.as_deref().map(|name| ("p", "display_name", name));
    let of_match = match_conditions(range).into_iter().map(|(column, value)| ("m", column, value));
    for (n, (alias, column, value)) in of_player.into_iter().chain(of_match).enumerate() {
        let plus = if hint == IndexHint::UnaryPlus && n > 0 { "+" } else { "" };
        query.push(format_args!(" AND {plus}{alias}.{column} = ")).push_bind(value.to_owned());
    }
    if t == "p" {
        query.push(" AND m.match_id = p.match_id AND ").push(FIRST_SEAT_OF_PLAYER);
    }
    query.push(format_args!(" ORDER BY {t}.create_time DESC, {t}.match_id DESC LIMIT "));
    query.push_bind(i64::from(range.page.0));
}

/// A match is listed once, even if a player has several of its seats.
const FIRST_SEAT_OF_PLAYER: &str = "NOT EXISTS (SELECT 1 FROM match_seat AS e \
     WHERE e.match_id = p.match_id AND e.seat < p.seat AND e.display_name = p.display_name)";

/// Returns the columns of `match` that a range fixes to a value.
fn match_conditions(range: &MatchRange) -> Vec<(&'static str, &str)> {
    let status = range.status.map(MatchStatus::as_str);
    let (unfinished, over) = match range.status {
        Some(MatchStatus::Over) => (None, status),
        _ => (status, None),
    };
    let by_selectivity = [
        ("owner", range.owner.as_deref()),
        ("status", unfinished),
        ("game", range.game.as_deref()),
        ("status", over),
        ("visibility", range.visibility.map(Visibility::as_str)),
    ];
    by_selectivity.into_iter().filter_map(|(column, value)| Some((column, value?))).collect()
}
