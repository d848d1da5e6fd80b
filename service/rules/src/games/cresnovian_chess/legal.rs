//! Who is to act, what is legal (G-2), and which moves are listed (CC-80).

use alloc::vec::Vec;

use super::actions::abilities::{self, Scene};
use super::actions::perform::{self, PerformanceKind};
use super::actions::{document, travel};
use super::field::square::Kingdom;
use super::moves::{Flaw, Move, Performance};
use super::state::{Playing, Stage, State};
use super::violation::{Violation, require};
use super::{ending, field};
use crate::{Illegal, Listing, Side, Sides};

/// Returns the seat whose placement, choice or turn it is; none once the match is over.
pub(super) fn to_act(state: &State) -> Sides {
    if ending::is_over(state) { Sides::NONE } else { Sides::only(seat_in(&state.stage)) }
}

fn seat_in(stage: &Stage) -> Side {
    match stage {
        Stage::Placing => Side::Zero,
        Stage::Choosing(_) => Side::One,
        Stage::Playing(playing) => playing.seat(),
    }
}

/// Applies the first two tests of G-2.
pub(super) fn check_to_act(state: &State, seat: Side) -> Result<(), Illegal> {
    if ending::is_over(state) {
        return Err(Illegal::match_over());
    }
    if seat_in(&state.stage) != seat {
        return Err(Illegal::not_to_act("it is the other player's turn"));
    }
    Ok(())
}

/// Applies the remaining tests of G-2: well formed, of a kind that is allowed now, and the move's own
/// paragraphs.
pub(super) fn check_move(state: &State, seat: Side, mv: &Move) -> Result<(), Illegal> {
    check_form(mv)?;
    match (&state.stage, mv) {
        (Stage::Placing, Move::Place(squares)) => {
            let taken: super::field::square::SquareSet = squares.iter().copied().collect();
            let text = "place the pieces on the nine foundation squares, one on each";
            require(taken == field::foundation(), "CC-10", text)?;
        }
        (Stage::Placing, _) => return Err(Violation::of("CC-10", "the pieces must be placed first").into()),
        (Stage::Choosing(_), Move::Choose(_)) => {}
        (Stage::Choosing(_), _) => {
            return Err(Violation::of("CC-11", "a kingdom must be chosen first").into());
        }
        (Stage::Playing(playing), mv) => check_turn(playing, seat, mv)?,
    }
    Ok(())
}

fn check_form(mv: &Move) -> Result<(), Illegal> {
    let flaw = match mv {
        Move::Malformed(flaw) => *flaw,
        Move::Perform(Performance::Elite(super::moves::Elite::FlockTogether(flock)))
            if flock.members().windows(2).any(|pair| pair[0] == pair[1]) =>
        {
            Flaw::Parts
        }
        _ => return Ok(()),
    };
    Err(Illegal::malformed(match flaw {
        Flaw::Kind => "there is no such kind of move",
        Flaw::Piece => "there is no such piece",
        Flaw::Square => "there is no such square: rows are 1 to 3, columns 1 to 9",
        Flaw::Place => "there is no such direction or kingdom",
        Flaw::Parts => "a part of the move is missing or given twice",
    }))
}

fn check_turn(playing: &Playing, seat: Side, mv: &Move) -> Result<(), Violation> {
    match mv {
        Move::Travel { piece, to } => travel::check(playing, *piece, *to),
        Move::Perform(performance) => perform::check(playing, seat, performance),
        Move::Document(words) => document::check(playing, words),
        Move::Pass => require(must_pass(playing, seat), "CC-72", "a pass is legal only when nothing else is"),
        Move::Place(_) | Move::Choose(_) | Move::Malformed(_) => {
            Err(Violation::of("CC-13", "a turn is one travel, one performance or one document"))
        }
    }
}

/// Returns whether the seat has no legal travel, performance or document (CC-72).
pub(super) fn must_pass(playing: &Playing, seat: Side) -> bool {
    document::check_kind(playing).is_err()
        && travel::travelers(playing).is_empty()
        && perform::available(playing, seat).next().is_none()
}

/// Lists travels, then performances, each by piece; or a pass.
pub(super) fn listing(state: &State, seat: Side) -> Listing<Move> {
    if !to_act(state).contains(seat) {
        return Listing::complete(Vec::new());
    }
    match &state.stage {
        Stage::Placing => Listing { moves: Vec::new(), unlisted_families: ["placement"].into() },
        Stage::Choosing(_) => Listing::complete(Kingdom::ALL.map(Move::Choose).into()),
        Stage::Playing(playing) => list_turns(playing, seat),
    }
}

fn list_turns(playing: &Playing, seat: Side) -> Listing<Move> {
    let mut moves = Vec::with_capacity(256);
    for piece in travel::travelers(playing).iter() {
        moves.extend(travel::destinations(playing, piece).iter().map(|to| Move::Travel { piece, to }));
    }
    let mut families = Vec::new();
    for (performer, kind) in perform::available(playing, seat) {
        list_performances(Scene { playing, seat, performer }, kind, &mut moves, &mut families);
    }
    if document::check_kind(playing).is_ok() {
        families.push("document");
    }
    families.sort_unstable();
    families.dedup();
    if moves.is_empty() && families.is_empty() {
        moves.push(Move::Pass);
    }
    Listing { moves, unlisted_families: families }
}

fn list_performances(
    scene: Scene<'_>,
    kind: PerformanceKind,
    moves: &mut Vec<Move>,
    families: &mut Vec<&'static str>,
) {
    use super::field::umbration::Umbration;
    let mut add = |performance| moves.push(Move::Perform(performance));
    match kind {
        PerformanceKind::Repair => add(Performance::Repair(scene.performer)),
        PerformanceKind::Basic if scene.performer == Umbration::Caprice => {
            for whose in abilities::dancers(scene).iter() {
                abilities::list_basic(scene, whose, &mut |basic| add(Performance::Dance(basic)));
                families.extend(abilities::unlisted_basic(scene, whose));
            }
        }
        PerformanceKind::Basic => {
            abilities::list_basic(scene, scene.performer, &mut |basic| add(Performance::Basic(basic)));
            families.extend(abilities::unlisted_basic(scene, scene.performer));
        }
        PerformanceKind::Elite => {
            abilities::list_elite(scene, &mut |elite| add(Performance::Elite(elite)));
            families.extend(abilities::unlisted_elite(scene));
        }
    }
}
