//! Endings outside the rules, draws and clocks (G-4): applying an event rejects what is not allowed,
//! even if the code that decided it did not.

use event::{RecordTime, Seat};
use replay::ProposalKind::Draw;
use replay::{ClockSettings, Decision, Fault, MAX_ROTATIONS, ReplayError, SubmitError, TimeControl};
use rules::{GameId, Options};

use crate::sample::{Log, START, choose, replay};

fn decide_on(log: &Log) -> Decision {
    Decision::on(&log.position, RecordTime(START + 1_000_000))
}

#[track_caller]
fn assert_rejected(outcome: Result<(), ReplayError>, fault: Fault) {
    assert_eq!(outcome.unwrap_err().fault, fault);
}

fn running() -> Log {
    Log::started(4, 4, 3)
}

#[test]
fn requests_that_the_match_does_not_allow_are_rejected() {
    let open = Log::create(4, 4, 3);
    assert_rejected(decide_on(&open).resign(Seat::ALL[0]), Fault::WrongResult);
    assert_rejected(decide_on(&open).accept(Seat::ALL[0], Draw), Fault::WrongResult);
    // The seat is not claimed.
    assert_rejected(decide_on(&open).abort(Seat::ALL[0]), Fault::WrongResult);
    assert_rejected(decide_on(&open).propose(Seat::ALL[0], Draw), Fault::OutOfPlace);

    let log = running();
    assert_rejected(decide_on(&log).accept(Seat::ALL[1], Draw), Fault::WrongResult);
    assert_rejected(decide_on(&log).decline(Seat::ALL[1], Draw), Fault::OutOfPlace);
    assert_rejected(decide_on(&log).expire(), Fault::WrongResult);
    assert_rejected(decide_on(&log).end_on_time(), Fault::OutOfPlace);
}

#[test]
fn a_match_with_all_seats_claimed_does_not_expire() {
    let waiting = Log::create(4, 4, 3);
    decide_on(&waiting).expire().unwrap();
    // As if the start had been dropped once the deal was known.
    let (claimed, _) = replay(&running().events[..3]).unwrap();
    let mut decision = Decision::on(&claimed, RecordTime(START + 1_000_000));
    assert_rejected(decision.expire(), Fault::OutOfPlace);
    // Nor does anything else come before the start.
    for seat in Seat::ALL.into_iter().take(2) {
        assert_rejected(Decision::on(&claimed, RecordTime(START + 1)).abort(seat), Fault::OutOfPlace);
        assert_rejected(Decision::on(&claimed, RecordTime(START + 1)).rotate(seat), Fault::OutOfPlace);
    }
}

#[test]
fn nothing_comes_between_the_last_choice_of_a_turn_and_its_reveal() {
    let mut log = running();
    log.submit(Seat::ALL[0], &choose(1, 1));
    log.submit(Seat::ALL[1], &choose(2, 2));
    let (chosen, _) = replay(&log.events[..6]).unwrap();
    let decide = || Decision::on(&chosen, RecordTime(START + 1_000_000));
    for seat in Seat::ALL.into_iter().take(2) {
        assert_rejected(decide().resign(seat), Fault::OutOfPlace);
        assert_rejected(decide().propose(seat, Draw), Fault::OutOfPlace);
        assert_rejected(decide().rotate(seat), Fault::OutOfPlace);
    }
    assert_eq!(replay(&log.events[..7]).unwrap().0.seq(), log.position.seq());
}

#[test]
fn no_match_is_aborted_after_its_first_move() {
    let mut log = running();
    decide_on(&log).abort(Seat::ALL[1]).unwrap();
    log.submit(Seat::ALL[0], &choose(1, 1));
    assert_rejected(decide_on(&log).abort(Seat::ALL[1]), Fault::WrongResult);
}

#[test]
fn no_match_with_chance_is_aborted_after_its_start() {
    let mut log = Log::create_of(Options::default_of(GameId::AceExorcist));
    log.grow(|decision| decision.claim(Seat::ALL[0], "Ada", Vec::new(), [3; 32]).unwrap());
    decide_on(&log).abort(Seat::ALL[0]).unwrap();
    log.grow(|decision| decision.claim(Seat::ALL[1], "Bob", Vec::new(), [4; 32]).unwrap());
    assert_rejected(decide_on(&log).abort(Seat::ALL[0]), Fault::WrongResult);
}

#[test]
fn at_most_one_proposal_of_a_draw_is_open() {
    let mut log = running();
    log.grow(|decision| decision.propose(Seat::ALL[0], Draw).unwrap());
    assert_eq!(log.position.proposed_by(Draw), Some(Seat::ALL[0]));
    for seat in log.position.seats() {
        assert_rejected(decide_on(&log).propose(seat, Draw), Fault::OutOfPlace);
    }
    // A seat can neither accept nor decline its own offer.
    assert_rejected(decide_on(&log).accept(Seat::ALL[0], Draw), Fault::WrongResult);
    assert_rejected(decide_on(&log).decline(Seat::ALL[0], Draw), Fault::OutOfPlace);
    decide_on(&log).accept(Seat::ALL[1], Draw).unwrap();
}

#[test]
fn a_match_that_is_over_allows_no_request() {
    let mut log = running();
    log.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    for seat in log.position.seats() {
        assert!(decide_on(&log).resign(seat).is_err());
        assert!(decide_on(&log).rotate(seat).is_err());
        assert!(decide_on(&log).propose(seat, Draw).is_err());
    }
    let (replayed, _) = replay(&log.events).unwrap();
    assert_eq!(replayed.match_shown(), log.position.match_shown());
}

#[test]
fn late_moves_and_early_ends_on_time_are_rejected() {
    let settings = ClockSettings { control: TimeControl::PerMove { move_ms: 1_000 }, grace_ms: 250 };
    let options = Options::default_of(GameId::AngelsAndDemons);
    let log = Log::create_timed(options, Some(settings)).claimed();
    let due = log.position.next_due().expect("the clocks run").0;
    let at = |arrival| Decision::on(&log.position, RecordTime(arrival));

    at(due + 250_000).submit(Seat::ALL[0], &choose(1, 1), [7; 32]).unwrap();
    let late = at(due + 250_001).submit(Seat::ALL[0], &choose(1, 1), [7; 32]).unwrap_err();
    assert!(matches!(late, SubmitError::Replay(ReplayError { fault: Fault::TooLate, .. })));

    assert_rejected(at(due + 250_000).end_on_time(), Fault::OutOfPlace);
    assert_eq!(log.position.overdue(RecordTime(due + 250_001)), Some(log.position.seats().collect()));
    at(due + 250_001).end_on_time().unwrap();
}

#[test]
fn the_rotations_of_a_seat_are_bounded() {
    let mut log = running();
    for seat in [Seat::ALL[1], Seat::ALL[0]] {
        for _ in 0..MAX_ROTATIONS {
            log.grow(|decision| decision.rotate(seat).unwrap());
        }
        assert_rejected(decide_on(&log).rotate(seat), Fault::TooManyRotations);
    }
    assert_eq!(replay(&log.events).unwrap().0.head_hash(), log.position.head_hash());
}

#[test]
fn generations_of_a_token_have_no_gaps() {
    let mut log = running();
    log.grow(|decision| decision.rotate(Seat::ALL[1]).unwrap());
    log.grow(|decision| decision.rotate(Seat::ALL[1]).unwrap());
    let shown = log.applied.last().unwrap().shown(rules::Viewer::Spectator);
    let Some(wire::v1::event::Kind::SeatTokenRotated(rotated)) = shown.kind else {
        panic!("the last event is no rotation")
    };
    assert_eq!((rotated.seat, rotated.generation), (Some(1), 3));
    assert_rejected(decide_on(&Log::create(4, 4, 3)).rotate(Seat::ALL[1]), Fault::OutOfPlace);
    // A repeated generation would repeat its token.
    let twice = [&log.events[..], &log.events[log.events.len() - 1..]].concat();
    assert!(replay(&twice).is_err());
}
