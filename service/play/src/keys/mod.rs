//! The service key and the keys derived from it: for seat tokens, feed cursors, secrets of webhooks
//! and signatures.

mod mac_key;
mod retired_key;
mod service_key;
mod signing;

pub(crate) use mac_key::{MacKey, sha256};
pub(crate) use signing::SigningKeys;

pub use retired_key::{BadRetiredKey, RetiredKey};
pub use service_key::ServiceKey;
pub use signing::{DEFAULT_SERVICE_NAME, Signing};
