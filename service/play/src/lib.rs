//! The use cases of the service, one file each: who may do and see what, and that
//! nothing is said before it is durable. Knows no transport and no SQL.

mod access;
mod api_key;
mod caller;
mod check_rules;
mod feed_cursor;
mod fields;
mod history;
mod judge;
mod limits;
mod live;
mod page_token;
mod play;
mod refusal;
mod service_key;
mod signing;
mod stats;
mod stored;
mod surroundings;
mod sweep;
mod token;
mod turn;
mod use_cases;

pub use api_key::{ApiKey, ApiKeyError, KEY_PREFIX, KeyRing, KeyRingError, Role};
pub use caller::Caller;
pub use check_rules::{
    Difference, Replayed, RulesInUse, Selection, Standing, Summary, check_rules, count_stored,
};
pub use journal::STEPS;
pub use limits::Limits;
pub use play::{Play, Settings, StartError};
pub use refusal::{FieldViolation, Refusal, reason_word};
pub use service_key::ServiceKey;
pub use signing::{BadRetiredKey, DEFAULT_SERVICE_NAME, RetiredKey, Signing};
pub use stats::Stats;
pub use surroundings::{Surroundings, System};
pub use use_cases::{Export, Feed, Watch};
