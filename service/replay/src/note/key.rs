//! Keys that sign notes, and their text form: `NAME+ID+KEY`, as the signed-note specification writes verifier keys.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

/// The signature type of Ed25519 in signed notes.
const ED25519: u8 = 1;

/// The most characters that a key's name has.
const MAX_NAME: usize = 64;

/// Under which name a service signs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KeyName(String);

/// Why a text is no key, or no name of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadKey {
    /// The name is not one.
    #[error("a key's name has 1 to 64 of the characters A-Z a-z 0-9 . - _ / :")]
    Name,
    /// Not of the form.
    #[error("a public key has the form NAME+ID+KEY, with 8 hexadecimal digits and base64")]
    Form,
    /// The id is not that of name and key.
    #[error("the key's ID does not belong to its name and key")]
    Id,
    /// The bytes are no key.
    #[error("the key is no Ed25519 public key")]
    Point,
}

impl FromStr for KeyName {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_/:".contains(&byte);
        let fits = (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(allowed);
        if fits { Ok(Self(text.to_owned())) } else { Err(BadKey::Name) }
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A key that verifies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicKey {
    name: KeyName,
    key: VerifyingKey,
}

impl PublicKey {
    /// Whose it is.
    pub fn name(&self) -> &KeyName {
        &self.name
    }

    /// What signatures are found by: SHA-256 over name, line feed, type and key, its first four bytes.
    pub fn id(&self) -> [u8; 4] {
        let hash = Sha256::new()
            .chain_update(&self.name.0)
            .chain_update(b"\n")
            .chain_update(self.tagged())
            .finalize();
        *hash.first_chunk().expect("a hash has 32 bytes")
    }

    /// Whether the key has signed this text.
    pub fn has_signed(&self, text: &str, signature: &[u8; 64]) -> bool {
        self.key.verify_strict(text.as_bytes(), &ed25519_dalek::Signature::from_bytes(signature)).is_ok()
    }

    fn tagged(&self) -> Vec<u8> {
        [&[ED25519], self.key.as_bytes().as_slice()].concat()
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = u32::from_be_bytes(self.id());
        write!(f, "{}+{id:08x}+{}", self.name, STANDARD.encode(self.tagged()))
    }
}

impl FromStr for PublicKey {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        // The key's base64 may have a plus sign, the name and the ID have none.
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(BadKey::Form);
        };
        let tagged = STANDARD.decode(key).map_err(|_| BadKey::Form)?;
        let [ED25519, bytes @ ..] = tagged.as_slice() else { return Err(BadKey::Form) };
        let bytes: &[u8; 32] = bytes.try_into().map_err(|_| BadKey::Form)?;
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| BadKey::Point)?;
        let parsed = Self { name: name.parse()?, key };
        let own = format!("{:08x}", u32::from_be_bytes(parsed.id()));
        if own == id { Ok(parsed) } else { Err(BadKey::Id) }
    }
}

/// A key that signs. It has no Debug.
#[derive(Clone)]
pub struct Signer {
    name: KeyName,
    key: SigningKey,
}

impl Signer {
    /// The key of these 32 secret bytes.
    pub fn new(name: KeyName, secret: &[u8; 32]) -> Self {
        Self { name, key: SigningKey::from_bytes(secret) }
    }

    /// What verifies its signatures.
    pub fn public_key(&self) -> PublicKey {
        PublicKey { name: self.name.clone(), key: self.key.verifying_key() }
    }

    pub(super) fn sign(&self, text: &str) -> [u8; 64] {
        self.key.sign(text.as_bytes()).to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> PublicKey {
        Signer::new("play.example".parse().unwrap(), &[7; 32]).public_key()
    }

    #[test]
    fn a_key_comes_back_from_its_text() {
        let text = key().to_string();
        assert_eq!(text.parse(), Ok(key()));
        assert!(text.starts_with("play.example+"), "{text}");
    }

    /// The key of the signed-note specification's example.
    #[test]
    fn a_published_key_is_read() {
        let text = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
        let key: PublicKey = text.parse().unwrap();
        assert_eq!(key.id(), [0xc7, 0x4f, 0x20, 0xa3]);
        assert_eq!(key.to_string(), text);
    }

    #[test]
    fn every_changed_character_of_a_key_is_noticed() {
        let text = key().to_string();
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            if let Ok(changed) = String::from_utf8(changed) {
                assert!(changed.parse::<PublicKey>().is_err(), "{changed}");
            }
        }
    }

    #[test]
    fn names_have_no_blanks_and_no_plus() {
        for bad in ["", "a b", "a+b", "ä", "a\n", &"x".repeat(65)] {
            assert_eq!(bad.parse::<KeyName>(), Err(BadKey::Name), "{bad}");
        }
    }
}
