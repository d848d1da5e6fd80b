//! Two logs that differ only in a sealed choice look the same, to the byte, to everyone but the seat that
//! chose, until the turn is revealed.

use event::Seat;
use rules::Viewer;
use wire::v1 as proto;
use wire::v1::event::Kind;

use crate::sample::{Log, choose};

/// Returns two logs that differ only in a sealed choice of the Angels.
fn twins() -> [Log; 2] {
    [choose(1, 1), choose(2, 2)].map(|mv| {
        let mut log = Log::started(4, 4, 2);
        log.submit(Seat::ALL[0], &mv);
        log
    })
}

/// Removes hashes and commitments. They differ, but reveal nothing because they are salted.
fn masked(mut event: proto::Event) -> proto::Event {
    event.hash.clear();
    if let Some(Kind::MoveSealed(sealed)) = &mut event.kind {
        assert_eq!(sealed.commitment.len(), 32);
        sealed.commitment.fill(0);
    }
    event
}

#[test]
fn sealed_choices_look_the_same_to_others() {
    let [one, two] = twins();
    for viewer in [Viewer::Seat(Seat::ALL[1]), Viewer::Spectator, Viewer::Open] {
        assert_eq!(one.position.shown(viewer), two.position.shown(viewer));
        for (a, b) in one.applied.iter().zip(&two.applied) {
            assert_eq!(masked(a.shown(viewer)), masked(b.shown(viewer)));
        }
    }
}

#[test]
fn a_seat_sees_its_own_sealed_choice() {
    let [one, two] = twins();
    let own = Viewer::Seat(Seat::ALL[0]);
    assert_ne!(one.position.shown(own), two.position.shown(own));
    let Some(Kind::MoveSealed(sealed)) = one.applied.last().unwrap().shown(own).kind else {
        panic!("the last event is no sealed choice")
    };
    assert_eq!(sealed.notation, "1,1");
}

#[test]
fn after_the_reveal_everybody_sees_both_choices_by_seat() {
    let [zero, one, ..] = Seat::ALL;
    for [first, second] in [[zero, one], [one, zero]] {
        let mut log = Log::started(4, 4, 2);
        let moves = [choose(1, 1), choose(2, 2)];
        log.submit(first, &moves[first.index()]);
        log.submit(second, &moves[second.index()]);
        let shown = log.applied.last().unwrap().shown(Viewer::Spectator);
        let Some(Kind::TurnRevealed(turn)) = shown.kind else { panic!("the last event is no reveal") };
        let notations: Vec<_> = turn.moves.iter().map(|mv| mv.notation.as_str()).collect();
        assert_eq!(notations, ["1,1", "2,2"]);
    }
}

#[test]
fn debug_output_shows_no_secrets() {
    let [one, _] = twins();
    let printed = format!("{:?}", one.events);
    assert!(!printed.contains("1, 1"), "{printed}");
    assert!(printed.contains("Event { seq: 5"));
}
