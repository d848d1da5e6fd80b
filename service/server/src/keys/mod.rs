//! Keys: the service key's file and its rotation, the configured API keys, and the credentials of callers.

mod api_keys;
pub(crate) mod credentials;
mod rotation;
mod rotation_error;
mod service_key_error;
mod service_key_file;

pub use api_keys::{ApiKeysError, read_api_keys};
pub use rotation::{KeyRotation, RotatedKey, ServingReplicas, rotate_key};
pub use rotation_error::RotateKeyError;
pub use service_key_error::KeyFileError;
pub use service_key_file::KeyFileOrigin;
pub(crate) use service_key_file::{KeyFile, next_path, read, read_or_create};
