//! The options of a match and the default start (LM-5, LM-45).

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use super::board::Board;
use super::board::piece::{Kind, Piece};
use super::board::place::Place;
use super::position::Position;
use super::{ending, movegen};
use crate::info::IntegerOption;
use crate::{BadOption, BySide, Illegal, OptionSpec, OptionType, Paragraph, Side};

const LM_5: Paragraph = Paragraph::new("LM-5");
const LM_45: Paragraph = Paragraph::new("LM-45");

const FIRST_SEAT: IntegerOption = IntegerOption {
    name: "first_seat",
    title: "First seat",
    default: 0,
    min: 0,
    max: 1,
    text: "The seat that takes the first turn. It must have a legal move.",
};

const MAX_TURNS: IntegerOption = IntegerOption {
    name: "max_turns",
    title: "Maximum turns",
    default: 2000,
    min: 1,
    max: 10_000,
    text: "Number of turns, by both seats, after which the match is a draw.",
};

const PIECES: OptionSpec = OptionSpec {
    name: "pieces",
    title: "Pieces",
    text: "The pieces at the start, no place twice. Each seat has exactly one Magus, at most one Codex and \
           at most one Famulus; no Magus is bound; the first seat has a legal move.",
    option_type: OptionType::Structured {
        default: "26 pieces, as on the rules page",
        message: "matchbook.games.ludus_magus.v1.Piece",
        list: true,
    },
};

const MANA: OptionSpec = OptionSpec {
    name: "mana",
    title: "Mana",
    text: "The mana of each seat at the start, 0 to 1000.",
    option_type: OptionType::Structured {
        default: "0 and 0",
        message: "matchbook.games.ludus_magus.v1.Mana",
        list: false,
    },
};

pub(super) const TABLE: [OptionSpec; 4] = [FIRST_SEAT.spec(), MAX_TURNS.spec(), PIECES, MANA];

/// Maximum mana of a seat at the start.
const MAX_MANA: u32 = 1000;

/// The options of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The pieces at the start, in any order. `None` is an entry that names a seat, kind or place that does
    /// not exist, and is always rejected.
    pub pieces: Vec<Option<Piece>>,
    /// The mana of each seat at the start.
    pub mana: BySide<u32>,
    /// The number of the seat that takes the first turn.
    pub first_seat: u32,
    /// Number of turns, by both seats, after which the match is a draw.
    pub max_turns: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            pieces: default_start().into_iter().map(Some).collect(),
            mana: BySide::new(0, 0),
            first_seat: FIRST_SEAT.default,
            max_turns: MAX_TURNS.default,
        }
    }
}

/// White's pieces in the default start.
const WHITE: [(Kind, &str); 13] = [
    (Kind::Terra, "a1"),
    (Kind::Ignis, "b1"),
    (Kind::Codex, "c1"),
    (Kind::Magus, "d1"),
    (Kind::Aqua, "e1"),
    (Kind::Aether, "f1"),
    (Kind::Aer, "g1"),
    (Kind::Aer, "1,1"),
    (Kind::Aqua, "2,1"),
    (Kind::Famulus, "3,1"),
    (Kind::Aether, "4,1"),
    (Kind::Ignis, "5,1"),
    (Kind::Terra, "6,1"),
];

/// Returns White's pieces, then Black's, which are White's turned by half a turn.
fn default_start() -> Vec<Piece> {
    let white = WHITE.map(|(kind, place)| {
        let place = Place::parse(place).expect("the table holds places only");
        Piece { seat: Side::Zero, kind, place }
    });
    let black = white.map(|piece| Piece { seat: Side::One, place: piece.place.turned(), ..piece });
    [white, black].concat()
}

impl Options {
    /// Rejects the first invalid option.
    pub(super) fn check(&self) -> Result<(), BadOption> {
        FIRST_SEAT.check(self.first_seat, LM_5)?;
        MAX_TURNS.check(self.max_turns, LM_45)?;
        if self.mana.iter().any(|(_, &mana)| mana > MAX_MANA) {
            return Err(bad(MANA.name, format!("must be 0 to {MAX_MANA} for each seat")));
        }
        self.check_pieces().map_err(|text| bad(PIECES.name, text))
    }

    fn check_pieces(&self) -> Result<(), &'static str> {
        let mut taken = BTreeSet::new();
        for piece in &self.pieces {
            let piece = piece.ok_or("each piece needs a seat, a kind and a place that exist")?;
            if !taken.insert(piece.place) {
                return Err("no place can have two pieces");
            }
        }
        for seat in Side::ALL {
            let count = |kind| {
                self.pieces.iter().flatten().filter(|piece| piece.seat == seat && piece.kind == kind).count()
            };
            if count(Kind::Magus) != 1 {
                return Err("each seat must have exactly one Magus");
            }
            if count(Kind::Codex) > 1 || count(Kind::Famulus) > 1 {
                return Err("each seat can have at most one Codex and one Famulus");
            }
        }
        let position = self.position();
        if Side::ALL.into_iter().any(|seat| ending::is_bound(&position, seat)) {
            return Err("no Magus can be bound at the start");
        }
        if !movegen::has_move(&position) {
            return Err("the first seat must have a legal move");
        }
        Ok(())
    }

    /// Returns the position that the options describe.
    pub(super) fn position(&self) -> Position {
        let mut board = Board::EMPTY;
        for piece in self.pieces.iter().flatten() {
            board.put(*piece);
        }
        let to_act = if self.first_seat == 0 { Side::Zero } else { Side::One };
        Position { board, mana: self.mana, to_act }
    }
}

fn bad(option: &'static str, text: impl Into<alloc::string::String>) -> BadOption {
    BadOption { option, illegal: Illegal::new(LM_5, text) }
}
