//! What a service signs of a log: its header and the hash of its last event.

use event::{ChainHash, MatchId, Seq};
use uuid::Uuid;

use super::{KeyName, SignedNote, Signer};
use crate::hash_from_hex;
use crate::hex::hex;

/// The first line of every note on a log. It keeps a note made for another purpose from passing as one.
const PURPOSE: &str = "matchbook log head v1";

/// The contents of a signed head: a log up to one of its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedHead {
    /// Name of the service, which is also its key's.
    pub service: KeyName,
    /// The match.
    pub match_id: MatchId,
    /// Id of the game.
    pub game: String,
    /// Rules version that the match is pinned to.
    pub rules_version: u32,
    /// Number of the last event that is covered.
    pub seq: Seq,
    /// Hash of that event.
    pub hash: ChainHash,
}

impl SignedHead {
    /// Formats the text that is signed.
    pub fn text(&self) -> String {
        let Self { service, match_id, game, rules_version, seq, hash } = self;
        let hash = hex(hash);
        format!(
            "{PURPOSE}\nservice {service}\nmatch {match_id}\ngame {game}\n\
             rules {rules_version}\nseq {seq}\nhash {hash}\n"
        )
    }

    /// Signs the head.
    pub fn sign(&self, signer: &Signer) -> SignedNote {
        SignedNote::sign(self.text(), signer)
    }

    /// Parses a note. Returns `None` if it is not a note on a log. Does not check signatures.
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
        // Each content has exactly one spelling.
        (head.text() == note.text()).then_some(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_survives_the_round_trip_through_its_note() {
        let head = SignedHead {
            service: "play.example".parse().unwrap(),
            match_id: MatchId(Uuid::from_u128(7)),
            game: "ace-exorcist".to_owned(),
            rules_version: 1,
            seq: Seq(12),
            hash: [0xab; 32],
        };
        let note = head.sign(&Signer::new(head.service.clone(), &[1; 32]));
        assert_eq!(SignedHead::of(&note), Some(head.clone()));
        let padded = SignedNote::sign(head.text() + "more\n", &Signer::new(head.service.clone(), &[1; 32]));
        assert_eq!(SignedHead::of(&padded), None);
    }
}
