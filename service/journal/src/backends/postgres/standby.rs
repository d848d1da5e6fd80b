//! A standby for reads that may be stale. It may lag, be down or be promoted, so its answer counts only if it
//! is provably complete. Otherwise the primary answers.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection};
use tokio::time::Instant;

use super::{Postgres, configure, failure};
use crate::store::{FeedRange, FeedRow, MatchRange, Store};
use crate::{MatchId, MatchRow, OpenError, PageSize, ReadError, Seq, StoredEvent};

const READ_IDENTITY: &str = include_str!("sql/read_identity.sql");
const IS_STANDBY: &str = include_str!("sql/is_standby.sql");
const READ_FLUSHED: &str = include_str!("sql/read_flushed.sql");
const READ_REPLAYED: &str = include_str!("sql/read_replayed.sql");

/// Timeout of a read from the standby; then the primary answers.
const READ_TIMEOUT: Duration = Duration::from_secs(1);

/// How long after a failure the standby is not used.
const BACKOFF: Duration = Duration::from_secs(5);

/// How long to wait for a standby that lags.
const CATCH_UP_TIMEOUT: Duration = Duration::from_millis(100);

/// Interval between checks whether it has caught up.
const CATCH_UP_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The standby of a primary.
pub(super) struct Standby {
    /// The standby's connections.
    reads: Postgres,
    unused_until: Mutex<Option<Instant>>,
}

/// Prepares to read from a standby of `primary`'s cluster. It need not be up yet.
pub(super) async fn prepare(
    primary: &Postgres,
    options: &PgConnectOptions,
) -> Result<Arc<Standby>, OpenError> {
    let mut connection = primary.options.connect().await.map_err(|error| failure::of_connect(&error))?;
    let identity = sqlx::query_scalar::<_, i64>(READ_IDENTITY).fetch_one(&mut connection).await;
    drop(connection.close().await);
    let identity = identity.map_err(|error| failure::of_connect(&error))?;
    let readers = PgPoolOptions::new()
        .max_connections(primary.max_readers)
        .acquire_timeout(READ_TIMEOUT)
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                match is_standby(connection, identity).await? {
                    true => Ok(()),
                    false => Err(sqlx::Error::Protocol("not a standby of the primary's cluster".to_owned())),
                }
            })
        })
        .before_acquire(move |connection, _| Box::pin(is_standby(connection, identity)))
        .connect_lazy_with(configure(options.clone()));
    let reads = Postgres { readers, read_timeout: READ_TIMEOUT, standby: None, ..primary.clone() };
    Ok(Arc::new(Standby { reads, unused_until: Mutex::new(None) }))
}

async fn is_standby(connection: &mut PgConnection, identity: i64) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(IS_STANDBY).bind(identity).persistent(false).fetch_one(connection).await
}

impl Standby {
    /// Returns a page of events after `after`, if the standby has all of them. Events never change, so a full
    /// page is right.
    pub(super) async fn events(&self, id: MatchId, after: Seq, page: PageSize) -> Option<Vec<StoredEvent>> {
        let events = self.attempt(self.reads.events(id, after, page)).await?;
        (events.len() == page.0 as usize).then_some(events)
    }

    /// Returns a range of the feed, if it is complete: a full page, or one below the frontier that the
    /// standby knows. What is final in an older state stays final.
    pub(super) async fn feed(&self, range: &FeedRange<'_>) -> Option<Vec<FeedRow>> {
        let frontier = self.attempt(self.reads.writers()).await?.frontier();
        let range_here = FeedRange { until: range.until.min(frontier), ..*range };
        let rows = self.attempt(self.reads.feed(&range_here)).await?;
        (frontier >= range.until || range.is_filled_by(&rows)).then_some(rows)
    }

    /// Returns a range of the directory, if the standby catches up with all that `primary` has acknowledged
    /// so far.
    pub(super) async fn list_matches(&self, primary: &Postgres, range: &MatchRange) -> Option<Vec<MatchRow>> {
        if self.is_backing_off() {
            return None;
        }
        let flushed =
            || sqlx::query_scalar::<_, String>(READ_FLUSHED).persistent(false).fetch_one(&primary.readers);
        let flushed = primary.reading(flushed).await.ok()?;
        let until = Instant::now() + CATCH_UP_TIMEOUT;
        while !self.attempt(self.has_replayed(&flushed)).await? {
            if Instant::now() > until {
                return None;
            }
            tokio::time::sleep(CATCH_UP_POLL_INTERVAL).await;
        }
        self.attempt(self.reads.list_matches(range)).await
    }

    async fn has_replayed(&self, position: &str) -> Result<bool, ReadError> {
        let query = || {
            sqlx::query_scalar::<_, bool>(READ_REPLAYED)
                .bind(position)
                .persistent(false)
                .fetch_one(&self.reads.readers)
        };
        self.reads.reading(query).await
    }

    /// Reads from the standby. Returns `None` if that fails, or if it failed a moment ago.
    async fn attempt<T>(&self, read: impl Future<Output = Result<T, ReadError>>) -> Option<T> {
        if self.is_backing_off() {
            return None;
        }
        let answer = read.await;
        let mut unused_until = self.unused_until.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Ok(answer) => {
                if unused_until.take().is_some() {
                    tracing::info!("the read database answers again");
                }
                Some(answer)
            }
            Err(error) => {
                if unused_until.is_none() {
                    tracing::warn!(%error, "the read database can't be used; the primary answers instead");
                }
                *unused_until = Some(Instant::now() + BACKOFF);
                None
            }
        }
    }

    fn is_backing_off(&self) -> bool {
        let unused_until = self.unused_until.lock().unwrap_or_else(PoisonError::into_inner);
        unused_until.is_some_and(|until| Instant::now() < until)
    }

    /// Closes the connections.
    pub(super) async fn close(&self) {
        self.reads.readers.close().await;
    }
}
