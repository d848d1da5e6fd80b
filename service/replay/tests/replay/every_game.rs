//! What holds for the logs of every game alike.

use replay::Told;
use rules::{GameId, Options, Seat, Viewer};

use crate::sample::{Log, fold};

const VIEWERS: [Viewer; 4] =
    [Viewer::Seat(Seat::Zero), Viewer::Seat(Seat::One), Viewer::Spectator, Viewer::Open];

/// A match of a game with its default options, played to the end at random.
pub(crate) fn random_match(game: GameId, seed: u8) -> Log {
    let mut log = Log::create_of(Options::default_of(game)).claimed();
    log.play_out(seed);
    log
}

#[test]
fn a_match_folds_again_to_what_every_viewer_saw() {
    for game in GameId::ALL {
        for seed in 0..3 {
            let log = random_match(game, seed);
            let (position, told) = fold(&log.records).unwrap();
            assert_eq!(position.match_shown(), log.position.match_shown());
            assert!(position.result().is_some());
            for viewer in VIEWERS {
                assert_eq!(position.shown(viewer), log.position.shown(viewer), "{game}");
                let shown = |told: &[Told]| told.iter().map(|told| told.shown(viewer)).collect::<Vec<_>>();
                assert_eq!(shown(&told), shown(&log.told), "{game}");
            }
        }
    }
}

#[test]
fn the_same_seed_bytes_and_moves_give_the_same_log() {
    for game in GameId::ALL {
        assert_eq!(random_match(game, 7).records, random_match(game, 7).records, "{game}");
    }
}
