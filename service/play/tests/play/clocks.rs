//! Clocks: a seat whose time runs out loses, whether a call or the sweeper notices first. No test waits for
//! real time.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use journal::Journal;
use play::{Caller, Durations, Play, Settings};
use wire::v1::event::Kind;
use wire::v1::watch_match_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};
use crate::manual_environment::ManualEnvironment;

/// A sweep interval longer than any test. The first sweep does not wait for it: it comes shortly after the
/// start, perhaps only after a test has advanced the time.
const NEVER: Duration = Duration::from_secs(3600);

/// A running match with clocks, and a time that tests advance.
struct Timed {
    journal: Journal,
    environment: ManualEnvironment,
    play: Play,
    fixture: Fixture,
}

fn duration(ms: u64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration::try_from(Duration::from_millis(ms)).unwrap())
}

fn per_move(ms: u64) -> proto::TimeControl {
    let each = proto::PerMove { move_time: duration(ms) };
    proto::TimeControl { kind: Some(proto::time_control::Kind::PerMove(each)) }
}

fn bank(budget_ms: u64, increment_ms: u64) -> proto::TimeControl {
    let bank = proto::Bank { budget: duration(budget_ms), increment: duration(increment_ms) };
    proto::TimeControl { kind: Some(proto::time_control::Kind::Bank(bank)) }
}

async fn start(journal: &Journal, environment: &ManualEnvironment, sweep: Duration) -> Play {
    let durations = Durations { sweep, ..Durations::default() };
    let environment = Arc::new(environment.clone());
    fixture::with_settings(journal.clone(), Settings { durations, environment, ..Settings::default() }).await
}

impl Timed {
    async fn start(control: proto::TimeControl, sweep: Duration) -> Self {
        let journal = fixture::open("memory:").await;
        let environment = ManualEnvironment::new();
        let play = start(&journal, &environment, sweep).await;
        let create = proto::CreateMatchRequest { time_control: Some(control), ..fixture::create(3) };
        let fixture = Fixture::start_with(&play, create).await;
        Self { journal, environment, play, fixture }
    }

    async fn view(&self) -> proto::View {
        let request = proto::GetViewRequest { match_id: self.fixture.match_id.clone(), ..Default::default() };
        self.play.get_view(&Caller::anonymous(), request).await.unwrap().view.unwrap()
    }

    /// Returns each seat's remaining milliseconds and whether its clock runs.
    async fn clocks(&self) -> [(u128, bool); 2] {
        read(&self.view().await.clocks.expect("the match is timed"))
    }
}

/// Returns each seat's remaining milliseconds and whether its clock runs.
fn read(clocks: &proto::Clocks) -> [(u128, bool); 2] {
    let seats = &clocks.seats;
    let remaining = |seat: usize| Duration::try_from(seats[seat].remaining.unwrap()).unwrap().as_millis();
    [0, 1].map(|seat| (remaining(seat), seats[seat].due_time.is_some()))
}

fn winner_and_reason(view: &proto::View) -> (Option<u32>, &str) {
    let result = view.result.as_ref().expect("the match is over");
    (result.winner(), result.reason.as_str())
}

#[tokio::test]
async fn a_seats_clock_stops_at_its_choice_and_runs_again_after_the_reveal() {
    let timed = Timed::start(bank(10_000, 2_000), NEVER).await;
    assert_eq!(timed.clocks().await, [(10_000, true), (10_000, true)]);
    timed.environment.advance_ms(3_000);
    timed.fixture.submit(&timed.play, &timed.fixture.angels, "1,1").await.unwrap();
    assert_eq!(timed.clocks().await, [(9_000, false), (7_000, true)]);
    timed.environment.advance_ms(1_000);
    timed.fixture.submit(&timed.play, &timed.fixture.demons, "3,3").await.unwrap();
    assert_eq!(timed.clocks().await, [(9_000, true), (8_000, true)]);
}

#[tokio::test]
async fn a_late_move_is_refused_and_ends_the_match_before_any_sweep() {
    let timed = Timed::start(per_move(5_000), NEVER).await;
    timed.fixture.submit(&timed.play, &timed.fixture.angels, "1,1").await.unwrap();
    timed.environment.advance_ms(5_251);
    let refusal = timed.fixture.submit(&timed.play, &timed.fixture.demons, "3,3").await.unwrap_err();
    assert_eq!((refusal.reason, refusal.metadata["ending"].as_str()), (ErrorReason::MatchOver, "time"));
    let view = timed.view().await;
    assert_eq!(winner_and_reason(&view), (Some(0), "time"));
    assert_eq!(view.clocks, None);
}

#[tokio::test]
async fn a_move_within_the_grace_period_is_accepted() {
    let timed = Timed::start(per_move(5_000), NEVER).await;
    timed.environment.advance_ms(5_249);
    timed.fixture.submit(&timed.play, &timed.fixture.angels, "1,1").await.unwrap();
}

#[tokio::test]
async fn the_match_is_drawn_if_both_seats_run_out_of_time_at_once() {
    let timed = Timed::start(per_move(5_000), NEVER).await;
    timed.environment.advance_ms(6_000);
    timed.fixture.submit(&timed.play, &timed.fixture.angels, "1,1").await.unwrap_err();
    assert_eq!(winner_and_reason(&timed.view().await), (None, "time"));
}

#[tokio::test]
async fn of_two_late_seats_the_one_due_first_loses() {
    let timed = Timed::start(bank(10_000, 0), NEVER).await;
    timed.environment.advance_ms(1_000);
    timed.fixture.submit(&timed.play, &timed.fixture.demons, "3,3").await.unwrap();
    timed.fixture.submit(&timed.play, &timed.fixture.angels, "1,1").await.unwrap();
    timed.fixture.submit(&timed.play, &timed.fixture.demons, "3,3").await.unwrap();
    timed.environment.advance_ms(2_000);
    timed.fixture.submit(&timed.play, &timed.fixture.angels, "1,1").await.unwrap();
    // The Angels have 7 s left and the Demons 9 s, and neither moves for a minute.
    timed.environment.advance_ms(60_000);
    timed.fixture.submit(&timed.play, &timed.fixture.demons, "3,3").await.unwrap_err();
    assert_eq!(winner_and_reason(&timed.view().await), (Some(1), "time"));
}

#[tokio::test]
async fn the_deadline_sweeper_ends_an_overdue_match_and_watchers_see_it() {
    let timed = Timed::start(per_move(5_000), Duration::from_millis(5)).await;
    let request = proto::WatchMatchRequest {
        match_id: timed.fixture.match_id.clone(),
        after_seq: None,
        include_view: false,
        after_hash: None,
    };
    let mut watch = timed.play.watch_match(&Caller::anonymous(), request).await.unwrap();
    watch.next().await.unwrap().unwrap();
    timed.environment.advance_ms(5_251);
    let frame = watch.next().await.unwrap().unwrap().frame;
    let Some(Frame::Event(proto::Event { kind: Some(Kind::MatchEnded(ended)), .. })) = frame else {
        panic!("expected the end of the match, got {frame:?}");
    };
    assert_eq!(ended.result.unwrap().reason, "time");
}

#[tokio::test]
async fn each_event_of_a_watch_comes_with_the_clocks_after_it_and_the_time_of_its_frame() {
    let timed = Timed::start(bank(10_000, 2_000), NEVER).await;
    let request = proto::WatchMatchRequest {
        match_id: timed.fixture.match_id.clone(),
        after_seq: Some(3),
        include_view: true,
        after_hash: None,
    };
    let mut watch = timed.play.watch_match(&Caller::anonymous(), request).await.unwrap();
    assert_eq!(watch.next().await.unwrap().unwrap().clocks, None, "the start frame's are in its view");
    timed.environment.advance_ms(3_000);
    timed.fixture.submit(&timed.play, &timed.fixture.angels, "1,1").await.unwrap();
    timed.environment.advance_ms(1_000);
    timed.fixture.submit(&timed.play, &timed.fixture.demons, "3,3").await.unwrap();
    let expected = [
        (4, [(10_000, true), (10_000, true)]),
        (5, [(9_000, false), (7_000, true)]),
        (6, [(9_000, false), (8_000, false)]),
        (7, [(9_000, true), (8_000, true)]),
    ];
    let mut times = Vec::new();
    for (seq, clocks) in expected {
        // The frame is made when it is taken, long after the event.
        timed.environment.advance_ms(60_000);
        let response = watch.next().await.unwrap().unwrap();
        assert!(matches!(&response.frame, Some(Frame::Event(event)) if event.seq == seq), "{response:?}");
        assert_eq!(response.clocks, response.view.unwrap().clocks);
        assert_eq!(read(&response.clocks.unwrap()), clocks);
        times.push(response.server_time.unwrap().seconds);
    }
    assert_eq!(times.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>(), [60, 60, 60]);
}

#[tokio::test(start_paused = true)]
async fn a_service_that_is_shut_down_begins_no_sweep() {
    let sweep = Duration::from_secs(1);
    let mut services = Vec::new();
    // Several, since a sweep that is due at the shutdown began in one of two.
    for _ in 0..16 {
        services.push(Timed::start(per_move(5_000), sweep).await);
    }
    tokio::time::advance(sweep).await;
    for timed in &services {
        timed.play.shut_down();
        timed.environment.advance_ms(5_251);
    }
    tokio::time::sleep(2 * sweep).await;
    for timed in &services {
        assert_eq!(timed.view().await.result, None, "the deadline sweeper ended the match");
    }
}

#[tokio::test]
async fn deadlines_survive_a_restart() {
    let timed = Timed::start(per_move(5_000), NEVER).await;
    timed.fixture.submit(&timed.play, &timed.fixture.angels, "1,1").await.unwrap();
    // The first service's first sweep may still be to come, and on a sole writer's journal a service does not
    // see the events that another one appends.
    timed.play.shut_down();
    timed.environment.advance_ms(5_251);
    let later = start(&timed.journal, &timed.environment, Duration::from_millis(5)).await;
    let request = proto::WatchMatchRequest {
        match_id: timed.fixture.match_id.clone(),
        after_seq: Some(5),
        include_view: false,
        after_hash: None,
    };
    let mut watch = later.watch_match(&Caller::anonymous(), request).await.unwrap();
    let frames: Vec<_> = watch.by_ref().map(|frame| frame.unwrap().frame.unwrap()).collect().await;
    let Some(Frame::Event(last)) = frames.last() else { panic!("the last frame is not an event") };
    assert!(matches!(last.kind, Some(Kind::MatchEnded(_))));
}

#[tokio::test]
async fn a_match_with_an_unclaimed_seat_expires() {
    let journal = fixture::open("memory:").await;
    let environment = ManualEnvironment::new();
    let play = start(&journal, &environment, Duration::from_millis(5)).await;
    let created = play.create_match(&Caller::anonymous(), fixture::create(3)).await.unwrap();
    let match_id = created.r#match.unwrap().match_id;
    play.claim_seat(&Caller::anonymous(), fixture::claim(&match_id, 1)).await.unwrap();
    let request = proto::WatchMatchRequest {
        match_id: match_id.clone(),
        after_seq: None,
        include_view: false,
        after_hash: None,
    };
    let mut watch = play.watch_match(&Caller::anonymous(), request).await.unwrap();
    watch.next().await.unwrap().unwrap();
    environment.advance_ms(24 * 60 * 60 * 1_000 + 251);
    let frame = watch.next().await.unwrap().unwrap().frame;
    let Some(Frame::Event(proto::Event { kind: Some(Kind::MatchEnded(ended)), .. })) = frame else {
        panic!("expected the end of the match, got {frame:?}");
    };
    assert_eq!(ended.result.unwrap().reason, "expired");
}

#[tokio::test]
async fn a_match_that_has_started_never_expires() {
    let journal = fixture::open("memory:").await;
    let environment = ManualEnvironment::new();
    let play = start(&journal, &environment, NEVER).await;
    let fixture = Fixture::start(&play, 3).await;
    environment.advance_ms(48 * 60 * 60 * 1_000);
    let until = journal::RecordTime(i64::MAX);
    assert_eq!(journal.due(until, journal::PageSize(10)).await.unwrap(), []);
    fixture.submit(&play, &fixture.angels, "1,1").await.unwrap();
}

#[tokio::test]
async fn a_time_control_out_of_range_is_refused_by_field() {
    let play = fixture::in_memory().await;
    let cases = [
        (proto::TimeControl { kind: None }, "time_control"),
        (per_move(99), "time_control.per_move.move_time"),
        (bank(0, 5), "time_control.bank.budget"),
        (bank(1_000, 86_400_001), "time_control.bank.increment"),
    ];
    for (control, field) in cases {
        let create = proto::CreateMatchRequest { time_control: Some(control), ..fixture::create(3) };
        let refusal = play.create_match(&Caller::anonymous(), create).await.unwrap_err();
        assert_eq!(refusal.fields[0].field, field);
    }
}

#[tokio::test]
async fn after_a_takeback_the_asking_seat_runs_out_of_time_at_the_new_deadline() {
    let journal = fixture::open("memory:").await;
    let environment = ManualEnvironment::new();
    let play = start(&journal, &environment, NEVER).await;
    let create = proto::CreateMatchRequest {
        game_id: "ludus-magus".to_owned(),
        time_control: Some(bank(10_000, 2_000)),
        ..Default::default()
    };
    let fixture = Fixture::start_with(&play, create).await;
    let timed = Timed { journal, environment, play, fixture };
    timed.environment.advance_ms(3_000);
    timed.fixture.submit(&timed.play, &timed.fixture.angels, "a1-a2").await.unwrap();
    timed.environment.advance_ms(4_000);
    let (match_id, kind) = (timed.fixture.match_id.clone(), proto::ProposalKind::Takeback.into());
    let ask = proto::MakeProposalRequest { match_id: match_id.clone(), kind, request_id: None };
    timed.play.make_proposal(&timed.fixture.angels, ask).await.unwrap();
    // The proposal stops no clock.
    assert_eq!(timed.clocks().await, [(9_000, false), (6_000, true)]);
    let answer = proto::AnswerProposalRequest { match_id, kind, accept: Some(true), request_id: None };
    timed.play.answer_proposal(&timed.fixture.demons, answer).await.unwrap();
    assert_eq!(timed.clocks().await, [(9_000, true), (10_000, false)]);

    // Another replica finds the new deadline in the database: 9 s and the grace period from the answer.
    timed.environment.advance_ms(9_249);
    let sweeping = start(&timed.journal, &timed.environment, Duration::from_millis(5)).await;
    assert!(timed.view().await.result.is_none());
    timed.environment.advance_ms(2);
    let request = proto::WatchMatchRequest { match_id: timed.fixture.match_id.clone(), ..Default::default() };
    let watch = sweeping.watch_match(&Caller::anonymous(), request).await.unwrap();
    let frames: Vec<_> = watch.map(Result::unwrap).collect().await;
    assert!(matches!(&frames.last().unwrap().frame, Some(Frame::Event(event))
        if matches!(event.kind, Some(Kind::MatchEnded(_)))));
    let request = proto::GetViewRequest { match_id: timed.fixture.match_id.clone(), ..Default::default() };
    let view = sweeping.get_view(&Caller::anonymous(), request).await.unwrap().view.unwrap();
    assert_eq!(winner_and_reason(&view), (Some(1), "time"));
}
