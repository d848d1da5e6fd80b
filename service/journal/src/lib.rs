//! The journal stores the logs of all matches, append-only, with their directory and deadlines, in a database
//! of one of the kinds in `backends`. It knows no game and does not interpret events; access control is up to
//! the caller.

mod append;
mod archiving;
mod backends;
mod background;
mod batch;
mod database_time;
mod directory;
mod feed;
mod head;
mod ids;
mod journal;
mod key;
mod lifecycle;
mod monitoring;
mod new_events;
mod open;
mod read_error;
mod reader;
#[cfg(test)]
mod samples;
mod shard;
#[cfg(test)]
mod simulation;
mod sql;
mod store;
mod stored_event;
mod webhooks;
mod writer;

pub use append::{Append, AppendError, Committed, MAX_BYTES, MAX_EVENTS, MAX_SEALED_BYTES, Predecessor};
pub use archiving::{
    ArchivedLogs, ArchivedPlace, ArchiverHandle, DropError, DroppedMatch, DroppedSegment, FeedNeeds,
    SegmentRow, SegmentState,
};
pub use background::FastPolling;
pub use directory::{
    Deadline, DeadlineChange, Labels, MatchFilter, MatchOutcome, MatchPage, MatchRow, MatchStatus, PlayerRow,
    Registered, Scope, SeatRow, ToAct, Visibility,
};
/// Types of the journal's own signatures.
pub use event::{MatchId, RecordTime, Seq};
pub use feed::{FeedCursor, FeedEnd, FeedItem, FeedPage, FeedQuery};
pub use head::Head;
pub use ids::{Hlc, PageSize};
pub use journal::{EventRange, Journal};
pub use key::{BindKeyError, BoundKey, KeyBinding, KeyChange, RebindOutcome, ServiceIdentity};
pub use lifecycle::StopReason;
pub use monitoring::{JournalStats, PoolStats, QueueStats, STEPS, Unready};
pub use new_events::NewEvents;
pub use open::{DatabaseUrl, JournalConfig, JournalLimits, JournalTiming, OpenError, UrlError, migrate};
pub use read_error::ReadError;
pub use reader::Reader;
pub use shard::{Shard, Shards};
pub use store::{Migrations, SchemaError, Statements, WebhookStore};
pub use stored_event::{NewEvent, StoredEvent};
pub use webhooks::{
    DeliveryRow, DeliveryStatus, LeaseEpoch, LeaseRequest, LeasedWebhook, WebhookId, WebhookRow, WebhookState,
};
