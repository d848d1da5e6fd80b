//! Plays a move: the placement, the choice of a kingdom, or a whole turn with its end.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::actions::{document, perform, travel};
use super::effects::Effects;
use super::facts::Fact;
use super::field::Field;
use super::field::poem::PoemChange;
use super::field::square::{Kingdom, Square};
use super::field::umbration::Umbration;
use super::legal;
use super::moves::Move;
use super::state::{Deed, Playing, Stage, State};
use crate::{BySide, Illegal, Played, Side};

pub(super) fn play(state: &State, seat: Side, mv: &Move) -> Result<Played<State, Fact>, Illegal> {
    legal::check_to_act(state, seat)?;
    legal::check_move(state, seat, mv)?;
    let (stage, facts) = match (&state.stage, mv) {
        (Stage::Placing, Move::Place(squares)) => place(squares),
        (Stage::Choosing(field), Move::Choose(kingdom)) => choose(field, *kingdom),
        (Stage::Playing(playing), mv) => {
            let (playing, facts) = take_turn(playing, seat, mv);
            (Stage::Playing(playing), facts)
        }
        // `check_move` has rejected everything else.
        (Stage::Placing | Stage::Choosing(_), _) => return Err(Illegal::malformed("not now")),
    };
    Ok(Played { state: State { stage, ..*state }, facts })
}

fn place(squares: &[Square; 9]) -> (Stage, Vec<Fact>) {
    let pairs = Umbration::ALL.into_iter().zip(squares);
    let facts = pairs.map(|(piece, &square)| Fact::Placed { piece, square }).collect();
    (Stage::Choosing(Arc::new(Field::founded(squares))), facts)
}

/// Gives Player Two the chosen kingdom and Player One the other (CC-11).
fn choose(field: &Arc<Field>, kingdom: Kingdom) -> (Stage, Vec<Fact>) {
    let playing = Playing::started(BySide::new(kingdom.other(), kingdom), Arc::clone(field));
    (Stage::Playing(playing), vec![Fact::KingdomChosen { kingdom }])
}

/// Takes a legal turn. A ban ends with the turn to which it applies, and a new one lasts one turn (CC-46).
fn take_turn(playing: &Playing, seat: Side, mv: &Move) -> (Playing, Vec<Fact>) {
    let mut effects = Effects::of(Field::clone(&playing.field));
    let mut forbidden = None;
    let deed = match mv {
        Move::Travel { piece, to } => {
            travel::travel(playing, seat, *piece, *to, &mut effects);
            Deed::Travel(*piece)
        }
        Move::Perform(performance) => {
            let undone = perform::perform(playing, seat, performance, &mut effects);
            // An undone pass forbids nothing.
            forbidden = undone.filter(|&undone| undone != Deed::Pass);
            Deed::Perform(performance.performer())
        }
        Move::Document(words) => {
            document::write(playing, seat, words, &mut effects);
            Deed::Document
        }
        // `check_move` lets only a pass through here.
        Move::Pass | Move::Place(_) | Move::Choose(_) | Move::Malformed(_) => {
            effects.facts.push(Fact::Passed { seat });
            Deed::Pass
        }
    };
    let Effects { field, mut facts } = effects;
    let after = playing.after_turn(deed, field, poem_changes(&facts), forbidden);
    facts.push(Fact::TurnTaken {
        turn: after.turns_taken,
        deed,
        totals: after.totals(),
        locked: after.locked(),
        forbidden,
    });
    (after, facts)
}

fn poem_changes(facts: &[Fact]) -> Vec<Arc<PoemChange>> {
    let change =
        |fact: &Fact| if let Fact::PoemChanged(change) = fact { Some(Arc::clone(change)) } else { None };
    facts.iter().filter_map(change).collect()
}
