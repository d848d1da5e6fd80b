//! What the user's commands remember: tokens of seats, API keys, keys of services. Each is a file of its own.

mod key_store;
mod known_keys;
mod state_file;
mod token_store;

pub(crate) use key_store::{KeyStore, is_api_key};
pub(crate) use known_keys::KnownKeys;
pub(crate) use state_file::state_folder;
pub(crate) use token_store::TokenStore;
