//! Endings that no rules make, offers and clocks: the fold takes none that does not fit, whoever drafts it (G-4).

use event::RecordedTime;
use replay::{Draft, Fault, Overdue, ReplayError, TimeControl, Timing, Unmade};
use rules::{GameId, Options, Seat};

use crate::sample::{Log, START, choose, fold};

fn draft_on(log: &Log) -> Draft {
    Draft::after(&log.position, RecordedTime(START + 1_000_000))
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
    refused(draft_on(&open).resign(Seat::Zero), Fault::WrongResult);
    refused(draft_on(&open).accept_draw(Seat::Zero), Fault::WrongResult);
    // Nobody sits there who could call it off.
    refused(draft_on(&open).abort(Seat::Zero), Fault::WrongResult);
    refused(draft_on(&open).offer_draw(Seat::Zero), Fault::OutOfPlace);

    let log = running();
    refused(draft_on(&log).accept_draw(Seat::One), Fault::WrongResult);
    refused(draft_on(&log).decline_draw(Seat::One), Fault::OutOfPlace);
    refused(draft_on(&log).expire(), Fault::WrongResult);
    refused(draft_on(&log).end_on_time(), Fault::OutOfPlace);
}

#[test]
fn a_move_ends_the_time_for_calling_off() {
    let mut log = running();
    draft_on(&log).abort(Seat::One).unwrap();
    log.submit(Seat::Zero, &choose(1, 1));
    refused(draft_on(&log).abort(Seat::One), Fault::WrongResult);
}

#[test]
fn with_chance_the_start_ends_it() {
    let mut log = Log::create_of(Options::default_of(GameId::AceExorcist));
    log.grow(|draft| draft.claim(Seat::Zero, "Ada", Vec::new(), [3; 32]).unwrap());
    draft_on(&log).abort(Seat::Zero).unwrap();
    log.grow(|draft| draft.claim(Seat::One, "Bob", Vec::new(), [4; 32]).unwrap());
    refused(draft_on(&log).abort(Seat::Zero), Fault::WrongResult);
}

#[test]
fn one_offer_stands_at_a_time() {
    let mut log = running();
    log.grow(|draft| draft.offer_draw(Seat::Zero).unwrap());
    assert_eq!(log.position.draw_offered_by(), Some(Seat::Zero));
    for seat in Seat::ALL {
        refused(draft_on(&log).offer_draw(seat), Fault::OutOfPlace);
    }
    // One's own offer is not one's to accept.
    refused(draft_on(&log).accept_draw(Seat::Zero), Fault::WrongResult);
    refused(draft_on(&log).decline_draw(Seat::Zero), Fault::OutOfPlace);
    draft_on(&log).accept_draw(Seat::One).unwrap();
}

#[test]
fn over_is_over() {
    let mut log = running();
    log.grow(|draft| draft.resign(Seat::One).unwrap());
    for seat in Seat::ALL {
        assert!(draft_on(&log).resign(seat).is_err());
        assert!(draft_on(&log).rotate(seat).is_err());
        assert!(draft_on(&log).offer_draw(seat).is_err());
    }
    let (again, _) = fold(&log.events).unwrap();
    assert_eq!(again.match_shown(), log.position.match_shown());
}

#[test]
fn a_late_move_is_no_move_and_an_early_end_no_end() {
    let timing = Timing { control: TimeControl::PerMove { move_ms: 1_000 }, grace_ms: 250 };
    let options = Options::default_of(GameId::AngelsAndDemons);
    let log = Log::create_timed(options, Some(timing)).claimed();
    let due = log.position.next_due().expect("the clocks run").0;
    let at = |arrival| Draft::after(&log.position, RecordedTime(arrival));

    at(due + 250_000).submit(Seat::Zero, &choose(1, 1), [7; 32]).unwrap();
    let late = at(due + 250_001).submit(Seat::Zero, &choose(1, 1), [7; 32]).unwrap_err();
    assert!(matches!(late, Unmade::Replay(ReplayError { fault: Fault::TooLate, .. })));

    refused(at(due + 250_000).end_on_time(), Fault::OutOfPlace);
    assert_eq!(log.position.overdue(RecordedTime(due + 250_001)), Some(Overdue::Both));
    at(due + 250_001).end_on_time().unwrap();
}

#[test]
fn a_token_s_generations_follow_each_other() {
    let mut log = running();
    log.grow(|draft| draft.rotate(Seat::One).unwrap());
    log.grow(|draft| draft.rotate(Seat::One).unwrap());
    let shown = log.told.last().unwrap().shown(rules::Viewer::Spectator);
    let Some(wire::v1::event::Kind::SeatTokenRotated(rotated)) = shown.kind else { panic!("another event") };
    assert_eq!((rotated.seat(), rotated.generation), (wire::v1::Seat::One, 3));
    refused(draft_on(&Log::create(4, 4, 3)).rotate(Seat::One), Fault::OutOfPlace);
    // The same event twice would give the same token twice.
    let twice = [&log.events[..], &log.events[log.events.len() - 1..]].concat();
    assert!(fold(&twice).is_err());
}
