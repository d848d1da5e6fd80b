//! Files that open what they must not, or something else than was sealed.

use audit::{LogCheck, Verification};
use event::Seat;
use prost::Message as _;
use replay::Entry;

use super::ends::counted;
use super::{Forger, Sample, fine, refused};
use crate::exported::half_a_turn;

pub(super) fn samples() -> Vec<Sample> {
    let running = half_a_turn();
    let mut over = half_a_turn();
    over.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    let log = counted();
    let case = |name, forger, seq| refused(name, forger, seq, LogCheck::Commitments);
    let flip = |index: usize| {
        Forger::of(&log).open(&log.events[index]).change_event(index, |event| {
            let part = event.sealed.as_mut().unwrap();
            let mut opened = part.opened.clone().unwrap().to_vec();
            opened[3] ^= 1;
            part.opened = Some(opened.into());
        })
    };
    let other_turn = Forger::of(&log).change(6, |entry| {
        let Entry::TurnRevealed(turn) = entry else { panic!("event 7 reveals") };
        turn.choices[1].opened[34] ^= 1;
    });
    let other_seed = Forger::of(&log).change(7, |entry| {
        let Entry::MatchEnded(ended) = entry else { panic!("event 8 ends the match") };
        ended.opened_seed[40] ^= 1;
    });
    let swapped = Forger::of(&log).change(6, |entry| {
        let Entry::TurnRevealed(turn) = entry else { panic!("event 7 reveals") };
        turn.choices.reverse();
    });
    let named = |name: &str| {
        let player = wire::log::v1::Player { display_name: name.to_owned() };
        Forger::of(&log).seal(1, &player.encode_to_vec())
    };
    let invisible = named("A\u{200b}d\u{202e}a\u{1b}[2J\u{e0041}");
    let undecodable = |name, forger| refused(name, forger, 2, LogCheck::Structure);
    vec![
        fine(
            "control-own-choice-opened",
            Forger::of(&running).open(&running.events[7]),
            Verification::Incomplete,
        ),
        fine("control-invisible-name", invisible, Verification::Verified),
        fine("control-long-name", named(&"a".repeat(1021)), Verification::Verified),
        undecodable("name-too-long", named(&"a".repeat(1022))),
        case("seed-opened-while-it-runs", Forger::of(&running).open(&running.events[0]), 1),
        case("seed-opened-twice", Forger::of(&log).open(&log.events[0]), 1),
        case("revealed-choice-opened-twice", Forger::of(&log).open(&log.events[4]), 5),
        case("unrevealed-choice-opened-after-the-end", Forger::of(&over).open(&over.events[7]), 8),
        case("player-opened-wrongly", flip(1), 2),
        case("choice-revealed-wrongly", other_turn, 7),
        case("choices-revealed-out-of-order", swapped, 7),
        case("seed-revealed-wrongly", other_seed, 8),
    ]
}
