//! Signing keys that were replaced. They still verify what was signed with them.

use std::fmt;
use std::str::FromStr;

use audit::PublicKey;
use prost_types::Timestamp;

/// A signing key that was replaced. Its `Display` form is the configuration's line.
#[derive(Debug, Clone, PartialEq)]
pub struct RetiredKey {
    /// The key that verifies its signatures.
    pub key: PublicKey,
    /// Start of its use; `None` if unknown.
    pub from: Option<Timestamp>,
    /// End of its use.
    pub until: Timestamp,
}

/// A text that is not a retired key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a retired key must be `NAME+ID+KEY FROM UNTIL`, with times such as 2026-05-01T00:00:00Z, or - for an \
     unknown FROM"
)]
pub struct BadRetiredKey;

impl fmt::Display for RetiredKey {
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

#[cfg(test)]
mod tests {
    use audit::Signer;

    use super::*;

    #[test]
    fn a_malformed_retired_key_is_rejected() {
        let key = Signer::new("play.example".parse().unwrap(), &[1; 32]).public_key();
        let good = format!("{key} - 2026-01-01T00:00:00Z");
        assert_eq!(good.parse::<RetiredKey>().unwrap().to_string(), good);
        for bad in ["", &good[1..], &format!("{good} more"), &good.replace("-01T", "-99T")] {
            assert_eq!(bad.parse::<RetiredKey>(), Err(BadRetiredKey), "{bad}");
        }
    }
}
