//! The keys of services that the user trusts on first use: a file with one key per line.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;

use audit::{PublicKey, keys_in};

use super::state_file::state_folder;
use crate::failure::Failure;

/// The file of trusted keys, beside the tokens.
pub(crate) struct KnownKeys {
    path: PathBuf,
}

impl KnownKeys {
    /// Returns the user's file; `None` if the user has no home.
    pub(crate) fn of_user() -> Option<Self> {
        state_folder().map(|folder| Self { path: folder.join("known_keys") })
    }

    /// Returns the trusted keys of a service.
    pub(crate) fn of_service(&self, service: &str) -> Result<Vec<PublicKey>, Failure> {
        match fs::read_to_string(&self.path) {
            Ok(text) => Ok(keys_in(&text).filter(|key| key.name().to_string() == service).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(Failure::File { path: self.path.clone(), source }),
        }
    }

    /// Adds a key to trust.
    pub(crate) fn add(&self, key: &PublicKey) -> Result<(), Failure> {
        let write = || {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
            file.write_all(format!("{key}\n").as_bytes())
        };
        write().map_err(|source| Failure::File { path: self.path.clone(), source })
    }
}
