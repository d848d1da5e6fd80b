//! Keys that sign notes, and their text form `NAME+ID+KEY`, which is the signed-note specification's.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

/// Signature type of Ed25519 in signed notes.
const ED25519: u8 = 1;

/// Maximum length of a key's name, in characters.
const MAX_NAME: usize = 64;

/// The name under which a service signs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KeyName(String);

/// Why a text is not a public key or not a key's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadKey {
    /// The name is empty, too long or has other characters.
    #[error("a key's name must have 1 to 64 of the characters A-Z a-z 0-9 . - _ / :")]
    Name,
    /// The text does not have three well-formed parts.
    #[error("a public key must have the form NAME+ID+KEY, with ID in 8 hexadecimal digits and KEY in base64")]
    Form,
    /// The ID is not the hash of name and key.
    #[error("the public key's ID does not fit its name and key")]
    Id,
    /// The bytes are not a point of the curve.
    #[error("the public key is not an Ed25519 key")]
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

/// A key that verifies signatures, with its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicKey {
    name: KeyName,
    key: VerifyingKey,
}

impl PublicKey {
    /// Returns the key's name.
    pub fn name(&self) -> &KeyName {
        &self.name
    }

    /// Returns the ID that signatures refer to: the first four bytes of SHA-256 over name, line feed, type
    /// and key.
    pub fn id(&self) -> [u8; 4] {
        let hash = Sha256::new()
            .chain_update(&self.name.0)
            .chain_update(b"\n")
            .chain_update(self.tagged())
            .finalize();
        *hash.first_chunk().expect("a hash has 32 bytes")
    }

    /// Returns whether the signature of the text is valid under this key.
    pub fn verifies(&self, text: &str, signature: &[u8; 64]) -> bool {
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
        // Only the base64 part may contain a plus sign.
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

/// Returns the keys in a text, one per line. Other lines are comments.
pub fn keys_in(text: &str) -> impl Iterator<Item = PublicKey> {
    text.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok())
}

/// A key that signs. It implements no `Debug`, so it can't reach a log.
#[derive(Clone)]
pub struct Signer {
    name: KeyName,
    key: SigningKey,
}

impl Signer {
    /// Creates the key from its 32 secret bytes.
    pub fn new(name: KeyName, secret: &[u8; 32]) -> Self {
        Self { name, key: SigningKey::from_bytes(secret) }
    }

    /// Returns the key that verifies its signatures.
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
    fn a_key_survives_the_round_trip_through_its_text() {
        let text = key().to_string();
        assert_eq!(text.parse(), Ok(key()));
        assert!(text.starts_with("play.example+"), "{text}");
    }

    /// The key is the example of the signed-note specification.
    #[test]
    fn a_published_key_parses() {
        let text = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
        let key: PublicKey = text.parse().unwrap();
        assert_eq!(key.id(), [0xc7, 0x4f, 0x20, 0xa3]);
        assert_eq!(key.to_string(), text);
    }

    #[test]
    fn every_changed_character_of_a_key_is_detected() {
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
    fn names_with_spaces_or_plus_signs_are_rejected() {
        for bad in ["", "a b", "a+b", "ä", "a\n", &"x".repeat(65)] {
            assert_eq!(bad.parse::<KeyName>(), Err(BadKey::Name), "{bad}");
        }
    }
}
