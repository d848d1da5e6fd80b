//! API keys: what names an application, an auditor or the operator. The service is
//! configured with their hashes and never has the keys themselves.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;

use crate::service_key::sha256;

/// Begins every API key, so that a leaked one is recognized for what it is and no
/// key is taken for a seat's token.
pub const KEY_PREFIX: &str = "mbk_";

/// Longest name of a key, in bytes.
const MAX_NAME_BYTES: usize = 64;

/// Most keys of one service: each is compared on every call that brings a key.
const MAX_KEYS: usize = 1_000;

/// What a key is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Creates matches and owns them.
    App,
    /// Sees every match, as a spectator while it is being played.
    Audit,
    /// As audit, and creates matches.
    Admin,
}

impl Role {
    /// All of them, with the words of the configuration.
    pub const ALL: [Self; 3] = [Self::App, Self::Audit, Self::Admin];

    /// The configuration's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Audit => "audit",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = ApiKeyError;

    fn from_str(text: &str) -> Result<Self, ApiKeyError> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(ApiKeyError::Role)
    }
}

/// One configured key: whose it is, what it may do, and how it is recognized.
/// Printed it is the line of the configuration, `NAME:ROLE:HASH`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Who uses it. Matches belong to the name, so they outlive the key.
    pub name: String,
    /// What it may do.
    pub role: Role,
    hash: [u8; 32],
}

/// Why a text is no configured key. Its text is not repeated: it may be a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ApiKeyError {
    /// Not three parts.
    #[error("a key is configured as NAME:ROLE:HASH; `matchbookd key new` makes that line")]
    Parts,
    /// The name can't be used.
    #[error("a key's name has 1 to {MAX_NAME_BYTES} characters: a-z, A-Z, 0-9, `.`, `_` and `-`")]
    Name,
    /// No such role.
    #[error("a key's role is app, audit or admin")]
    Role,
    /// The key stands where its hash belongs.
    #[error(
        "the third part is the key itself; the configuration takes its hash, the line that `matchbookd key new` \
         prints. This key has been seen where it should not be: make another"
    )]
    Secret,
    /// Not a hash.
    #[error("a key's hash has 64 hexadecimal digits; `matchbookd key new` prints it")]
    Hash,
}

impl ApiKey {
    /// A fresh key for somebody, with the secret that nobody can show again.
    pub fn generate(name: &str, role: Role) -> Result<(Self, String), ApiKeyError> {
        let bytes: [u8; 32] = rand::random();
        let secret = format!("{KEY_PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
        Ok((Self { name: checked_name(name)?, role, hash: hash(&secret) }, secret))
    }
}

impl FromStr for ApiKey {
    type Err = ApiKeyError;

    fn from_str(line: &str) -> Result<Self, ApiKeyError> {
        let parts: Vec<&str> = line.trim().split(':').collect();
        let [name, role, hash] = parts[..] else { return Err(ApiKeyError::Parts) };
        if hash.starts_with(KEY_PREFIX) {
            return Err(ApiKeyError::Secret);
        }
        Ok(Self { name: checked_name(name)?, role: role.parse()?, hash: from_hex(hash)? })
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:", self.name, self.role)?;
        self.hash.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the hash: logs have no use for it.
        f.debug_struct("ApiKey").field("name", &self.name).field("role", &self.role).finish_non_exhaustive()
    }
}

/// All keys that a service knows; cheap to clone.
#[derive(Debug, Clone)]
pub struct KeyRing(Arc<[ApiKey]>);

/// Why keys can't be used together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyRingError {
    /// One name, two roles.
    #[error("the keys of `{name}` have different roles: a name has one role, its keys may be several")]
    Roles {
        /// The name.
        name: String,
    },
    /// One key, twice.
    #[error("the key of `{first}` and that of `{second}` are the same")]
    Twice {
        /// Whose it is.
        first: String,
        /// Whose it is, too.
        second: String,
    },
    /// More than anybody needs.
    #[error("{count} keys are configured; at most {MAX_KEYS} can be")]
    TooMany {
        /// How many there are.
        count: usize,
    },
}

impl KeyRing {
    /// No keys: the service is open, and its callers are told apart by nothing but
    /// the seats that they have.
    pub fn open() -> Self {
        Self(Arc::new([]))
    }

    /// These keys. Several may have one name, so that a key can be changed without
    /// a moment in which neither is known.
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
                return Err(KeyRingError::Twice { first: first.clone(), second: key.name.clone() });
            }
        }
        Ok(Self(keys.into()))
    }

    /// Whether there are no keys, so that nobody needs one.
    pub fn is_open(&self) -> bool {
        self.0.is_empty()
    }

    /// How many keys there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The key that this is the secret of. How long it takes says nothing about
    /// how nearly another one fits.
    pub fn find(&self, secret: &str) -> Option<&ApiKey> {
        let hash = hash(secret);
        // Every key is compared, whether or not one has fitted already.
        self.0.iter().fold(None, |found, key| if key.hash.ct_eq(&hash).into() { Some(key) } else { found })
    }
}

/// What the configuration has of a key.
fn hash(secret: &str) -> [u8; 32] {
    sha256(&[b"matchbook.api-key.v1\0", secret.as_bytes()])
}

fn checked_name(name: &str) -> Result<String, ApiKeyError> {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if name.is_empty() || name.len() > MAX_NAME_BYTES || !plain {
        return Err(ApiKeyError::Name);
    }
    Ok(name.to_owned())
}

fn from_hex(text: &str) -> Result<[u8; 32], ApiKeyError> {
    let mut bytes = [0; 32];
    if text.len() != 2 * bytes.len() || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(ApiKeyError::Hash);
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        let digits = &text[2 * index..2 * index + 2];
        *byte = u8::from_str_radix(digits, 16).map_err(|_| ApiKeyError::Hash)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_by_its_secret_alone() {
        let (shop, secret) = ApiKey::generate("shop", Role::App).unwrap();
        let (audit, other) = ApiKey::generate("audit", Role::Audit).unwrap();
        let ring = KeyRing::new(vec![shop.to_string().parse().unwrap(), audit]).unwrap();
        assert!(secret.starts_with(KEY_PREFIX) && secret.len() == KEY_PREFIX.len() + 43, "{secret}");
        assert_eq!(ring.find(&secret), Some(&shop));
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
    fn what_is_no_line_says_why_and_repeats_nothing() {
        let hash = "0f".repeat(32);
        assert!(format!("shop:app:{hash}").parse::<ApiKey>().is_ok());
        let (long, high) = ("n".repeat(65), "é0".repeat(21));
        let cases = [
            (String::new(), ApiKeyError::Parts),
            (hash.clone(), ApiKeyError::Parts),
            (format!("a:app:{hash}:b"), ApiKeyError::Parts),
            (format!(":app:{hash}"), ApiKeyError::Name),
            (format!("my shop:app:{hash}"), ApiKeyError::Name),
            (format!("{long}:app:{hash}"), ApiKeyError::Name),
            (format!("shop:App:{hash}"), ApiKeyError::Role),
            (format!("shop:app:{}", &hash[1..]), ApiKeyError::Hash),
            (format!("shop:app:{high}0"), ApiKeyError::Hash),
            (format!("shop:app:+{}", &hash[1..]), ApiKeyError::Hash),
            ("shop:app:mbk_secret".to_owned(), ApiKeyError::Secret),
        ];
        for (line, error) in cases {
            assert_eq!(line.parse::<ApiKey>().unwrap_err(), error, "{line}");
        }
        assert!(!ApiKeyError::Secret.to_string().contains("mbk_secret"));
    }

    #[test]
    fn a_name_may_have_two_keys_but_not_two_roles() {
        let made = |name, role| ApiKey::generate(name, role).unwrap().0;
        let (old, new) = (made("shop", Role::App), made("shop", Role::App));
        assert_eq!(KeyRing::new(vec![old.clone(), new]).unwrap().count(), 2);
        let roles = KeyRing::new(vec![old.clone(), made("shop", Role::Admin)]).unwrap_err();
        assert_eq!(roles, KeyRingError::Roles { name: "shop".to_owned() });
        let renamed = ApiKey { name: "other".to_owned(), ..old.clone() };
        assert!(matches!(KeyRing::new(vec![old.clone(), renamed]), Err(KeyRingError::Twice { .. })));
        let many = (0..=MAX_KEYS).map(|_| made("shop", Role::App)).collect();
        assert!(matches!(KeyRing::new(many), Err(KeyRingError::TooMany { .. })));
        assert!(!format!("{old:?}").contains(&old.to_string()[9..]), "no hash in a log");
    }
}
