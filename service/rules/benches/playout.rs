//! Random playouts: whole matches from the opening to the end; each step lists or samples the legal moves of
//! a seat and plays one. Throughput is steps per second on one core; `cargo bench -p rules`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rules::games::ace_exorcist::AceExorcist;
use rules::games::angels_and_demons::AngelsAndDemons;
use rules::games::cresnovian_chess::CresnovianChess;
use rules::games::ludus_magus::LudusMagus;
use rules::{Dice, Game, GameId, Options, Seed, Side, State};

fn main() {
    divan::main();
}

const SEED: Seed = Seed::new([7; 32]);
/// Matches per run. Every run uses the same dice, so all runs do the same work.
const MATCHES: u32 = 100;

/// Plays through the game's own contract.
#[divan::bench(types = [AngelsAndDemons, AceExorcist, LudusMagus, CresnovianChess])]
fn playout<G: Game>(bencher: Bencher) {
    let opening = G::setup(&G::Options::default(), &SEED).expect("the default options are playable");
    let steps = playouts::<G>(&opening);
    bencher.counter(ItemsCount::new(steps)).bench_local(|| playouts::<G>(black_box(&opening)));
}

/// Plays with every move listed at each step, for the game that samples without listing.
#[divan::bench(types = [CresnovianChess])]
fn listed<G: Game>(bencher: Bencher) {
    let opening = G::setup(&G::Options::default(), &SEED).expect("the default options are playable");
    let steps = listed_playouts::<G>(&opening);
    bencher.counter(ItemsCount::new(steps)).bench_local(|| listed_playouts::<G>(black_box(&opening)));
}

/// Plays through the enums, as the service does.
#[divan::bench(args = GameId::ALL)]
fn dispatched(bencher: Bencher, game: GameId) {
    let opening = State::setup(&Options::default_of(game), &SEED).expect("the default options are playable");
    let steps = dispatched_playouts(&opening);
    bencher.counter(ItemsCount::new(steps)).bench_local(|| dispatched_playouts(black_box(&opening)));
}

fn playouts<G: Game>(opening: &G::State) -> u32 {
    play_matches::<G>(opening, |_, _| {})
}

fn listed_playouts<G: Game>(opening: &G::State) -> u32 {
    play_matches::<G>(opening, |state, seat| drop(black_box(G::legal(state, seat))))
}

/// Plays random matches to the end, calls `before` ahead of each step, and returns the number of steps.
fn play_matches<G: Game>(opening: &G::State, before: impl Fn(&G::State, Side)) -> u32 {
    let mut dice = Dice::new(&SEED);
    let mut steps = 0;
    for _ in 0..MATCHES {
        let mut state = opening.clone();
        while let Some(seat) = G::to_act(&state).iter().next() {
            before(&state, seat);
            let mv = G::sample(&state, seat, &mut dice).expect("a seat to act has a legal move");
            state = G::play(&state, seat, &mv).expect("a legal move is accepted").state;
            if let Some(turn) = G::reveal(&state) {
                state = turn.state;
            }
            steps += 1;
        }
    }
    steps
}

fn dispatched_playouts(opening: &State) -> u32 {
    let mut dice = Dice::new(&SEED);
    let mut steps = 0;
    for _ in 0..MATCHES {
        let mut state = opening.clone();
        while let Some(seat) = state.to_act().iter().next() {
            let mv = state.sample(seat, &mut dice).expect("a seat to act has a legal move");
            state = state.play(seat, &mv).expect("a legal move is accepted").state;
            if let Some(turn) = state.reveal() {
                state = turn.state;
            }
            steps += 1;
        }
    }
    steps
}
