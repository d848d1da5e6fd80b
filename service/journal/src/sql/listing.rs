//! The query for a range of the directory.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::store::MatchRange;
use crate::{MatchStatus, Visibility};

/// How a query makes the database use the index of its first condition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexHint {
    /// Not at all: the database has statistics.
    None,
    /// A `+` before each other condition's column excludes its index.
    UnaryPlus,
}

/// Returns the query for a range of the directory: each match with its seats. Its conditions start with the
/// one whose index leaves the fewest rows to skip, as far as that is known without statistics.
pub(crate) fn list_query<D: Database>(selection: &str, range: &MatchRange, hint: IndexHint) -> QueryBuilder<D>
where
    i64: for<'e> Encode<'e, D> + Type<D>,
    String: for<'e> Encode<'e, D> + Type<D>,
    Uuid: for<'e> Encode<'e, D> + Type<D>,
{
    let of_player = player_conditions(range);
    // The table whose index has the order.
    let (from, t) = match of_player.is_empty() {
        true => ("\"match\" AS m", "m"),
        // In this order: the seats' index, then the match of each seat.
        false => ("match_seat AS p CROSS JOIN \"match\" AS m", "p"),
    };
    let mut query = QueryBuilder::new(format!(
        "SELECT {selection} FROM (SELECT m.* FROM {from} WHERE {t}.create_time >= "
    ));
    query.push_bind(range.since.0);
    let (time, id) = range.end;
    query.push(format_args!(" AND ({t}.create_time, {t}.match_id) < (")).push_bind(time.0);
    query.push(", ").push_bind(id.0).push(")");
    let of_player = of_player.into_iter().map(|(column, value)| ("p", column, value));
    let of_match = match_conditions(range).into_iter().map(|(column, value)| ("m", column, value));
    for (n, (alias, column, value)) in of_player.chain(of_match).enumerate() {
        // A player's id and its owner are the first columns of one index.
        let first = n == 0 || (alias, column) == ("p", "owner");
        let plus = if hint == IndexHint::UnaryPlus && !first { "+" } else { "" };
        query.push(format_args!(" AND {plus}{alias}.{column} = ")).push_bind(value.to_owned());
    }
    if t == "p" {
        query.push(format_args!(" AND m.match_id = p.match_id AND {}", first_seat_of_player(range)));
    }
    query.push(format_args!(" ORDER BY {t}.create_time DESC, {t}.match_id DESC LIMIT "));
    query.push_bind(i64::from(range.page.0));
    query.push(") AS m LEFT JOIN match_seat AS s ON s.match_id = m.match_id");
    query
}

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
    given(by_selectivity)
}

/// Returns the columns of `match_seat` that a range fixes to a value. A player's id has an index for each
/// owner.
fn player_conditions(range: &MatchRange) -> Vec<(&'static str, &str)> {
    let owner = range.player_id.as_ref().and(range.owner.as_deref());
    given([
        ("player_id", range.player_id.as_deref()),
        ("owner", owner),
        ("display_name", range.display_name.as_deref()),
    ])
}

fn given<'r, const N: usize>(
    conditions: [(&'static str, Option<&'r str>); N],
) -> Vec<(&'static str, &'r str)> {
    conditions.into_iter().filter_map(|(column, value)| Some((column, value?))).collect()
}

/// Returns the condition that a match is listed once, even if a player has several of its seats.
fn first_seat_of_player(range: &MatchRange) -> String {
    let same =
        player_conditions(range).into_iter().map(|(column, _)| format!(" AND e.{column} = p.{column}"));
    let same: String = same.collect();
    format!(
        "NOT EXISTS (SELECT 1 FROM match_seat AS e WHERE e.match_id = p.match_id AND e.seat < p.seat{same})"
    )
}
