//! The queries for a range of the directory.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use super::walks::{push_conditions, push_for, push_walk};
use crate::Shards;
use crate::store::{MatchRange, WALKED};

/// How a query makes the database look up the row of each candidate, instead of reading a table as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LookUp {
    /// By the order of a `CROSS JOIN`, which SQLite keeps.
    CrossJoin,
    /// By a lateral subquery, which Postgres runs for each row as long as it has an `OFFSET`.
    Lateral,
}

/// Returns the query for a range of the directory: each match with its seats. It reads a bounded number of
/// candidates from the range's walk, and returns the matches of the candidates that meet all conditions.
pub(crate) fn list_query<D: Database>(
    selection: &str,
    range: &MatchRange,
    look_up: LookUp,
    shards: Shards,
) -> QueryBuilder<D>
where
    i64: for<'e> Encode<'e, D> + Type<D>,
    String: for<'e> Encode<'e, D> + Type<D>,
    Uuid: for<'e> Encode<'e, D> + Type<D>,
{
    let looked_at = if range.has_more_conditions(&range.walk) { WALKED } else { range.page };
    let mut query = QueryBuilder::new(format!("SELECT {selection} FROM (SELECT m.* FROM ("));
    push_walk(&mut query, range, &range.walk, shards);
    query.push(" LIMIT ").push_bind(i64::from(looked_at.0));
    query.push(") AS c CROSS JOIN ");
    push_for(
        &mut query,
        shards,
        match look_up {
            LookUp::CrossJoin => "\"match\" AS m WHERE m.match_id = c.match_id",
            LookUp::Lateral => {
                "LATERAL (SELECT * FROM match \
             WHERE [[shard = match_shard(c.match_id) AND ]]match_id = c.match_id \
             OFFSET 0) AS m WHERE true"
            }
        },
    );
    push_conditions(&mut query, range, shards);
    query.push(" ORDER BY c.create_time DESC, c.match_id DESC LIMIT ").push_bind(i64::from(range.page.0));
    query.push(") AS m LEFT JOIN ");
    push_for(
        &mut query,
        shards,
        match look_up {
            LookUp::CrossJoin => "match_seat AS s ON s.match_id = m.match_id",
            LookUp::Lateral => {
                "LATERAL (SELECT * FROM match_seat \
                 WHERE [[shard = m.shard AND ]]match_id = m.match_id OFFSET 0) AS s \
             ON true"
            }
        },
    );
    query
}
