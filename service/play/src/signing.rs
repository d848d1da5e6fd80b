//! What the service signs logs with: its name, the key that derives from the service key, and the keys before it.

use std::fmt;
use std::str::FromStr;

use prost_types::Timestamp;
use replay::{KeyName, PublicKey, Signer};
use wire::v1 as proto;

use crate::ServiceKey;

/// The name that a service signs under unless it is given one.
pub const DEFAULT_SERVICE_NAME: &str = "matchbook";

/// Under which name a service signs, and what it has signed with before.
#[derive(Debug, Clone)]
pub struct Signing {
    /// Its name; clients pin the key together with it.
    pub name: KeyName,
    /// Keys that it does not sign with any more.
    pub retired: Vec<RetiredKey>,
}

/// A key that was replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct RetiredKey {
    /// What verifies its signatures.
    pub key: PublicKey,
    /// When it was taken into use; none if it was the first.
    pub from: Option<Timestamp>,
    /// When it was replaced.
    pub until: Timestamp,
}

/// A text is no retired key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a retired key is written `NAME+ID+KEY FROM UNTIL`, with times such as 2026-05-01T00:00:00Z, or - for an unknown FROM"
)]
pub struct BadRetiredKey;

impl Default for Signing {
    fn default() -> Self {
        let name = DEFAULT_SERVICE_NAME.parse().expect("the default name is one");
        Self { name, retired: Vec::new() }
    }
}

impl fmt::Display for RetiredKey {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.from {
            Some(from) => write!(f, "{} {from} {}", self.key, self.until),
            None => write!(f, "{} - {}", self.key, self.until),
        }
    }
}

impl FromStr for RetiredKey {
    type Err = BadRetiredKey;

    fn from_str(line: &str) -> Result<Self, BadRetiredKey> {
        let mut words = line.split_whitespace();
        let (Some(key), Some(from), Some(until), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(BadRetiredKey);
        };
        let time = |text: &str| text.parse::<Timestamp>().map_err(|_| BadRetiredKey);
        Ok(Self {
            key: key.parse().map_err(|_| BadRetiredKey)?,
            from: if from == "-" { None } else { Some(time(from)?) },
            until: time(until)?,
        })
    }
}

/// The keys of a running service.
pub(crate) struct SigningKeys {
    pub(crate) signer: Signer,
    retired: Vec<RetiredKey>,
}

impl SigningKeys {
    pub(crate) fn new(service_key: &ServiceKey, signing: Signing) -> Self {
        let Signing { name, mut retired } = signing;
        retired.sort_by_key(|key| std::cmp::Reverse((key.until.seconds, key.until.nanos)));
        Self { signer: service_key.signer(name), retired }
    }

    /// The one in use first, then the retired ones, the newest first.
    pub(crate) fn shown(&self) -> Vec<proto::SigningKey> {
        let in_use = proto::SigningKey {
            public_key: self.signer.public_key().to_string(),
            from_time: self.retired.first().map(|last| last.until),
            until_time: None,
        };
        let retired = self.retired.iter().map(|key| proto::SigningKey {
            public_key: key.key.to_string(),
            from_time: key.from,
            until_time: Some(key.until),
        });
        std::iter::once(in_use).chain(retired).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(secret: u8) -> PublicKey {
        Signer::new("play.example".parse().unwrap(), &[secret; 32]).public_key()
    }

    #[test]
    fn keys_are_listed_the_one_in_use_first_then_the_newest() {
        let line =
            |secret, from: &str, until: &str| format!("{} {from} {until}", public(secret)).parse().unwrap();
        let retired = vec![
            line(1, "-", "2025-01-01T00:00:00Z"),
            line(2, "2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        ];
        let signing = Signing { name: "play.example".parse().unwrap(), retired };
        let keys = SigningKeys::new(&ServiceKey::from_bytes([9; 32]), signing).shown();
        assert_eq!(keys[0].until_time, None);
        assert_eq!(keys[0].from_time, keys[1].until_time);
        let names: Vec<_> = keys[1..].iter().map(|key| key.public_key.clone()).collect();
        assert_eq!(names, [public(2).to_string(), public(1).to_string()]);
        assert_eq!(keys[2].from_time, None);
    }

    #[test]
    fn what_is_no_retired_key_is_refused() {
        let good = format!("{} - 2026-01-01T00:00:00Z", public(1));
        assert_eq!(good.parse::<RetiredKey>().unwrap().to_string(), good);
        for bad in ["", &good[1..], &format!("{good} more"), &good.replace("-01T", "-99T")] {
            assert_eq!(bad.parse::<RetiredKey>(), Err(BadRetiredKey), "{bad}");
        }
    }
}
