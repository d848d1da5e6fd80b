//! The service key that a database is bound to: binding it, and changing it.

mod binding;
mod change;

pub use binding::{BindKeyError, BoundKey, KeyBinding, ServiceIdentity};
pub use change::{KeyChange, RebindOutcome};
