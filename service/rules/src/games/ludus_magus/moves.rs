//! The moves and their notation: `a2-a3`, `a2xa3-b3`, `swap`, `aer@d2`, `3,1>d2`.

use alloc::format;
use alloc::string::String;

use super::board::piece::Kind;
use super::board::place::Place;
use crate::BadNotation;

/// An action. Actions with the same result are one move (LM-50), so a move names the way between its ends
/// only where it makes a difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A step, or a movement of Aer, Aqua or Ignis, with or without a capture at its end (LM-10 to LM-13,
    /// LM-17, LM-18).
    Go {
        /// The piece's place.
        from: Place,
        /// Its destination.
        to: Place,
    },
    /// A movement of Terra: a capture, then a step (LM-14).
    Terra {
        /// The piece's place.
        from: Place,
        /// The captured piece's place.
        victim: Place,
        /// The capturer's destination.
        to: Place,
    },
    /// Magus and Famulus exchange places (LM-19).
    Swap,
    /// A new Element appears next to the Magus (LM-31).
    Conjure {
        /// The Element's kind.
        kind: Kind,
        /// Its place.
        to: Place,
    },
    /// An Element moves to the Magus's plane (LM-32).
    Summon {
        /// The Element's place.
        from: Place,
        /// Its destination, next to the Magus.
        to: Place,
    },
    /// A client's message that names a kind or a place that does not exist. Never legal (G-2).
    Malformed,
}

const MALFORMED: &str = "?";
const SWAP: &str = "swap";

pub(super) fn print(mv: Move) -> String {
    match mv {
        Move::Go { from, to } => format!("{from}-{to}"),
        Move::Terra { from, victim, to } => format!("{from}x{victim}-{to}"),
        Move::Swap => String::from(SWAP),
        Move::Conjure { kind, to } => format!("{}@{to}", kind.word()),
        Move::Summon { from, to } => format!("{from}>{to}"),
        Move::Malformed => String::from(MALFORMED),
    }
}

pub(super) fn parse(text: &str) -> Result<Move, BadNotation> {
    read(text).ok_or_else(|| {
        BadNotation::new(
            "write a move in lower case without blanks, like one of these examples: a2-a3, 1,1-1,2, \
             a2xa3-b3, swap, aer@d2, 3,1>d2",
        )
    })
}

fn read(text: &str) -> Option<Move> {
    match text {
        SWAP => return Some(Move::Swap),
        MALFORMED => return Some(Move::Malformed),
        _ => {}
    }
    if let Some((kind, to)) = text.split_once('@') {
        return Some(Move::Conjure { kind: Kind::of_word(kind)?, to: Place::parse(to)? });
    }
    if let Some((from, to)) = text.split_once('>') {
        return Some(Move::Summon { from: Place::parse(from)?, to: Place::parse(to)? });
    }
    let (from, to) = text.split_once('-')?;
    let to = Place::parse(to)?;
    match from.split_once('x') {
        Some((from, victim)) => {
            Some(Move::Terra { from: Place::parse(from)?, victim: Place::parse(victim)?, to })
        }
        None => Some(Move::Go { from: Place::parse(from)?, to }),
    }
}
