//! The keys of services that this user has chosen to trust when it first saw them: a file with a key a line.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;

use replay::PublicKey;

use crate::failure::Failure;
use crate::state_file::folder_of_user;

/// The file, beside the tokens.
pub(crate) struct KnownKeys {
    path: PathBuf,
}

impl KnownKeys {
    /// The user's own; none where the user has no home.
    pub(crate) fn of_user() -> Option<Self> {
        folder_of_user().map(|folder| Self { path: folder.join("known_keys") })
    }

    /// The keys of a service.
    pub(crate) fn of_service(&self, service: &str) -> Result<Vec<PublicKey>, Failure> {
        match fs::read_to_string(&self.path) {
            Ok(text) => Ok(keys_in(&text).filter(|key| key.name().to_string() == service).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(Failure::File { path: self.path.clone(), source }),
        }
    }

    /// Trusts a key from now on.
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

/// The keys of a text, one a line; lines that are none are skipped, as comments are.
pub(crate) fn keys_in(text: &str) -> impl Iterator<Item = PublicKey> {
    text.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok())
}
