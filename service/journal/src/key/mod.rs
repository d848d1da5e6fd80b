//! The service key that a database is bound to: binding it, and changing it.

mod binding;
mod change;

pub use binding::{BindKeyError, KeyBinding};
pub use change::{KeyChange, RebindOutcome};
