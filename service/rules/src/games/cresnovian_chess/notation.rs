//! The notation of moves: a word for the kind, then pieces by three letters, squares as `row,column`, indices
//! and words.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::field::poem::Word;
use super::field::square::{Direction, Kingdom, Square, SquareSet};
use super::field::umbration::{PieceSet, Umbration};
use super::moves::{Basic, Elite, Flock, Move, Performance, TectonicStep};
use crate::BadNotation;

pub(super) fn print(mv: &Move) -> String {
    match mv {
        Move::Place(squares) => {
            let pairs = Umbration::ALL.into_iter().zip(squares);
            listed("place", pairs.map(|(piece, square)| pair(piece, *square)))
        }
        Move::Choose(kingdom) => kingdom_word(*kingdom).to_owned(),
        Move::Travel { piece, to } => format!("travel {} {to}", piece.code()),
        Move::Perform(Performance::Basic(basic)) => print_basic(basic),
        Move::Perform(Performance::Elite(elite)) => print_elite(elite),
        Move::Perform(Performance::Dance(basic)) => format!("dance {}", print_basic(basic)),
        Move::Perform(Performance::Repair(piece)) => format!("repair {}", piece.code()),
        Move::Document(words) => listed("document", words.iter().map(|word| word.as_str().to_owned())),
        Move::Pass => "pass".to_owned(),
        // It cannot be parsed back, because it is no move.
        Move::Malformed(_) => "?".to_owned(),
    }
}

fn print_basic(basic: &Basic) -> String {
    match basic {
        Basic::ReturnHome(piece) => format!("home {}", piece.code()),
        Basic::Cut(piece) => format!("cut {}", piece.code()),
        Basic::Breakdown(piece) => format!("breakdown {}", piece.code()),
        Basic::CriticalRewind => "rewind".to_owned(),
        Basic::Spectacle(piece, square) => format!("spectacle {}", pair(*piece, *square)),
        Basic::BuildMonument(umbration, square) => format!("build {}", pair(*umbration, *square)),
        Basic::DestroyMonuments(squares) => {
            listed("destroy", squares.iter().map(|square| square.to_string()))
        }
        Basic::Energize(piece, amount) => format!("energize {} {amount}", piece.code()),
        Basic::Propaganda(pieces) => listed("propaganda", pieces.iter().map(|piece| piece.code().to_owned())),
    }
}

fn print_elite(elite: &Elite) -> String {
    match elite {
        Elite::PerfectEternal(piece) => format!("eternal {}", piece.code()),
        Elite::FlockTogether(flock) => {
            listed("flock", flock.members().iter().map(|(piece, square)| pair(*piece, *square)))
        }
        Elite::Redefinition { take, put_back: Some(put_back), square } => {
            format!("redefine {take} {square} {put_back}")
        }
        Elite::Redefinition { take, put_back: None, square } => format!("redefine {take} {square}"),
        Elite::Teleport { from, to } => format!("teleport {from} {to}"),
        Elite::UltraviolentRay => "ray".to_owned(),
        Elite::TectonicFailure(steps) => {
            listed("tectonic", steps.iter().map(|step| format!("{}{}", step.from, step.direction.code())))
        }
        Elite::SelectTheFit => "fit".to_owned(),
        Elite::GoBerserk(piece, square) => format!("berserk {}", pair(*piece, *square)),
        Elite::SumOfAllKnowledge => "knowledge".to_owned(),
    }
}

fn pair(piece: Umbration, square: Square) -> String {
    format!("{}@{square}", piece.code())
}

fn listed(kind: &str, parts: impl Iterator<Item = String>) -> String {
    parts.fold(kind.to_owned(), |text, part| text + " " + &part)
}

pub(super) const fn kingdom_word(kingdom: Kingdom) -> &'static str {
    match kingdom {
        Kingdom::Left => "left",
        Kingdom::Right => "right",
    }
}

/// Parses a move leniently, then accepts it only if it prints as exactly this text, so that each move has one
/// notation.
pub(super) fn parse(text: &str) -> Result<Move, BadNotation> {
    let (kind, rest) = text.split_once(' ').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
    let parts: Vec<&str> = rest.into_iter().flat_map(|rest| rest.split(' ')).collect();
    let read = read(kind, &parts).filter(|mv| print(mv) == text);
    read.ok_or_else(|| {
        let text = "write a move like one of these examples, with sets in the order of the rules page: \
                    travel inn 1,7; home ess; build cap@1,2; redefine 4 2,5; tectonic 1,1r 2,3ul; \
                    dance cut vel; left";
        BadNotation::new(text)
    })
}

fn read(kind: &str, parts: &[&str]) -> Option<Move> {
    let mv = match (kind, parts) {
        ("place", pairs) => Move::Place(placed(pairs)?),
        ("left", []) => Move::Choose(Kingdom::Left),
        ("right", []) => Move::Choose(Kingdom::Right),
        ("travel", [piece, to]) => Move::Travel { piece: umbration(piece)?, to: square(to)? },
        ("repair", [piece]) => Move::Perform(Performance::Repair(umbration(piece)?)),
        ("dance", [kind, parts @ ..]) => Move::Perform(Performance::Dance(read_basic(kind, parts)?)),
        ("document", words) => Move::Document(words.iter().map(|word| Word::new(word)).collect()),
        ("pass", []) => Move::Pass,
        _ => Move::Perform(match read_basic(kind, parts) {
            Some(basic) => Performance::Basic(basic),
            None => Performance::Elite(read_elite(kind, parts)?),
        }),
    };
    Some(mv)
}

fn read_basic(kind: &str, parts: &[&str]) -> Option<Basic> {
    let basic = match (kind, parts) {
        ("home", [piece]) => Basic::ReturnHome(umbration(piece)?),
        ("cut", [piece]) => Basic::Cut(umbration(piece)?),
        ("breakdown", [piece]) => Basic::Breakdown(umbration(piece)?),
        ("rewind", []) => Basic::CriticalRewind,
        ("spectacle", [pair]) => read_pair(pair).map(|(piece, square)| Basic::Spectacle(piece, square))?,
        ("build", [pair]) => read_pair(pair).map(|(piece, square)| Basic::BuildMonument(piece, square))?,
        ("destroy", squares) => {
            let squares: Option<SquareSet> = squares.iter().map(|text| square(text)).collect();
            Basic::DestroyMonuments(squares?)
        }
        ("energize", [piece, amount]) => Basic::Energize(umbration(piece)?, amount.parse().ok()?),
        ("propaganda", pieces) => {
            let pieces: Option<PieceSet> = pieces.iter().map(|text| umbration(text)).collect();
            Basic::Propaganda(pieces?)
        }
        _ => return None,
    };
    Some(basic)
}

fn read_elite(kind: &str, parts: &[&str]) -> Option<Elite> {
    let elite = match (kind, parts) {
        ("eternal", [piece]) => Elite::PerfectEternal(umbration(piece)?),
        ("flock", pairs) => {
            let members: Option<Vec<_>> = pairs.iter().map(|pair| read_pair(pair)).collect();
            Elite::FlockTogether(Flock::new(members?))
        }
        ("redefine", [take, to]) => {
            Elite::Redefinition { take: take.parse().ok()?, put_back: None, square: square(to)? }
        }
        ("redefine", [take, to, put_back]) => {
            let put_back = Some(put_back.parse().ok()?);
            Elite::Redefinition { take: take.parse().ok()?, put_back, square: square(to)? }
        }
        ("teleport", [from, to]) => Elite::Teleport { from: square(from)?, to: square(to)? },
        ("ray", []) => Elite::UltraviolentRay,
        ("tectonic", steps) => {
            let steps: Option<Vec<TectonicStep>> = steps.iter().map(|text| step(text)).collect();
            Elite::TectonicFailure(steps?)
        }
        ("fit", []) => Elite::SelectTheFit,
        ("berserk", [pair]) => read_pair(pair).map(|(piece, square)| Elite::GoBerserk(piece, square))?,
        ("knowledge", []) => Elite::SumOfAllKnowledge,
        _ => return None,
    };
    Some(elite)
}

fn placed(pairs: &[&str]) -> Option<[Square; 9]> {
    let squares: Option<Vec<Square>> =
        pairs.iter().map(|pair| read_pair(pair).map(|(_, square)| square)).collect();
    squares?.try_into().ok()
}

fn read_pair(text: &str) -> Option<(Umbration, Square)> {
    let (piece, to) = text.split_once('@')?;
    Some((umbration(piece)?, square(to)?))
}

/// Returns the piece with these three letters.
pub(super) fn umbration(code: &str) -> Option<Umbration> {
    Umbration::ALL.into_iter().find(|umbration| umbration.code() == code)
}

/// Returns the square at that row and column.
pub(super) fn square(text: &str) -> Option<Square> {
    let (row, col) = text.split_once(',')?;
    Square::new(row.parse().ok()?, col.parse().ok()?)
}

fn step(text: &str) -> Option<TectonicStep> {
    // A square has three characters; `get` also rejects a cut within a character.
    let (from, direction) = (square(text.get(..3)?)?, text.get(3..)?);
    Direction::ALL
        .into_iter()
        .find(|one| one.code() == direction)
        .map(|direction| TectonicStep { from, direction })
}
