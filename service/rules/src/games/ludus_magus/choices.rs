//! Building a move by answers: a piece or an art of the Magus first, then its targets. Each move has one
//! path.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::board::Board;
use super::board::piece::Kind;
use super::board::place::Place;
use super::moves::Move;
use super::state::State;
use super::{check, legal};
use crate::{BadAnswer, Choice, Illegal, Question, QuestionKind, Side, Step, ValueType};

const SWAP: &str = "swap";
const CONJURE: &str = "conjure";
const SUMMON: &str = "summon";
/// Prefix of a victim's place in a movement of Terra.
const CAPTURE: char = 'x';

/// The parts of a move that the answers so far determine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Start,
    Piece(Place),
    Terra(Place, Place),
    Conjure(Option<Kind>),
    Summon(Option<Place>),
    Done(Move),
}

/// Returns the next question on this path, or the finished move; see [`Step`].
pub(super) fn choices(state: &State, seat: Side, path: &[String]) -> Result<Step<Move>, BadAnswer> {
    legal::check_to_act(state, seat).map_err(|illegal| BadAnswer { index: 0, illegal })?;
    let moves = legal::listing(state, seat).moves;
    let mut stage = Stage::Start;
    for (index, answer) in path.iter().enumerate() {
        let next = follow(stage, answer).and_then(|next| is_offered(state, &moves, next).map(|()| next));
        stage = next.map_err(|illegal| BadAnswer { index, illegal })?;
    }
    Ok(match stage {
        Stage::Done(mv) => Step::Done(mv),
        asking => Step::Ask(question(asking, &moves, &state.position().board)),
    })
}

/// Returns the stage after one more answer, offered or not.
fn follow(stage: Stage, answer: &str) -> Result<Stage, Illegal> {
    let place = |text| {
        Place::parse(text)
            .ok_or_else(|| Illegal::malformed("this answer is not offered; pick one of the choices"))
    };
    Ok(match stage {
        Stage::Start => match answer {
            SWAP => Stage::Done(Move::Swap),
            CONJURE => Stage::Conjure(None),
            SUMMON => Stage::Summon(None),
            from => Stage::Piece(place(from)?),
        },
        Stage::Piece(from) => match answer.strip_prefix(CAPTURE) {
            Some(victim) => Stage::Terra(from, place(victim)?),
            None => Stage::Done(Move::Go { from, to: place(answer)? }),
        },
        Stage::Terra(from, victim) => Stage::Done(Move::Terra { from, victim, to: place(answer)? }),
        Stage::Conjure(None) => {
            let kind = Kind::of_word(answer);
            Stage::Conjure(Some(kind.ok_or_else(|| Illegal::malformed("there is no such kind of piece"))?))
        }
        Stage::Conjure(Some(kind)) => Stage::Done(Move::Conjure { kind, to: place(answer)? }),
        Stage::Summon(None) => Stage::Summon(Some(place(answer)?)),
        Stage::Summon(Some(from)) => Stage::Done(Move::Summon { from, to: place(answer)? }),
        Stage::Done(_) => {
            return Err(Illegal::malformed("the move is already finished; leave out this answer"));
        }
    })
}

/// Returns whether more answers can complete the stage to this move.
fn leads_to(stage: Stage, mv: Move) -> bool {
    match stage {
        Stage::Start => true,
        Stage::Piece(place) => match mv {
            Move::Go { from, .. } | Move::Terra { from, .. } => from == place,
            Move::Swap | Move::Conjure { .. } | Move::Summon { .. } | Move::Malformed => false,
        },
        Stage::Terra(start, place) => {
            matches!(mv, Move::Terra { from, victim, .. } if (from, victim) == (start, place))
        }
        Stage::Conjure(wanted) => {
            matches!(mv, Move::Conjure { kind, .. } if wanted.is_none_or(|wanted| wanted == kind))
        }
        Stage::Summon(wanted) => {
            matches!(mv, Move::Summon { from, .. } if wanted.is_none_or(|wanted| wanted == from))
        }
        Stage::Done(finished) => finished == mv,
    }
}

/// Rejects a stage from which no legal move can be reached.
fn is_offered(state: &State, moves: &[Move], stage: Stage) -> Result<(), Illegal> {
    if moves.iter().any(|&mv| leads_to(stage, mv)) {
        return Ok(());
    }
    match stage {
        // The move is complete, so `check` knows the paragraph that forbids it.
        Stage::Done(mv) => check::check(state.position(), mv),
        _ => Err(Illegal::malformed("this answer is not offered: no legal move continues from it")),
    }
}

fn question(stage: Stage, moves: &[Move], board: &Board) -> Question {
    let mut choices: Vec<Choice> = Vec::new();
    for &mv in moves.iter().filter(|&&mv| leads_to(stage, mv)) {
        let choice = choice(stage, mv, board);
        if choices.iter().all(|other| other.value != choice.value) {
            choices.push(choice);
        }
    }
    let prompt = match stage {
        Stage::Start => "Choose a piece to move, or an art of your Magus.",
        Stage::Piece(_) => "Where to?",
        Stage::Terra(..) => "Where does it go after the capture?",
        Stage::Conjure(None) => "Which Element do you conjure?",
        Stage::Summon(None) => "Which Element do you summon?",
        Stage::Conjure(Some(_)) | Stage::Summon(Some(_)) | Stage::Done(_) => {
            "To which place next to your Magus?"
        }
    };
    Question { prompt: String::from(prompt), kind: QuestionKind::OneOf(choices) }
}

/// Returns the next answer on the way from the stage to the move.
fn choice(stage: Stage, mv: Move, board: &Board) -> Choice {
    let named = |place: Place| match board.at(place) {
        Some(piece) => format!("{} on {place}", piece.kind.name()),
        None => format!("{place}"),
    };
    let square = |place: Place, label| Choice { value: place.print(), label, value_type: ValueType::Square };
    let piece =
        |place: Place| Choice { value: place.print(), label: named(place), value_type: ValueType::Piece };
    let kind = |value: &str, label: &str| Choice {
        value: String::from(value),
        label: String::from(label),
        value_type: ValueType::Kind,
    };
    match (stage, mv) {
        (Stage::Start, Move::Go { from, .. } | Move::Terra { from, .. })
        | (Stage::Summon(None), Move::Summon { from, .. }) => piece(from),
        (Stage::Start, Move::Conjure { .. }) => kind(CONJURE, "Conjure an Element for 1 mana"),
        (Stage::Start, Move::Summon { .. }) => kind(SUMMON, "Summon an Element to the Magus's plane"),
        (Stage::Conjure(None), Move::Conjure { kind: element, .. }) => kind(element.word(), element.name()),
        (Stage::Piece(_), Move::Terra { victim, .. }) => Choice {
            value: format!("{CAPTURE}{victim}"),
            label: format!("capture the {} and move on", named(victim)),
            value_type: ValueType::Square,
        },
        (_, Move::Go { to, .. }) if !board.is_vacant(to) => square(to, format!("capture the {}", named(to))),
        (
            _,
            Move::Go { to, .. } | Move::Terra { to, .. } | Move::Conjure { to, .. } | Move::Summon { to, .. },
        ) => square(to, to.print()),
        // A malformed move is never listed.
        (_, Move::Swap | Move::Malformed) => kind(SWAP, "Swap Magus and Famulus"),
    }
}
