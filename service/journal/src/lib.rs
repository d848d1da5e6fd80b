//! The journal: append-only logs of all matches, their directory, tokens' hashes and deadlines, in memory, SQLite or
//! Postgres. It knows no game and understands no event; whoever may append what is the caller's affair.

mod append;
mod batch;
mod clock;
mod commit_log;
mod config;
mod context;
mod deadline;
mod directory;
mod event;
mod feed;
mod ids;
mod instruments;
mod journal;
mod lane;
mod match_row;
mod memory;
mod open;
mod postgres;
mod racing;
mod read;
mod request;
mod retention;
mod rows;
mod sqlite;
mod stats;
mod status;
mod store;
mod tailer;
mod time;
mod url;

pub use append::{Append, AppendError, Committed, MAX_BYTES, MAX_EVENTS, MAX_SEALED_BYTES};
pub use config::{JournalConfig, Limits, Migrations, Statements, Timing};
pub use deadline::{Deadline, DeadlineChange};
pub use event::{Event, StoredEvent};
pub use feed::{CursorError, FeedCursor, FeedEnd, FeedEvent, FeedPage, FeedQuery};
pub use ids::{Clock, Lane, LaneNo, MatchId, RecordedTime, Seq};
pub use journal::Journal;
pub use match_row::{MatchFilter, MatchRow, MatchStatus, Scope, SeatRow, Visibility};
pub use open::{OpenError, migrate};
pub use postgres::{GrantError, grant};
pub use read::{BindKeyError, KeyBinding, ReadError};
pub use stats::{PoolStats, QueueStats, Stats};
pub use status::StopReason;
pub use tailer::{CloseWatch, OthersCommit};
pub use url::{DatabaseUrl, UrlError};
