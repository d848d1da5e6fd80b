//! Configuration of a journal, with defaults that suit a service.

use std::sync::Arc;
use std::time::Duration;

use opentelemetry::metrics::{Meter, MeterProvider, NoopMeterProvider};

use super::{DatabaseUrl, OpenError};
use crate::ids::ReplicaId;
use crate::store::{Backend, StoreSettings};
use crate::{ArchivedLogs, Migrations, Shards, Statements};

/// The configuration for `Journal::open`.
#[derive(Clone, Debug)]
pub struct JournalConfig {
    /// The database.
    pub url: DatabaseUrl,
    /// A streaming replica of the same Postgres, for reads that may be stale.
    pub read_url: Option<DatabaseUrl>,
    /// Whether `open` may change the schema.
    pub migrations: Migrations,
    /// How statements are sent to Postgres.
    pub statements: Statements,
    /// Limits of queues, batches and pools.
    pub limits: JournalLimits,
    /// Timeouts and intervals.
    pub timing: JournalTiming,
    /// The archive, for matches whose logs are no longer in the database.
    pub archive: Option<Arc<dyn ArchivedLogs>>,
    /// The meter that records the writers' metrics.
    pub meter: Meter,
}

/// Limits of queues, batches and pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalLimits {
    /// Maximum appends in the queues of all writers of a kind. Each shard's writer has an equal part.
    pub queue_requests: usize,
    /// Maximum bytes in the queues of all writers of a kind, in equal parts as well.
    pub queue_bytes: usize,
    /// Maximum events per batch.
    pub batch_events: usize,
    /// Maximum bytes per batch, unless a single append has more.
    pub batch_bytes: usize,
    /// Maximum connections for reading.
    pub readers: u32,
}

/// Timeouts and intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalTiming {
    /// Time after which an append is answered, whether or not its outcome is known.
    pub append_timeout: Duration,
    /// Time after which a read fails.
    pub read_timeout: Duration,
    /// Time after which a writer treats a statement and its connection as lost.
    pub write_timeout: Duration,
    /// Time after which `Journal::close` stops waiting for queued appends.
    pub close_timeout: Duration,
    /// Time without a commit after which a writer commits an empty batch.
    pub keep_alive_interval: Duration,
    /// Time without a commit after which other replicas close a writer.
    pub silence_timeout: Duration,
    /// How long a match uses the contended writer after a conflict.
    pub contention_period: Duration,
    /// Interval between polls for other replicas' commits while someone needs them fast.
    pub fast_poll_interval: Duration,
    /// Interval between polls for other replicas' commits otherwise.
    pub idle_poll_interval: Duration,
    /// Minimum interval between a feed reader's requests that idle writers commit.
    pub frontier_request_interval: Duration,
    /// Interval between measurements of the database's time.
    pub time_sync_interval: Duration,
    /// Interval between checks that the database is still bound to the same service key.
    pub key_check_interval: Duration,
    /// How long commits stay readable for other replicas.
    pub commit_retention: Duration,
    /// Interval between deletions of older commits.
    pub prune_interval: Duration,
}

impl JournalLimits {
    /// Returns the limits of each shard's writers, so that the whole stays the same with many shards.
    pub(crate) fn of_each(self, shards: Shards) -> JournalLimits {
        let part = |whole: usize| whole.div_ceil(usize::from(shards.count()));
        let (queue_requests, queue_bytes) = (part(self.queue_requests), part(self.queue_bytes));
        JournalLimits { queue_requests, queue_bytes, ..self }
    }
}

impl JournalConfig {
    /// Returns the default configuration, without metrics.
    #[must_use]
    pub fn new(url: DatabaseUrl) -> JournalConfig {
        JournalConfig {
            url,
            read_url: None,
            migrations: Migrations::Apply,
            statements: Statements::Prepared,
            limits: JournalLimits::default(),
            timing: JournalTiming::default(),
            archive: None,
            meter: NoopMeterProvider::new().meter("journal"),
        }
    }

    /// Returns what the database needs.
    pub(crate) fn store_settings(&self) -> StoreSettings {
        StoreSettings {
            migrations: self.migrations,
            statements: self.statements,
            max_readers: self.limits.readers,
            read_timeout: self.timing.read_timeout,
            write_timeout: self.timing.write_timeout,
        }
    }

    /// Opens the database for serving.
    pub(crate) async fn open_backend(&self, replica: ReplicaId) -> Result<Backend, OpenError> {
        let standby = self.read_url.as_ref().map(|url| url.0.as_ref());
        self.url.0.open(&self.store_settings(), standby, replica).await
    }
}

impl Default for JournalLimits {
    fn default() -> JournalLimits {
        JournalLimits {
            queue_requests: 8192,
            queue_bytes: 32 << 20,
            batch_events: 512,
            batch_bytes: 256 << 10,
            readers: 8,
        }
    }
}

impl Default for JournalTiming {
    fn default() -> JournalTiming {
        JournalTiming {
            append_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(15),
            close_timeout: Duration::from_secs(10),
            keep_alive_interval: Duration::from_secs(20),
            silence_timeout: Duration::from_secs(60),
            contention_period: Duration::from_secs(10),
            fast_poll_interval: Duration::from_millis(15),
            idle_poll_interval: Duration::from_millis(250),
            frontier_request_interval: Duration::from_millis(300),
            time_sync_interval: Duration::from_secs(10),
            key_check_interval: Duration::from_secs(5),
            commit_retention: Duration::from_secs(24 * 60 * 60),
            prune_interval: Duration::from_secs(60),
        }
    }
}
