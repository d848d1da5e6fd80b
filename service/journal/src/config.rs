//! How a journal is opened: which database, its limits and its rhythms, with the values that fit a service.

use std::time::Duration;

use opentelemetry::metrics::{Meter, MeterProvider, NoopMeterProvider};

use crate::DatabaseUrl;

/// Everything that `Journal::open` needs to know.
#[derive(Clone, Debug)]
pub struct JournalConfig {
    /// Which database.
    pub url: DatabaseUrl,
    /// A streaming replica of the same Postgres, for what may be old.
    pub read_url: Option<DatabaseUrl>,
    /// Whether opening may change the schema.
    pub migrations: Migrations,
    /// How statements are sent to Postgres.
    pub statements: Statements,
    /// How much may wait or go at once.
    pub limits: Limits,
    /// How long and how often.
    pub timing: Timing,
    /// Where it is counted what the lanes do.
    pub meter: Meter,
}

/// What opening does when the database's schema is older than this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Migrations {
    /// Brings it up to date.
    Apply,
    /// Fails: somebody else runs `migrate`, and this role may not.
    Require,
}

/// How statements are sent to Postgres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statements {
    /// Prepared once a connection: one round trip each.
    Prepared,
    /// Unnamed, for a transaction pooler that hands each statement to another connection.
    Unnamed,
}

/// How much may wait or go at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests that wait in a lane.
    pub queue_requests: usize,
    /// Bytes that wait in a lane.
    pub queue_bytes: usize,
    /// Events in a batch.
    pub batch_events: usize,
    /// Bytes in a batch, unless one request alone has more.
    pub batch_bytes: usize,
    /// Connections that read.
    pub readers: u32,
}

/// How long and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// After this an append is answered, settled or not.
    pub answer_within: Duration,
    /// After this a read gives up.
    pub read_within: Duration,
    /// After this a statement of a lane counts as lost with its connection.
    pub write_within: Duration,
    /// `Journal::close` gives up draining after this.
    pub close_within: Duration,
    /// A lane that wrote nothing for so long writes an empty batch.
    pub keep_alive: Duration,
    /// A lane of somebody else that was silent for so long is closed.
    pub lane_silence: Duration,
    /// A match that lost a race keeps to the solo lane for so long.
    pub racing: Duration,
    /// How often other replicas' commits are looked for while somebody watches.
    pub tail_closely: Duration,
    /// And while nobody does.
    pub tail_idly: Duration,
    /// A reader of the feed that waits for idle lanes asks them so often.
    pub feed_ask: Duration,
    /// How often the database's clock is compared.
    pub clock_check: Duration,
    /// How often it is looked whether the database is still bound to the same service key.
    pub key_check: Duration,
    /// For how long commits are kept for other replicas to read.
    pub commits_kept: Duration,
    /// How often older commits are deleted.
    pub forget_every: Duration,
}

impl JournalConfig {
    /// The values that fit a service; what the lanes do is not counted.
    #[must_use]
    pub fn new(url: DatabaseUrl) -> JournalConfig {
        JournalConfig {
            url,
            read_url: None,
            migrations: Migrations::Apply,
            statements: Statements::Prepared,
            limits: Limits::default(),
            timing: Timing::default(),
            meter: NoopMeterProvider::new().meter("journal"),
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            queue_requests: 8192,
            queue_bytes: 32 << 20,
            batch_events: 512,
            batch_bytes: 256 << 10,
            readers: 8,
        }
    }
}

impl Default for Timing {
    fn default() -> Timing {
        Timing {
            answer_within: Duration::from_secs(10),
            read_within: Duration::from_secs(10),
            write_within: Duration::from_secs(15),
            close_within: Duration::from_secs(10),
            keep_alive: Duration::from_secs(20),
            lane_silence: Duration::from_secs(60),
            racing: Duration::from_secs(10),
            tail_closely: Duration::from_millis(15),
            tail_idly: Duration::from_millis(250),
            feed_ask: Duration::from_millis(300),
            clock_check: Duration::from_secs(10),
            key_check: Duration::from_secs(5),
            commits_kept: Duration::from_secs(24 * 60 * 60),
            forget_every: Duration::from_secs(60),
        }
    }
}
