//! What a service signs of a log: its header and the hash of its last event.

use event::{ChainHash, MatchId, Seq};
use uuid::Uuid;

use super::{KeyName, SignedNote, Signer};

/// The first line of every note on a log; no other note begins with it.
const PURPOSE: &str = "matchbook log head v1";

/// A log up to one of its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The service.
    pub service: KeyName,
    /// The match.
    pub match_id: MatchId,
    /// The game's id.
    pub game: String,
    /// The rules version that the match is pinned to.
    pub rules_version: u32,
    /// The event up to which it is signed.
    pub seq: Seq,
    /// That event's hash.
    pub hash: ChainHash,
}

impl Head {
    /// The lines that are signed.
    pub fn text(&self) -> String {
        let Self { service, match_id, game, rules_version, seq, hash } = self;
        let hash = hex(hash);
        format!(
            "{PURPOSE}\nservice {service}\nmatch {match_id}\ngame {game}\nrules {rules_version}\nseq {seq}\nhash {hash}\n"
        )
    }

    /// The note of a service on this log.
    pub fn sign(&self, signer: &Signer) -> SignedNote {
        SignedNote::sign(self.text(), signer)
    }

    /// What a note says, if it is one on a log. The signatures are not looked at.
    pub fn of(note: &SignedNote) -> Option<Self> {
        let mut lines = note.text().lines();
        if lines.next()? != PURPOSE {
            return None;
        }
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let head = Self {
            service: field("service")?.parse().ok()?,
            match_id: MatchId(Uuid::try_parse(field("match")?).ok()?),
            game: field("game")?.to_owned(),
            rules_version: field("rules")?.parse().ok()?,
            seq: Seq(field("seq")?.parse().ok()?),
            hash: hash_from_hex(field("hash")?)?,
        };
        // One way only to write it.
        (head.text() == note.text()).then_some(head)
    }
}

/// Bytes in lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A hash from its 64 lower-case hexadecimal digits.
pub fn hash_from_hex(text: &str) -> Option<ChainHash> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let bytes = text.as_bytes();
    if bytes.len() != 64 || bytes.iter().any(u8::is_ascii_uppercase) {
        return None;
    }
    let mut hash = [0; 32];
    for (byte, pair) in hash.iter_mut().zip(bytes.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_comes_back_from_its_note() {
        let head = Head {
            service: "play.example".parse().unwrap(),
            match_id: MatchId(Uuid::from_u128(7)),
            game: "ace-exorcist".to_owned(),
            rules_version: 1,
            seq: Seq(12),
            hash: [0xab; 32],
        };
        let note = head.sign(&Signer::new(head.service.clone(), &[1; 32]));
        assert_eq!(Head::of(&note), Some(head.clone()));
        let padded = SignedNote::sign(head.text() + "more\n", &Signer::new(head.service.clone(), &[1; 32]));
        assert_eq!(Head::of(&padded), None);
    }
}
