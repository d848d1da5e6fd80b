//! Law: positions that differ only in what a viewer may not see look the same to that viewer.

use rules::{Dice, Game, Seed, Side, Viewer};

use crate::subject::{Outcome, Subject};
use crate::walk::{VIEWERS, Walk, every_position};

pub(crate) fn hidden_parts_make_no_difference<S: Subject>() {
    let mut compared = 0;
    every_position::<S>(|walk, dice| {
        for viewer in VIEWERS {
            if let Some(twin) = S::twin(walk, viewer, dice) {
                same_to_the_viewer::<S>(walk, &twin, viewer);
                if let Viewer::Seat(seat) = viewer {
                    same_to_the_mover(walk, &twin, seat, dice);
                }
                compared += 1;
            }
        }
    });
    assert!(!S::Game::INFO.secrets || compared > 100, "only {compared} positions had a secret");
}

fn same_to_the_viewer<S: Subject>(walk: &Walk<S>, twin: &Outcome<S::Game>, viewer: Viewer) {
    let (real, twin_state) = (&walk.now.state, &twin.state);
    assert_eq!(S::Game::view(real, viewer), S::Game::view(twin_state, viewer));
    assert_eq!(walk.now.redacted_facts(viewer), twin.redacted_facts(viewer));
    assert_eq!(S::Game::to_act(real), S::Game::to_act(twin_state));
    assert_eq!(S::Game::ending(real), S::Game::ending(twin_state));
}

/// Compares what only the seat may request: its moves, the way to them, and the reasons of refusals.
fn same_to_the_mover<S: Subject>(walk: &Walk<S>, twin: &Outcome<S::Game>, seat: Side, dice: &mut Dice) {
    let (real, twin_state) = (&walk.now.state, &twin.state);
    let listing = S::Game::legal(real, seat);
    assert_eq!(listing, S::Game::legal(twin_state, seat));
    assert_eq!(S::Game::choices(real, seat, &[]), S::Game::choices(twin_state, seat, &[]));
    for mv in S::probes(&walk.options, dice) {
        let [one, other] = [real, twin_state].map(|state| S::Game::play(state, seat, &mv).err());
        assert_eq!(one, other);
    }
    let [one, other] =
        [real, twin_state].map(|state| S::Game::sample(state, seat, &mut Dice::new(&Seed::new([9; 32]))));
    assert_eq!(one, other);
}
