//! The set of API keys that a service accepts.

use std::collections::BTreeMap;
use std::sync::Arc;

use subtle::ConstantTimeEq;

use super::ApiKey;
use super::api_key::hash;

/// Maximum number of keys of one service: every call with a key compares all of them.
const MAX_KEYS: usize = 1_000;

/// The API keys that a service accepts; cheap to clone.
#[derive(Debug, Clone)]
pub struct KeyRing(Arc<[ApiKey]>);

/// Why a set of keys is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyRingError {
    /// Two keys of one name have different roles.
    #[error("the keys of `{name}` have different roles; give all keys of a name the same role")]
    Roles {
        /// The shared name.
        name: String,
    },
    /// Two entries are the same key.
    #[error("`{first}` and `{second}` have the same key; make a key for each with `matchbookd key new`")]
    Duplicate {
        /// Name of the first entry.
        first: String,
        /// Name of the second entry.
        second: String,
    },
    /// There are too many keys.
    #[error("{count} keys are configured; the maximum is {MAX_KEYS}")]
    TooMany {
        /// Number of configured keys.
        count: usize,
    },
}

impl KeyRing {
    /// Returns an empty ring: anyone may create matches, and callers are identified by their seats alone.
    pub fn open() -> Self {
        Self(Arc::new([]))
    }

    /// Returns a ring of these keys. A name may have several, so that a key can be replaced without an
    /// interruption.
    pub fn new(keys: Vec<ApiKey>) -> Result<Self, KeyRingError> {
        if keys.len() > MAX_KEYS {
            return Err(KeyRingError::TooMany { count: keys.len() });
        }
        let mut roles = BTreeMap::new();
        let mut names = BTreeMap::new();
        for key in &keys {
            if *roles.entry(&key.name).or_insert(key.role) != key.role {
                return Err(KeyRingError::Roles { name: key.name.clone() });
            }
            if let Some(first) = names.insert(key.hash, &key.name) {
                return Err(KeyRingError::Duplicate { first: first.clone(), second: key.name.clone() });
            }
        }
        Ok(Self(keys.into()))
    }

    /// Returns whether there are no keys, so that no caller needs one.
    pub fn is_open(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of keys.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns whether a key of this name may own matches.
    pub(crate) fn has_owner(&self, name: &str) -> bool {
        self.0.iter().any(|key| key.name == name && key.creates_matches())
    }

    /// Returns the key with this secret, in a time that does not depend on how closely another key matches.
    pub fn find(&self, secret: &str) -> Option<&ApiKey> {
        let hash = hash(secret);
        // Compare with every key, even after a match.
        self.0.iter().fold(None, |found, key| if key.hash.ct_eq(&hash).into() { Some(key) } else { found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KEY_PREFIX, Role};

    #[test]
    fn only_the_secret_finds_a_key() {
        let (shop, secret) = ApiKey::generate("shop", Role::App).unwrap();
        let (audit, other) = ApiKey::generate("audit", Role::Audit).unwrap();
        let ring = KeyRing::new(vec![shop.to_string().parse().unwrap(), audit]).unwrap();
        assert!(secret.starts_with(KEY_PREFIX) && secret.len() == KEY_PREFIX.len() + 43, "{secret}");
        assert_eq!(ring.find(&secret), Some(&shop));
        assert!(ring.has_owner("shop") && !ring.has_owner("audit") && !ring.has_owner("other"));
        assert_eq!(ring.find(&other).unwrap().role, Role::Audit);
        for wrong in
            ["", "mbk_", &secret[..secret.len() - 1], &secret.to_ascii_lowercase(), &shop.to_string()]
        {
            assert_eq!(ring.find(wrong), None, "{wrong}");
        }
        assert!(!ring.is_open() && KeyRing::open().is_open());
        assert_eq!(KeyRing::open().find(&secret), None);
    }

    #[test]
    fn a_name_may_have_two_keys_but_only_one_role() {
        let new_key = |name, role| ApiKey::generate(name, role).unwrap().0;
        let (old, new) = (new_key("shop", Role::App), new_key("shop", Role::App));
        assert_eq!(KeyRing::new(vec![old.clone(), new]).unwrap().count(), 2);
        let roles = KeyRing::new(vec![old.clone(), new_key("shop", Role::Admin)]).unwrap_err();
        assert_eq!(roles, KeyRingError::Roles { name: "shop".to_owned() });
        let renamed = ApiKey { name: "other".to_owned(), ..old.clone() };
        assert!(matches!(KeyRing::new(vec![old.clone(), renamed]), Err(KeyRingError::Duplicate { .. })));
        let many = (0..=MAX_KEYS).map(|_| new_key("shop", Role::App)).collect();
        assert!(matches!(KeyRing::new(many), Err(KeyRingError::TooMany { .. })));
        assert!(
            !format!("{old:?}").contains(&old.to_string()[9..]),
            "debug output must not contain the hash"
        );
    }
}
