//! CC-46 and CC-72: rewinds, what they restore and forbid, and the pass that may follow.

use super::{
    after, at, families, is_legal, listed, monuments, played, playing, poem, q, refused, seat_to_act, sketch,
};
use crate::games::cresnovian_chess::{CresnovianChess, Deed, Fact, Umbration};
use crate::{Game, Viewer};

const WORDS: &str = "document a b c d e f g h i";

/// Returns a position with Velocity in Player One's kingdom, so that Player One can rewind Player Two's turn.
fn with_rewinder() -> super::State {
    sketch("vel@2,7=5 ess@1,1=9 dua@2,1=9 cos@3,1=9 rad@2,2 cap@2,3=9")
}

#[test]
fn cc_46_the_turn_just_before_is_undone() {
    let start = with_rewinder();
    for turn in ["travel ess 1,3", "eternal cap", "cut inn", "spectacle dua@1,7", "breakdown inn", WORDS] {
        let state = after(&start, &[turn, "rewind"]);
        let (now, then) = (playing(&state), playing(&start));
        assert_eq!(q(&state, "vel"), "4", "{turn}");
        for piece in Umbration::ALL.into_iter().filter(|&piece| piece != Umbration::Velocity) {
            assert_eq!(now.field.piece(piece), then.field.piece(piece), "{turn}");
        }
        assert_eq!(at(&state, "vel"), "2,7");
        assert!(monuments(&state).is_empty());
        assert_eq!(poem(&state), "");
        // The turn count only grows.
        assert_eq!(now.turns_taken, 2);
    }
    assert_eq!(refused(&sketch("vel@2,2"), "rewind"), "CC-46");
}

#[test]
fn cc_46_word_and_poem_are_restored() {
    let start = super::with_words(&with_rewinder(), "w x y z", Some(("old", "1,4")));
    let state = after(&start, &["redefine 1 1,5 3", "rewind"]);
    assert_eq!(poem(&state), "w x y z");
    assert!(playing(&state).field.word() == playing(&start).field.word());
}

#[test]
fn cc_46_a_travel_may_not_be_traveled_again_on_the_next_turn_only() {
    let state = after(&with_rewinder(), &["travel ess 1,3", "rewind"]);
    assert_eq!(refused(&state, "travel ess 1,2"), "CC-46");
    assert!(is_legal(&state, "eternal dua") && is_legal(&state, "travel dua 1,2"));
    let later = after(&state, &["cut inn", "travel inn 1,8"]);
    assert!(is_legal(&later, "travel ess 1,2"));
}

#[test]
fn cc_46_a_performer_may_not_perform_again_on_the_next_turn() {
    let state = after(&with_rewinder(), &["cut inn", "rewind"]);
    for wrong in ["cut ess", "flock ess@1,1 dua@2,1 cos@3,1 cap@2,3", "repair dua"] {
        assert_eq!(refused(&state, wrong), "CC-46", "{wrong}");
    }
    assert!(is_legal(&state, "travel dua 1,2"));
    assert!(listed(&state, "cut ").is_empty());
    let repaired = after(&sketch("vel@2,7 dua@2,1=5b"), &["repair dua", "rewind"]);
    assert_eq!(q(&repaired, "dua"), "5b");
    assert_eq!(refused(&repaired, "repair dua"), "CC-46");
}

#[test]
fn cc_46_after_a_dance_caprice_may_not_perform() {
    let start = sketch("vel@2,7 cap@2,2=9 dua@2,5=5");
    let state = after(&start, &["dance cut inn", "rewind"]);
    assert_eq!(refused(&state, "dance cut inn"), "CC-46");
    assert_eq!(refused(&state, "berserk inn@1,8"), "CC-46");
    assert!(is_legal(&state, "travel cap 1,2"));
}

#[test]
fn cc_46_a_document_may_not_be_written_again_on_the_next_turn() {
    let state = after(&with_rewinder(), &[WORDS, "rewind"]);
    assert_eq!(refused(&state, WORDS), "CC-46");
    assert!(!families(&state).contains(&"document"));
    assert!(is_legal(&after(&state, &["cut inn", "travel inn 1,8"]), WORDS));
}

#[test]
fn cc_46_the_cost_is_paid_in_the_restored_field() {
    // Player Two breaks, cuts or energizes Velocity; the rewind is paid from its earlier Q.
    let broken = after(&sketch("vel@2,7=5b cos@3,1"), &["breakdown cos"]);
    assert_eq!(refused(&broken, "rewind"), "CC-32");
    let cut = after(&sketch("vel@2,7=7 dua@2,1=4"), &["cut vel", "rewind"]);
    assert_eq!((q(&cut, "vel"), q(&cut, "dua")), ("6".into(), "4".into()));
    // There it may have less than 3Q, or none.
    let given = after(&sketch("vel@2,7=0 ess@1,1=9"), &["eternal vel", "rewind"]);
    assert_eq!(q(&given, "vel"), "0");
    // It is eternal only in the undone field.
    let eternal = after(&sketch("vel@2,7=8 ess@1,1=9"), &["eternal vel", "rewind"]);
    assert_eq!(q(&eternal, "vel"), "7");
    let stays = after(&sketch("vel@2,7=3e ess@1,1=9"), &["travel ess 1,2", "rewind"]);
    assert_eq!(q(&stays, "vel"), "3e");
}

#[test]
fn cc_46_exemption_is_judged_before_the_rewind() {
    // A monument is adjacent after Player Two moved it there, but not where it returns to.
    let exempt = after(&sketch("vel@2,4=5 vel+1,8"), &["travel vel 2,7", "rewind"]);
    assert_eq!((at(&exempt, "vel"), q(&exempt, "vel")), ("2,4".into(), "5".into()));
    // Conversely, a monument adjacent only to the restored square does not count.
    let paying = after(&sketch("vel@2,6=5 vel+1,6"), &["travel vel 2,8", "rewind"]);
    assert_eq!((at(&paying, "vel"), q(&paying, "vel")), ("2,6".into(), "4".into()));
    // A monument of another umbration exempts nobody.
    let other = after(&sketch("vel@2,7=5 rad@2,2 cos@3,1 dua@2,1"), &["spectacle dua@1,7", "rewind"]);
    assert_eq!(q(&other, "vel"), "4");
}

#[test]
fn cc_46_a_performer_that_was_elsewhere_performs_where_it_is() {
    // Player Two sends Velocity into Player One's kingdom; the rewind sends it back.
    let state = after(&sketch("vel@2,1 dua@3,2"), &["travel vel 2,8", "rewind"]);
    assert_eq!((at(&state, "vel"), q(&state, "vel")), ("2,1".into(), "2".into()));
    assert_eq!(refused(&state, "travel vel 2,2"), "CC-46");
}

#[test]
fn cc_46_a_rewind_may_be_rewound() {
    // Caprice dances the rewind of Velocity in the World, for either seat.
    let start = sketch("cap@2,7=9 vel@3,4=9 ess@1,1=9");
    let rewound = after(&start, &["travel ess 1,4", "dance rewind"]);
    assert_eq!((at(&rewound, "ess"), q(&rewound, "cap")), ("1,1".into(), "8".into()));
    // Player Two brings Velocity home, and Player One's next turn is itself rewound.
    let state = after(&sketch("vel@2,2=9 cap@2,7=9 dua@2,5"), &["travel vel 2,4", "dance rewind"]);
    assert_eq!(at(&state, "vel"), "2,2");
    let again = after(&state, &["rewind"]);
    assert_eq!(at(&again, "vel"), "2,4");
    assert_eq!((q(&again, "vel"), q(&again, "cap")), ("10".into(), "9".into()));
    assert_eq!(refused(&again, "dance rewind"), "CC-46");
    assert_eq!(refused(&again, "berserk ess@1,2"), "CC-46");
    // Locks belong to turns: the travel is not the previous turn.
    assert!(is_legal(&again, "travel vel 1,4"));
}

#[test]
fn cc_46_every_difference_is_a_fact() {
    let (state, facts) = played(&with_rewinder(), &["travel ess 1,3", "rewind"]);
    assert!(facts.contains(&Fact::Rewound { deed: Deed::Travel(Umbration::Essence) }));
    let view = CresnovianChess::view(&state, Viewer::Spectator);
    assert_eq!(view.forbidden, Some(Deed::Travel(Umbration::Essence)));
    assert_eq!(view.locked, None);
}

#[test]
fn cc_72_a_seat_passes_only_when_nothing_else_is_legal() {
    assert_eq!(refused(&with_rewinder(), "pass"), "CC-72");
    let state = stuck();
    assert_eq!(listed(&state, ""), ["pass"]);
    assert!(families(&state).is_empty());
    assert_eq!(super::built(&state, &[]), [super::read("pass")]);
    for wrong in ["travel ess 1,2", "cut ess", WORDS, "repair ess"] {
        assert_ne!(refused(&state, wrong), "CC-72", "{wrong}");
    }
    let seat = seat_to_act(&state);
    let passed = after(&state, &["pass"]);
    assert_eq!(playing(&passed).turns_taken, 3);
    assert_eq!(seat_to_act(&passed), seat.other());
}

#[test]
fn cc_46_a_pass_that_is_rewound_forbids_nothing() {
    let state = after(&stuck(), &["pass", "rewind"]);
    assert_eq!(playing(&state).forbidden, None);
    assert!(is_legal(&state, WORDS));
}

/// Returns a position in which Player Two's document was rewound, no piece can move, and none of Player Two's
/// has 3Q.
fn stuck() -> super::State {
    let mut things = alloc::string::String::from("ess@1,1=1 dua@2,1=1 cos@3,1=1 vel@1,9=9 inn@3,4=3 ");
    for square in [
        "1,2", "1,3", "1,4", "1,5", "1,6", "1,7", "1,8", "2,2", "2,3", "2,4", "2,5", "2,6", "2,7", "2,8",
        "3,2", "3,3", "3,7", "3,8",
    ] {
        things += &alloc::format!("ess+{square} ");
    }
    after(&sketch(&things), &[WORDS, "rewind"])
}
