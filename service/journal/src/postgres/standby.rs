//! A streaming replica that answers what may be old: it lags, it goes away, it is promoted. An answer of its is taken only
//! where it can be seen to be whole; everything else, and whatever it fails at, is asked of the primary.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection};
use tokio::time::Instant;

use super::Postgres;
use super::connect::{quiet, unreachable};
use crate::directory::MatchRange;
use crate::feed::{FeedRange, FeedRow};
use crate::store::Store;
use crate::{JournalConfig, MatchId, MatchRow, OpenError, ReadError, Seq, StoredEvent};

const READ_IDENTITY: &str = include_str!("../../sql/postgres/read_identity.sql");
const IS_STANDBY: &str = include_str!("../../sql/postgres/is_standby.sql");
const READ_FLUSHED: &str = include_str!("../../sql/postgres/read_flushed.sql");
const READ_REPLAYED: &str = include_str!("../../sql/postgres/read_replayed.sql");

/// What a standby does not answer within this time is asked of the primary.
const ANSWERS_WITHIN: Duration = Duration::from_secs(1);

/// After a failure the standby is left alone for so long.
const AWAY: Duration = Duration::from_secs(5);

/// A standby that lags is waited for so long, looked at so often.
const CATCHES_UP_WITHIN: Duration = Duration::from_millis(100);
const LOOK: Duration = Duration::from_millis(10);

/// The standby of one primary.
pub(super) struct Standby {
    /// The same statements, on other connections.
    reads: Postgres,
    away_until: Mutex<Option<Instant>>,
}

/// Prepares to read from a standby of the cluster behind `primary`. It need not be there yet.
pub(super) async fn of(
    primary: &Postgres,
    config: &JournalConfig,
    options: &PgConnectOptions,
) -> Result<Arc<Standby>, OpenError> {
    let mut connection = primary.options.connect().await.map_err(|error| unreachable(&error))?;
    let identity = sqlx::query_scalar::<_, i64>(READ_IDENTITY).fetch_one(&mut connection).await;
    drop(connection.close().await);
    let identity = identity.map_err(|error| unreachable(&error))?;
    let readers = PgPoolOptions::new()
        .max_connections(config.limits.readers)
        .acquire_timeout(ANSWERS_WITHIN)
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                match is_standby(connection, identity).await? {
                    true => Ok(()),
                    false => {
                        Err(sqlx::Error::Protocol("it is no standby of the primary's cluster".to_owned()))
                    }
                }
            })
        })
        .before_acquire(move |connection, _| Box::pin(is_standby(connection, identity)))
        .connect_lazy_with(quiet(options.clone()));
    let reads = Postgres { readers, read_within: ANSWERS_WITHIN, standby: None, ..primary.clone() };
    Ok(Arc::new(Standby { reads, away_until: Mutex::new(None) }))
}

async fn is_standby(connection: &mut PgConnection, identity: i64) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(IS_STANDBY).bind(identity).persistent(false).fetch_one(connection).await
}

impl Standby {
    /// So many events after `after`, if all of them are there: events never change, so then there is no better answer.
    pub(super) async fn events(&self, id: MatchId, after: Seq, count: u32) -> Option<Vec<StoredEvent>> {
        let events = self.asked(self.reads.events(id, after, count)).await?;
        (events.len() == count as usize).then_some(events)
    }

    /// A stretch of the feed, if it is whole: as long as was asked for, or within what the standby knows to be final. What
    /// is final in an older state stays so.
    pub(super) async fn feed(&self, range: &FeedRange<'_>) -> Option<Vec<FeedRow>> {
        let known = self.asked(self.reads.lanes()).await?.frontier();
        let rows =
            self.asked(self.reads.feed(&FeedRange { until: range.until.min(known), ..*range })).await?;
        (known >= range.until || rows.len() == range.limit as usize).then_some(rows)
    }

    /// Matches of the range, if the standby has caught up with all that `primary` has acknowledged until now.
    pub(super) async fn list_matches(&self, primary: &Postgres, range: &MatchRange) -> Option<Vec<MatchRow>> {
        if self.is_away() {
            return None;
        }
        let flushed =
            || sqlx::query_scalar::<_, String>(READ_FLUSHED).persistent(false).fetch_one(&primary.readers);
        let flushed = primary.reading(flushed).await.ok()?;
        let until = Instant::now() + CATCHES_UP_WITHIN;
        while !self.asked(self.has_replayed(&flushed)).await? {
            if Instant::now() > until {
                return None;
            }
            tokio::time::sleep(LOOK).await;
        }
        self.asked(self.reads.list_matches(range)).await
    }

    async fn has_replayed(&self, place: &str) -> Result<bool, ReadError> {
        let query = || {
            sqlx::query_scalar::<_, bool>(READ_REPLAYED)
                .bind(place)
                .persistent(false)
                .fetch_one(&self.reads.readers)
        };
        self.reads.reading(query).await
    }

    /// What the standby answers, unless it fails or has failed just now.
    async fn asked<T>(&self, read: impl Future<Output = Result<T, ReadError>>) -> Option<T> {
        if self.is_away() {
            return None;
        }
        let answer = read.await;
        let mut away = self.away_until.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Ok(answer) => {
                if away.take().is_some() {
                    tracing::info!("the read database answers again");
                }
                Some(answer)
            }
            Err(error) => {
                if away.is_none() {
                    tracing::warn!(%error, "the read database can't be used, the primary answers instead");
                }
                *away = Some(Instant::now() + AWAY);
                None
            }
        }
    }

    fn is_away(&self) -> bool {
        let away = self.away_until.lock().unwrap_or_else(PoisonError::into_inner);
        away.is_some_and(|until| Instant::now() < until)
    }

    /// Lets its connections go.
    pub(super) async fn close(&self) {
        self.reads.readers.close().await;
    }
}
