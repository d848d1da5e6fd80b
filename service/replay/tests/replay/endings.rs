//! Endings outside the rules, draw offers and clocks: applying rejects each that is not allowed, whoever decides it (G-4).

use event::RecordedTime;
use replay::{ClockSettings, Decision, Fault, Overdue, ReplayError, SubmitError, TimeControl};
use rules::{GameId, Options, Seat};

use crate::sample::{Log, START, choose, replay};

fn decide_on(log: &Log) -> Decision {
    Decision::on(&log.position, RecordedTime(START + 1_000_000))
}

#[track_caller]
fn refused(outcome: Result<(), ReplayError>, fault: Fault) {
    assert_eq!(outcome.unwrap_err().fault, fault);
}

fn running() -> Log {
    Log::started(4, 4, 3)
}

#[test]
fn nothing_ends_by_a_call_that_does_not_fit() {
    let open = Log::create(4, 4, 3);
    refused(decide_on(&open).resign(Seat::Zero), Fault::WrongResult);
    refused(decide_on(&open).accept_draw(Seat::Zero), Fault::WrongResult);
    // Nobody sits there who could call it off.
    refused(decide_on(&open).abort(Seat::Zero), Fault::WrongResult);
    refused(decide_on(&open).offer_draw(Seat::Zero), Fault::OutOfPlace);

    let log = running();
    refused(decide_on(&log).accept_draw(Seat::One), Fault::WrongResult);
    refused(decide_on(&log).decline_draw(Seat::One), Fault::OutOfPlace);
    refused(decide_on(&log).expire(), Fault::WrongResult);
    refused(decide_on(&log).end_on_time(), Fault::OutOfPlace);
}

#[test]
fn a_move_ends_the_time_for_calling_off() {
    let mut log = running();
    decide_on(&log).abort(Seat::One).unwrap();
    log.submit(Seat::Zero, &choose(1, 1));
    refused(decide_on(&log).abort(Seat::One), Fault::WrongResult);
}

#[test]
fn with_chance_the_start_ends_it() {
    let mut log = Log::create_of(Options::default_of(GameId::AceExorcist));
    log.grow(|decision| decision.claim(Seat::Zero, "Ada", Vec::new(), [3; 32]).unwrap());
    decide_on(&log).abort(Seat::Zero).unwrap();
    log.grow(|decision| decision.claim(Seat::One, "Bob", Vec::new(), [4; 32]).unwrap());
    refused(decide_on(&log).abort(Seat::Zero), Fault::WrongResult);
}

#[test]
fn one_offer_stands_at_a_time() {
    let mut log = running();
    log.grow(|decision| decision.offer_draw(Seat::Zero).unwrap());
    assert_eq!(log.position.draw_offered_by(), Some(Seat::Zero));
    for seat in Seat::ALL {
        refused(decide_on(&log).offer_draw(seat), Fault::OutOfPlace);
    }
    // One's own offer is not one's to accept.
    refused(decide_on(&log).accept_draw(Seat::Zero), Fault::WrongResult);
    refused(decide_on(&log).decline_draw(Seat::Zero), Fault::OutOfPlace);
    decide_on(&log).accept_draw(Seat::One).unwrap();
}

#[test]
fn over_is_over() {
    let mut log = running();
    log.grow(|decision| decision.resign(Seat::One).unwrap());
    for seat in Seat::ALL {
        assert!(decide_on(&log).resign(seat).is_err());
        assert!(decide_on(&log).rotate(seat).is_err());
        assert!(decide_on(&log).offer_draw(seat).is_err());
    }
    let (again, _) = replay(&log.events).unwrap();
    assert_eq!(again.match_shown(), log.position.match_shown());
}

#[test]
fn a_late_move_is_no_move_and_an_early_end_no_end() {
    let timing = ClockSettings { control: TimeControl::PerMove { move_ms: 1_000 }, grace_ms: 250 };
    let options = Options::default_of(GameId::AngelsAndDemons);
    let log = Log::create_timed(options, Some(timing)).claimed();
    let due = log.position.next_due().expect("the clocks run").0;
    let at = |arrival| Decision::on(&log.position, RecordedTime(arrival));

    at(due + 250_000).submit(Seat::Zero, &choose(1, 1), [7; 32]).unwrap();
    let late = at(due + 250_001).submit(Seat::Zero, &choose(1, 1), [7; 32]).unwrap_err();
    assert!(matches!(late, SubmitError::Replay(ReplayError { fault: Fault::TooLate, .. })));

    refused(at(due + 250_000).end_on_time(), Fault::OutOfPlace);
    assert_eq!(log.position.overdue(RecordedTime(due + 250_001)), Some(Overdue::Both));
    at(due + 250_001).end_on_time().unwrap();
}

#[test]
fn a_token_s_generations_follow_each_other() {
    let mut log = running();
    log.grow(|decision| decision.rotate(Seat::One).unwrap());
    log.grow(|decision| decision.rotate(Seat::One).unwrap());
    let shown = log.applied.last().unwrap().shown(rules::Viewer::Spectator);
    let Some(wire::v1::event::Kind::SeatTokenRotated(rotated)) = shown.kind else { panic!("another event") };
    assert_eq!((rotated.seat(), rotated.generation), (wire::v1::Seat::One, 3));
    refused(decide_on(&Log::create(4, 4, 3)).rotate(Seat::One), Fault::OutOfPlace);
    // The same event twice would give the same token twice.
    let twice = [&log.events[..], &log.events[log.events.len() - 1..]].concat();
    assert!(replay(&twice).is_err());
}
