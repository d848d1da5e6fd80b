//! API keys, which identify applications, auditors and the operator. The configuration holds their hashes,
//! never the keys themselves.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use journal::Registered;

use crate::keys::sha256;

/// Prefix of every API key. It makes leaked keys recognizable and tells keys from seat tokens.
pub const KEY_PREFIX: &str = "mbk_";

/// Maximum length of a key's name, in bytes.
const MAX_NAME_BYTES: usize = 64;

/// What a key permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Creates matches and owns them.
    App,
    /// Sees every match, as a spectator while it is running.
    Audit,
    /// Has the permissions of both `App` and `Audit`.
    Admin,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 3] = [Self::App, Self::Audit, Self::Admin];

    /// Returns the role's name in the configuration.
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

/// A configured key. Its `Display` form is the configuration's line, `NAME:ROLE:HASH`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// The key's user. Matches belong to the name, so they outlive the key.
    pub name: String,
    /// What the key permits.
    pub role: Role,
    pub(super) hash: [u8; 32],
}

/// Why a text is not a configured key. Messages do not quote the text, which may contain a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ApiKeyError {
    /// The text does not have three parts.
    #[error("an API key is configured as NAME:ROLE:HASH; generate the line with `matchbookd key new`")]
    Parts,
    /// The name is empty, too long or has other characters.
    #[error(
        "an API key's name must have 1 to {MAX_NAME_BYTES} of the characters a-z, A-Z, 0-9, `.`, `_` and `-`"
    )]
    Name,
    /// The role is unknown.
    #[error("an API key's role must be app, audit or admin")]
    Role,
    /// The third part is the key instead of its hash.
    #[error(
        "the third part must be the key's hash and is the key itself, which is now exposed; make another \
         with `matchbookd key new` and configure the line that it prints"
    )]
    Secret,
    /// The hash is malformed.
    #[error("an API key's hash must have 64 hexadecimal digits; generate the line with `matchbookd key new`")]
    Hash,
}

impl ApiKey {
    /// Generates a key and returns it with its secret, which is stored nowhere.
    pub fn generate(name: &str, role: Role) -> Result<(Self, String), ApiKeyError> {
        let bytes: [u8; 32] = rand::random();
        let secret = format!("{KEY_PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
        Ok((Self { name: checked_name(name)?, role, hash: hash(&secret) }, secret))
    }

    /// Returns whether the key may create matches, and so own some.
    pub(crate) fn creates_matches(&self) -> bool {
        matches!(self.role, Role::App | Role::Admin)
    }

    /// Returns whether a match with this registration belongs to the key.
    pub(crate) fn owns(&self, registered: &Registered) -> bool {
        self.creates_matches() && self.name == registered.owner
    }

    /// Returns whether the key may see what the owner of a match noted about it.
    pub(crate) fn sees_notes(&self, registered: &Registered) -> bool {
        self.owns(registered) || self.sees_every_match()
    }

    /// Returns whether the key sees every match.
    pub(crate) fn sees_every_match(&self) -> bool {
        matches!(self.role, Role::Audit | Role::Admin)
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
        // Omits the hash, which logs do not need.
        f.debug_struct("ApiKey").field("name", &self.name).field("role", &self.role).finish_non_exhaustive()
    }
}

/// Returns the hash by which a secret is configured.
pub(super) fn hash(secret: &str) -> [u8; 32] {
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
    fn a_malformed_line_is_rejected_without_quoting_it() {
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
}
