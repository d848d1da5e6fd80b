//! The user's API keys, one per server, stored between `login` and `logout`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::state_file::StateFile;
use crate::failure::Failure;

/// Prefix of every API key and of no seat's token (docs/api.md).
const KEY_PREFIX: &str = "mbk_";

/// Keys by server address.
type Keys = BTreeMap<String, String>;

/// The file of API keys.
#[derive(Debug, Clone)]
pub(crate) struct KeyStore {
    file: StateFile,
}

impl KeyStore {
    /// Returns the store in this folder.
    pub(crate) fn within(folder: &Path) -> Self {
        Self { file: StateFile::new(folder.to_owned(), "keys") }
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> PathBuf {
        self.file.path()
    }

    /// Returns the key of a server.
    pub(crate) fn key(&self, server: &str) -> Result<Option<String>, Failure> {
        Ok(self.file.read::<Keys>()?.remove(server))
    }

    /// Stores the key of a server, replacing an earlier one.
    pub(crate) fn put(&self, server: &str, key: &str) -> Result<(), Failure> {
        self.file.change(|keys: &mut Keys| {
            keys.insert(server.to_owned(), key.to_owned());
        })
    }

    /// Removes the key of a server; returns whether there was one.
    pub(crate) fn remove(&self, server: &str) -> Result<bool, Failure> {
        if self.key(server)?.is_none() {
            return Ok(false);
        }
        self.file.change(|keys: &mut Keys| keys.remove(server).is_some())
    }
}

/// Returns whether a secret has the form of an API key.
pub(crate) fn is_api_key(secret: &str) -> bool {
    secret.starts_with(KEY_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_one_key_until_it_is_removed() {
        let home = tempfile::tempdir().unwrap();
        let store = KeyStore::within(&home.path().join("state"));
        assert!(!store.remove("http://a").unwrap());
        assert!(!home.path().join("state").exists(), "removing nothing writes nothing");
        store.put("http://a", "mbk_old").unwrap();
        store.put("http://a", "mbk_new").unwrap();
        store.put("http://b", "mbk_b").unwrap();
        assert_eq!(store.key("http://a").unwrap().as_deref(), Some("mbk_new"));
        assert!(store.remove("http://a").unwrap());
        assert_eq!(store.key("http://a").unwrap(), None);
        assert_eq!(store.key("http://b").unwrap().as_deref(), Some("mbk_b"));
    }
}
