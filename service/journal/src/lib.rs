//! The journal stores the logs of all matches, append-only, with their directory and deadlines, in memory,
//! SQLite or Postgres. It knows no game and does not interpret events; access control is up to the caller.

mod append;
mod backends;
mod background;
mod batch;
mod config;
mod database_time;
mod deadline;
mod directory;
mod feed;
mod ids;
mod journal;
mod key_binding;
mod key_change;
mod lifecycle;
mod match_row;
mod memory;
mod new_events;
mod open;
mod open_error;
mod postgres;
mod read_error;
mod reader;
mod readiness;
#[cfg(test)]
mod samples;
mod sql;
mod sqlite;
mod stats;
mod steps;
mod store;
mod stored_event;
mod url;
mod writer;

pub use append::{Append, AppendError, Committed, MAX_BYTES, MAX_EVENTS, MAX_SEALED_BYTES};
pub use backends::{grant, migrate};
pub use background::FastPolling;
pub use config::{JournalConfig, JournalLimits, JournalTiming, Migrations, Statements};
pub use deadline::{Deadline, DeadlineChange};
/// Types of the journal's own signatures.
pub use event::{MatchId, RecordedTime, Seq};
pub use feed::{FeedCursor, FeedEnd, FeedItem, FeedPage, FeedQuery};
pub use ids::{Hlc, PageSize};
pub use journal::{EventRange, Journal};
pub use key_binding::{BindKeyError, KeyBinding};
pub use key_change::{KeyChange, RebindOutcome};
pub use lifecycle::StopReason;
pub use match_row::{MatchFilter, MatchRow, MatchStatus, Scope, SeatRow, Visibility};
pub use new_events::NewEvents;
pub use open_error::OpenError;
pub use read_error::ReadError;
pub use reader::Reader;
pub use readiness::Unready;
pub use stats::{JournalStats, PoolStats, QueueStats};
pub use steps::STEPS;
pub use store::SchemaError;
pub use stored_event::{NewEvent, StoredEvent};
pub use url::{DatabaseUrl, UrlError};
