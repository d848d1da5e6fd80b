//! The API keys of this user, one a server, kept between `login` and `logout`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::state_file::StateFile;

/// Begins every API key and no seat's token (docs/api.md).
const KEY_PREFIX: &str = "mbk_";

/// Keys by server.
type Keys = BTreeMap<String, String>;

/// The file with the keys.
#[derive(Debug, Clone)]
pub(crate) struct KeyStore {
    file: StateFile,
}

impl KeyStore {
    /// The store in this folder.
    pub(crate) fn within(folder: &Path) -> Self {
        Self { file: StateFile::new(folder.to_owned(), "keys") }
    }

    /// The file.
    pub(crate) fn path(&self) -> PathBuf {
        self.file.path()
    }

    /// The key stored for a server.
    pub(crate) fn key(&self, server: &str) -> Result<Option<String>, Failure> {
        Ok(self.file.read::<Keys>()?.remove(server))
    }

    /// Keeps a key, in the place of the one that was there.
    pub(crate) fn put(&self, server: &str, key: &str) -> Result<(), Failure> {
        self.file.change(|keys: &mut Keys| {
            keys.insert(server.to_owned(), key.to_owned());
        })
    }

    /// Forgets the key of a server: whether there was one.
    pub(crate) fn remove(&self, server: &str) -> Result<bool, Failure> {
        if self.key(server)?.is_none() {
            return Ok(false);
        }
        self.file.change(|keys: &mut Keys| keys.remove(server).is_some())
    }
}

/// Whether a secret is an API key, or meant to be one.
pub(crate) fn is_api_key(secret: &str) -> bool {
    secret.starts_with(KEY_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_one_key_until_it_is_forgotten() {
        let home = tempfile::tempdir().unwrap();
        let store = KeyStore::within(&home.path().join("state"));
        assert!(!store.remove("http://a").unwrap());
        assert!(!home.path().join("state").exists(), "forgetting nothing writes nothing");
        store.put("http://a", "mbk_old").unwrap();
        store.put("http://a", "mbk_new").unwrap();
        store.put("http://b", "mbk_b").unwrap();
        assert_eq!(store.key("http://a").unwrap().as_deref(), Some("mbk_new"));
        assert!(store.remove("http://a").unwrap());
        assert_eq!(store.key("http://a").unwrap(), None);
        assert_eq!(store.key("http://b").unwrap().as_deref(), Some("mbk_b"));
    }
}
