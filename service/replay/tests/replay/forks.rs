//! Where a match can be forked.

use event::Seat;
use replay::MoveHistory;

use crate::sample::{Log, choose};

/// A fork takes over moves, never a choice that nobody may see.
#[test]
fn a_match_can_be_forked_between_turns_while_it_runs() {
    let mut log = Log::create(3, 3, 2);
    let is_forkable = |log: &Log| {
        let forked = log.position.forked(MoveHistory::default());
        assert_eq!(forked.is_some(), log.position.is_forkable());
        forked.is_some()
    };
    assert!(!is_forkable(&log), "not all seats are claimed");
    log = log.claimed();
    assert!(is_forkable(&log), "before the first turn");
    log.submit(Seat::ALL[1], &choose(3, 3));
    assert!(!is_forkable(&log), "a choice is sealed");
    log.submit(Seat::ALL[0], &choose(2, 2));
    assert!(is_forkable(&log), "after the first turn");
    log.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    assert!(!is_forkable(&log), "the match is over");
}
