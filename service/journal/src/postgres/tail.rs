//! What Postgres tells of other replicas: their new commits and their silence.

use async_trait::async_trait;
use bytes::Bytes;

use super::{Postgres, failure};
use crate::store::{Closed, KnownLanes, LaneHead, LogRow, TailSource, WriteError};
use crate::{Clock, Lane, LaneNo, ReadError};

const READ_LAST_LANE: &str = include_str!("../../sql/postgres/read_last_lane.sql");
const READ_OPEN_LANES: &str = include_str!("../../sql/postgres/read_open_lanes.sql");
const READ_NEWER_COMMITS: &str = include_str!("../../sql/postgres/read_newer_commits.sql");
const CLOSE_LANE: &str = include_str!("../../sql/postgres/close_lane.sql");

#[async_trait]
impl TailSource for Postgres {
    async fn known_lanes(&self) -> Result<KnownLanes, ReadError> {
        // First the last lane, then the open ones: a lane that opens in between is known or new, never neither.
        let last = || sqlx::query_scalar::<_, i64>(READ_LAST_LANE).persistent(false).fetch_one(&self.readers);
        let first_new = Lane(self.reading(last).await? + 1);
        let open = || {
            sqlx::query_as::<_, (i64, i64, i64)>(READ_OPEN_LANES)
                .bind(self.replica.0)
                .persistent(false)
                .fetch_all(&self.readers)
        };
        let open =
            self.reading(open).await?.into_iter().map(|(lane, no, clock)| head(lane, no, clock)).collect();
        Ok(KnownLanes { open, closed: Vec::new(), first_new })
    }

    async fn newer(&self, known: &KnownLanes, limit: u32) -> Result<Vec<LogRow>, ReadError> {
        let rows = || {
            sqlx::query_as::<_, (i64, i64, i64, Vec<u8>)>(READ_NEWER_COMMITS)
                .bind(self.replica.0)
                .bind(known.open.iter().map(|head| head.lane.0).collect::<Vec<_>>())
                .bind(known.open.iter().map(|head| head.no.0).collect::<Vec<_>>())
                .bind(known.closed.iter().map(|lane| lane.0).collect::<Vec<_>>())
                .bind(known.first_new.0)
                .bind(i64::from(limit))
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        let row = |(lane, no, clock, body)| LogRow { head: head(lane, no, clock), body: Bytes::from(body) };
        Ok(self.reading(rows).await?.into_iter().map(row).collect())
    }

    async fn close_lane(&self, head: LaneHead, clock: Clock, body: &Bytes) -> Result<Closed, ReadError> {
        let done = sqlx::query(CLOSE_LANE)
            .bind(head.lane.0)
            .bind(head.no.next().0)
            .bind(clock.0)
            .bind(&body[..])
            .persistent(false)
            .execute(&self.readers)
            .await;
        match done.map_err(|error| (failure::of_write(&error), failure::of_read(&error))) {
            Ok(_) => Ok(Closed::Now),
            Err((WriteError::NumberTaken, _)) => Ok(Closed::NotSilent),
            Err((_, error)) => Err(error),
        }
    }
}

fn head(lane: i64, no: i64, clock: i64) -> LaneHead {
    LaneHead { lane: Lane(lane), no: LaneNo(no), clock: Clock(clock) }
}
