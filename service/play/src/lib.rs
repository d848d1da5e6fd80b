//! The service's use cases, one file each, and the rules of who may do and see what. Nothing is acknowledged
//! or shown before it is durable. This crate knows no transport and no SQL.

mod access;
mod capacity;
mod changes;
mod check_rules;
mod environment;
mod housekeeping;
mod keys;
mod known_matches;
mod live;
mod play;
mod preconditions;
mod refusal;
mod registration;
mod requests;
mod shares;
mod stats;
mod streams;
mod use_cases;
mod webhooks;

pub use access::{
    ApiKey, ApiKeyError, Caller, KEY_PREFIX, KeyRing, KeyRingError, Role, SEAT_TOKEN_PREFIX, SeatTokens,
    ShareHolder, TokenHolder,
};
/// The name in a signing key.
pub use audit::KeyName;
pub use capacity::{Capacity, Durations};
pub use check_rules::{
    Difference, MatchReplay, RulesInUse, Selection, Summary, check_rules, count_stored, known_games,
    verify_finished,
};
pub use environment::{Environment, SystemEnvironment};
pub use event::{MatchId, RecordTime, Seq};
pub use journal::STEPS;
pub use keys::{BadRetiredKey, DEFAULT_SERVICE_NAME, RetiredKey, ServiceKey, Signing};
pub use play::{Play, Settings, StartError};
pub use refusal::{Credential, FieldViolation, Refusal, reason_name};
pub use rules::{Games, VersionStatus};
pub use streams::{Export, Feed, MatchesExport, ResponseStream, StreamKind, StreamPermit, Watch};
pub use webhooks::{
    AttemptOutcome, AttemptResult, OutgoingWebhook, WebhookLimits, WebhookSender, WebhookSettings,
};
