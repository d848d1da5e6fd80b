//! Matches of a greedy bot against a random one, played on the rules alone. More of
//! them with `MATCHBOOK_BOT_MATCHES=200`; what came out is printed.

use std::env;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use replay::{Dice, Move, Options, Seat, Seed, State, Viewer, move_from_wire, move_to_wire, view_to_wire};
use rules::GameId;

use super::{Known, choose};

/// What came of some matches, as the greedy bot sees it.
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
fn where_nothing_can_be_judged_no_move_is_made_up() {
    let mut lots = ChaCha8Rng::seed_from_u64(1);
    let state = State::setup(&Options::default_of(GameId::LudusMagus), &Seed::new([0; 32])).unwrap();
    let view = view_to_wire(&state.view(Viewer::Seat(Seat::Zero)));
    let moves: Vec<_> = state.legal(Seat::Zero).moves.iter().map(move_to_wire).collect();
    // Without the events it is not known what has stood before.
    assert_eq!(choose(&Known::Own { view: &view, moves: &moves }, Seat::Zero, &mut lots), None);
    assert_eq!(
        choose(&Known::Own { view: &wire::v1::GameView::default(), moves: &[] }, Seat::Zero, &mut lots),
        None
    );
    assert_eq!(choose(&Known::Everything(&state), Seat::One, &mut lots), None);
}

/// Clearly more than half of the matches, from each seat.
#[track_caller]
fn beats_random(game: GameId, matches: u32) {
    let matches =
        env::var("MATCHBOOK_BOT_MATCHES").ok().and_then(|count| count.parse().ok()).unwrap_or(matches);
    for seat in Seat::ALL {
        let mut score = Score::default();
        for number in 0..matches {
            play_out(game, seat, number, &mut score);
        }
        println!("{game}, greedy in seat {}: {score:?}", seat.index());
        assert!(3 * score.won > 2 * matches, "{game}, seat {}: {score:?}", seat.index());
    }
}

fn play_out(game: GameId, greedy: Seat, number: u32, score: &mut Score) {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    let seed = Seed::new(bytes);
    let mut dice = Dice::with_nonce_end(&seed, 77);
    let mut lots = ChaCha8Rng::from_seed(bytes);
    let mut state = State::setup(&Options::default_of(game), &seed).unwrap();
    loop {
        if let Some(played) = state.reveal() {
            state = played.state;
        }
        let Some(seat) = state.to_act().iter().next() else { break };
        let made = if seat == greedy { thought(&state, seat, &mut lots) } else { None };
        let made = made.or_else(|| state.sample(seat, &mut dice)).unwrap();
        state = state.play(seat, &made).unwrap().state;
        score.moves += 1;
    }
    match state.ending().unwrap().winner {
        None => score.drawn += 1,
        Some(winner) if winner == greedy => score.won += 1,
        Some(_) => score.lost += 1,
    }
}

/// What the bot does, told what its seat may know.
fn thought(state: &State, seat: Seat, lots: &mut ChaCha8Rng) -> Option<Move> {
    let made = match state {
        State::LudusMagus(_) | State::CresnovianChess(_) => choose(&Known::Everything(state), seat, lots),
        State::AceExorcist(_) | State::AngelsAndDemons(_) => {
            let view = view_to_wire(&state.view(Viewer::Seat(seat)));
            let moves: Vec<_> = state.legal(seat).moves.iter().map(move_to_wire).collect();
            choose(&Known::Own { view: &view, moves: &moves }, seat, lots)
        }
    };
    made.map(|made| move_from_wire(&made).unwrap())
}
