//! Sticky Cresnovian Chess against a referee: a second, literal reading of the paragraphs that shares no code
//! with the rules. In positions of random play both judge every candidate move and carry out every legal one.

mod board;
mod candidates;
mod effect;
mod legality;
mod listing_and_choices;

use std::collections::BTreeSet;

use rules::games::cresnovian_chess::{CresnovianChess, Deed, Move, Options, Reason, State, View};
use rules::{Dice, Ending, Game, Seed, Side, Viewer};

use board::Board;
use candidates::candidates;
use legality::{Turn, is_rewind};

fn view(state: &State) -> View {
    CresnovianChess::view(state, Viewer::Spectator)
}

fn turn(state: &State, seat: Side, moves: &[(Move, Board)]) -> Turn {
    let kingdoms = view(state).kingdoms.expect("kingdoms are chosen");
    let last_but_one = moves.len().checked_sub(2).map(|nth| moves[nth].0.clone());
    let board = Board::of(&view(state).field);
    Turn { board, kingdom: kingdoms[seat], last: moves.last().cloned(), last_but_one }
}

const MATCHES: u8 = 24;
/// One turn in this many is checked, to save time.
const STRIDE: usize = 32;

/// Calls `check` for some turns of random matches.
fn every_turn(mut check: impl FnMut(&State, Side, &Turn, &mut Dice)) {
    for number in 0..MATCHES {
        let seed = Seed::new([number; 32]);
        let mut dice = Dice::new(&seed);
        let mut state = CresnovianChess::setup(&Options::default(), &seed).expect("the default is in range");
        let mut moves = Vec::new();
        while let Some(seat) = CresnovianChess::to_act(&state).iter().next() {
            let mv = CresnovianChess::sample(&state, seat, &mut dice).expect("a seat to act has a move");
            if view(&state).kingdoms.is_some() {
                let turn = turn(&state, seat, &moves);
                if moves.len() % STRIDE == usize::from(number) % STRIDE {
                    check(&state, seat, &turn, &mut dice);
                }
                moves.push((mv.clone(), turn.board));
            }
            state = CresnovianChess::play(&state, seat, &mv).expect("a sampled move is legal").state;
        }
    }
}

/// Returns how the match ends after a turn (CC-70, CC-71).
fn ending(board: &Board, seat: Side, turn: &Turn, view: &View) -> Option<Ending<Reason>> {
    let total = |is_there: &dyn Fn((i64, i64)) -> bool| -> u32 {
        board.pieces.values().filter(|standing| is_there(standing.at)).map(|standing| standing.q).sum()
    };
    let own = total(&|at| turn.is_own(at));
    let other = total(&|at| !turn.is_own(at) && !board::is_in_world(at));
    let (winner, reason) = match (own, other) {
        (0, 0) => (None, Reason::BothKingdomsLost),
        (0, _) => (Some(seat.other()), Reason::KingdomLost),
        (_, 0) => (Some(seat), Reason::KingdomLost),
        _ if view.turns_taken == view.max_turns => (None, Reason::MaxTurns),
        _ => return None,
    };
    Some(Ending { winner, reason })
}

fn deed(mv: &Move) -> Deed {
    match mv {
        Move::Travel { piece, .. } => Deed::Travel(*piece),
        Move::Perform(performance) => Deed::Perform(performance.performer()),
        Move::Document(_) => Deed::Document,
        Move::Pass | Move::Place(_) | Move::Choose(_) | Move::Malformed(_) => Deed::Pass,
    }
}

/// Asserts that the state after the move shows what the referee expects.
fn check_effect(state: &State, seat: Side, turn: &Turn, mv: &Move) {
    let played = CresnovianChess::play(state, seat, mv).expect("both allow it").state;
    let (before, after) = (view(state), view(&played));
    let board = Board::of(&after.field);
    assert_eq!(board, turn.after(mv), "{}", CresnovianChess::print_move(mv));
    assert_eq!(CresnovianChess::ending(&played), ending(&board, seat, turn, &after));
    assert_eq!(after.turns_taken, before.turns_taken + 1);
    let undone = turn.last.as_ref().filter(|_| is_rewind(mv)).map(|(last, _)| deed(last));
    assert_eq!(after.forbidden, undone.filter(|&undone| undone != Deed::Pass));
    let undo = after.undo.expect("a turn was taken");
    assert_eq!((undo.deed, undo.field), (deed(mv), before.field));
}

#[test]
fn the_rules_and_the_referee_agree() {
    let mut kinds = BTreeSet::new();
    every_turn(|state, seat, turn, dice| {
        let mut legal = BTreeSet::new();
        for mv in candidates(turn, dice) {
            let is_legal = CresnovianChess::play(state, seat, &mv).is_ok();
            let text = CresnovianChess::print_move(&mv);
            assert_eq!(is_legal, turn.allows(&mv), "{text} by {seat:?} on {:?}", turn.board);
            if is_legal {
                check_effect(state, seat, turn, &mv);
                kinds.extend(text.split(' ').next().map(str::to_string));
                legal.insert(mv);
            }
        }
        let may_pass = CresnovianChess::play(state, seat, &Move::Pass).is_ok();
        assert_eq!(may_pass, legal.is_empty(), "CC-72");
        legal.extend(may_pass.then_some(Move::Pass));
        listing_and_choices::check_listing(state, seat, turn, &legal);
        listing_and_choices::check_choices(state, seat, turn, &legal);
    });
    // Moves of every kind were legal somewhere: travel, document, repair, dance, nine basic and nine elite
    // ones.
    assert_eq!(kinds.len(), 4 + 9 + 9, "{kinds:?}");
}
