//! Games and rules versions that a verifier does not know, and terms that no match can have.

use audit::{LogCheck, Verification};
use replay::Entry;
use wire::log::v1 as log;

use super::ends::counted;
use super::{Forger, Sample, fine, refused};

fn terms(change: impl FnOnce(&mut log::MatchTerms)) -> Forger {
    Forger::of(&counted()).change(0, |entry| {
        let Entry::MatchCreated(created) = entry else { panic!("event 1 creates") };
        change(created.terms.as_mut().unwrap());
    })
}

fn pinned_to(game: &str, version: u32) -> Forger {
    let forger = terms(|terms| {
        game.clone_into(&mut terms.game_id);
        terms.rules_version = version;
    });
    forger.pinned_to(game, version)
}

pub(super) fn samples() -> Vec<Sample> {
    let case = |name, forger| refused(name, forger, 1, LogCheck::Structure);
    let no_terms = Forger::of(&counted()).change(0, |entry| {
        let Entry::MatchCreated(created) = entry else { panic!("event 1 creates") };
        created.terms = None;
    });
    let rematch = Forger::of(&counted()).change(0, |entry| {
        let Entry::MatchCreated(created) = entry else { panic!("event 1 creates") };
        created.rematch_of = Some(vec![7; 15]);
    });
    vec![
        fine("rules-version-99", pinned_to("angels-and-demons", 99), Verification::Incomplete),
        fine("rules-version-0", pinned_to("angels-and-demons", 0), Verification::Incomplete),
        fine(
            "unknown-game-that-turns-the-line",
            pinned_to("mur\u{202e}mur\u{200b}", 1),
            Verification::Incomplete,
        ),
        fine("unknown-game", pinned_to("murmur", 1), Verification::Incomplete),
        case("header-of-another-version", Forger::of(&counted()).pinned_to("angels-and-demons", 2)),
        case("header-of-another-game", Forger::of(&counted()).pinned_to("ludus-magus", 1)),
        case("terms-for-three-seats", terms(|terms| terms.seats = 3)),
        case("terms-without-visibility", terms(|terms| terms.visibility = 0)),
        case("terms-of-unknown-visibility", terms(|terms| terms.visibility = 4)),
        case("no-terms", no_terms),
        case("rematch-of-half-an-id", rematch),
    ]
}
