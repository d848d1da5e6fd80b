//! Matches of the greedy bot against random moves, played on the rules alone. `MATCHBOOK_BOT_MATCHES=200`
//! plays more of them; the scores are printed.

use std::env;

use bots::{Knowledge, choose};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use replay::{move_from_wire, move_to_wire, view_to_wire};
use rules::{Dice, GameId, Move, Options, Seed, Side, State, Viewer};

/// Results of some matches from the greedy bot's side.
#[derive(Debug, Default)]
struct Score {
    won: u32,
    lost: u32,
    drawn: u32,
    moves: u32,
}

#[test]
fn greedy_beats_random_at_ace_exorcist() {
    beats_random(GameId::AceExorcist, 30);
}

#[test]
fn greedy_beats_random_at_angels_and_demons() {
    beats_random(GameId::AngelsAndDemons, 20);
}

#[test]
fn greedy_beats_random_at_cresnovian_chess() {
    beats_random(GameId::CresnovianChess, 6);
}

#[test]
fn greedy_beats_random_at_ludus_magus() {
    beats_random(GameId::LudusMagus, 4);
}

#[test]
fn no_move_is_chosen_where_none_can_be_evaluated() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let state = State::setup(&Options::default_of(GameId::LudusMagus), &Seed::new([0; 32])).unwrap();
    let view = view_to_wire(&state.view(Viewer::Seat(Side::Zero)));
    let moves: Vec<_> = state.legal(Side::Zero).moves.iter().map(move_to_wire).collect();
    // The view alone lacks the earlier positions that the rules depend on.
    assert_eq!(choose(Knowledge::Partial { view: &view, moves: &moves }, Side::Zero, &mut rng), None);
    assert_eq!(
        choose(Knowledge::Partial { view: &wire::v1::GameView::default(), moves: &[] }, Side::Zero, &mut rng),
        None
    );
    assert_eq!(choose(Knowledge::Complete(&state), Side::One, &mut rng), None);
}

/// Asserts that greedy wins more than two thirds of the matches, from each seat.
#[track_caller]
fn beats_random(game: GameId, matches: u32) {
    let matches =
        env::var("MATCHBOOK_BOT_MATCHES").ok().and_then(|count| count.parse().ok()).unwrap_or(matches);
    for seat in Side::ALL {
        let mut score = Score::default();
        for number in 0..matches {
            play_out(game, seat, number, &mut score);
        }
        println!("{game}, greedy in seat {}: {score:?}", seat.index());
        assert!(3 * score.won > 2 * matches, "{game}, seat {}: {score:?}", seat.index());
    }
}

fn play_out(game: GameId, greedy: Side, number: u32, score: &mut Score) {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    let seed = Seed::new(bytes);
    let mut dice = Dice::with_nonce_end(&seed, 77);
    let mut rng = ChaCha8Rng::from_seed(bytes);
    let mut state = State::setup(&Options::default_of(game), &seed).expect("default options are valid");
    loop {
        if let Some(played) = state.reveal() {
            state = played.state;
        }
        let Some(seat) = state.to_act().iter().next() else { break };
        let made = if seat == greedy { chosen(&state, seat, &mut rng) } else { None };
        let made = made.or_else(|| state.sample(seat, &mut dice)).expect("a seat to act has a move");
        state = state.play(seat, &made).expect("the move is legal").state;
        score.moves += 1;
    }
    match state.ending().expect("nobody is to act").winner {
        None => score.drawn += 1,
        Some(winner) if winner == greedy => score.won += 1,
        Some(_) => score.lost += 1,
    }
}

/// Returns the bot's move, from what its seat may see.
fn chosen(state: &State, seat: Side, rng: &mut ChaCha8Rng) -> Option<Move> {
    let made = match state {
        State::LudusMagus(_) | State::CresnovianChess(_) => choose(Knowledge::Complete(state), seat, rng),
        State::AceExorcist(_) | State::AngelsAndDemons(_) | State::Other(_) => {
            let view = view_to_wire(&state.view(Viewer::Seat(seat)));
            let moves: Vec<_> = state.legal(seat).moves.iter().map(move_to_wire).collect();
            choose(Knowledge::Partial { view: &view, moves: &moves }, seat, rng)
        }
    };
    made.map(|made| move_from_wire(&made).expect("a chosen move decodes"))
}
