//! The keys that logs are signed with: the current one, which derives from the service key, and retired ones.

use audit::{KeyName, Signer};
use wire::v1 as proto;

use super::{RetiredKey, ServiceKey};

/// Default name that a service signs under.
pub const DEFAULT_SERVICE_NAME: &str = "matchbook";

/// Configuration of signatures.
#[derive(Debug, Clone)]
pub struct Signing {
    /// The name to sign under; clients pin the key together with it.
    pub name: KeyName,
    /// Keys that the service no longer signs with.
    pub retired: Vec<RetiredKey>,
}

impl Default for Signing {
    fn default() -> Self {
        let name = DEFAULT_SERVICE_NAME.parse().expect("the default name is valid");
        Self { name, retired: Vec::new() }
    }
}

/// The signing keys of a running service.
pub(crate) struct SigningKeys {
    pub(crate) signer: Signer,
    /// Newest first.
    retired: Vec<RetiredKey>,
}

impl SigningKeys {
    pub(crate) fn new(service_key: &ServiceKey, signing: Signing) -> Self {
        let Signing { name, mut retired } = signing;
        retired.sort_by_key(|key| std::cmp::Reverse((key.until.seconds, key.until.nanos)));
        Self { signer: service_key.signer(name), retired }
    }

    /// Returns the current key followed by the retired ones, newest first.
    pub(crate) fn public_keys(&self) -> Vec<proto::SigningKey> {
        let current = proto::SigningKey {
            public_key: self.signer.public_key().to_string(),
            from_time: self.retired.first().map(|last| last.until),
            until_time: None,
        };
        let retired = self.retired.iter().map(|key| proto::SigningKey {
            public_key: key.key.to_string(),
            from_time: key.from,
            until_time: Some(key.until),
        });
        std::iter::once(current).chain(retired).collect()
    }
}

#[cfg(test)]
mod tests {
    use audit::PublicKey;

    use super::*;

    fn public(secret: u8) -> PublicKey {
        Signer::new("play.example".parse().unwrap(), &[secret; 32]).public_key()
    }

    #[test]
    fn keys_are_listed_from_the_current_to_the_oldest() {
        let line =
            |secret, from: &str, until: &str| format!("{} {from} {until}", public(secret)).parse().unwrap();
        let retired = vec![
            line(1, "-", "2025-01-01T00:00:00Z"),
            line(2, "2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        ];
        let signing = Signing { name: "play.example".parse().unwrap(), retired };
        let keys = SigningKeys::new(&ServiceKey::from_bytes([9; 32]), signing).public_keys();
        assert_eq!(keys[0].until_time, None);
        assert_eq!(keys[0].from_time, keys[1].until_time);
        let names: Vec<_> = keys[1..].iter().map(|key| key.public_key.clone()).collect();
        assert_eq!(names, [public(2).to_string(), public(1).to_string()]);
        assert_eq!(keys[2].from_time, None);
    }
}
