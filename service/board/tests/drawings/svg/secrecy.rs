//! Matches that differ only in what a viewer may not see have identical drawings for that viewer.

use event::Seat;
use rules::games::angels_and_demons as ad;
use rules::{GameId, Move, Viewer};

use super::played::Played;

fn choose(row: u32, col: u32) -> Move {
    Move::AngelsAndDemons(ad::Move::Choose(ad::Space { row, col }))
}

#[test]
fn a_pending_choice_changes_only_the_drawing_for_its_seat() {
    let [one, two] = [choose(1, 1), choose(6, 4)].map(|made| {
        let mut played = Played::started(GameId::AngelsAndDemons, 1);
        played.submit(Seat::ALL[0], &choose(3, 3));
        played.submit(Seat::ALL[1], &choose(3, 5));
        played.submit(Seat::ALL[0], &made);
        played
    });
    for viewer in [Viewer::Seat(Seat::ALL[1]), Viewer::Spectator, Viewer::Open] {
        assert_eq!(one.svg(viewer), two.svg(viewer));
    }
    let own = Viewer::Seat(Seat::ALL[0]);
    assert_ne!(one.svg(own), two.svg(own));
}

/// Returns a match dealt from this seed, after three passes.
fn dealt(seed: u8) -> Played {
    let mut played = Played::started(GameId::AceExorcist, seed);
    for seat in [Seat::ALL[0], Seat::ALL[1], Seat::ALL[0]] {
        let pass = GameId::AceExorcist.parse_move("pass").expect("a move");
        played.submit(seat, &pass);
    }
    played
}

#[test]
fn the_drawing_for_a_spectator_does_not_depend_on_the_deal() {
    let first = dealt(0);
    for seed in 1..20 {
        let other = dealt(seed);
        assert_eq!(first.svg(Viewer::Spectator), other.svg(Viewer::Spectator));
        for seat in [Seat::ALL[0], Seat::ALL[1]] {
            assert_ne!(first.svg(Viewer::Seat(seat)), other.svg(Viewer::Seat(seat)));
        }
    }
}

#[test]
fn the_drawing_for_a_player_shows_no_card_of_the_other_side() {
    for seed in 0..20 {
        let played = dealt(seed);
        let summoners = ["blood", "blade", "flame"].map(|suit| format!("card-{suit}-"));
        let exorcists = ["bell", "book", "candle"].map(|suit| format!("card-{suit}-"));
        let has = |viewer, cards: &[String; 3]| {
            let drawing = played.svg(viewer);
            cards.iter().any(|card| drawing.contains(card.as_str()))
        };
        assert!(has(Viewer::Seat(Seat::ALL[0]), &summoners) && !has(Viewer::Seat(Seat::ALL[0]), &exorcists));
        assert!(has(Viewer::Seat(Seat::ALL[1]), &exorcists) && !has(Viewer::Seat(Seat::ALL[1]), &summoners));
    }
}
