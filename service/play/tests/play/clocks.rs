//! Clocks: who is late loses, whoever looks first, and no test waits for it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use journal::{Journal, JournalConfig};
use play::{Caller, Limits, Play, Settings};
use wire::v1::event::Kind;
use wire::v1::watch_match_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::hand_clock::HandClock;
use crate::table::{self, Table};

/// Looks for what is due so rarely that no test meets it.
const NEVER: Duration = Duration::from_secs(3600);

struct Timed {
    journal: Journal,
    clock: HandClock,
    play: Play,
    table: Table,
}

fn per_move(move_ms: u32) -> proto::TimeControl {
    proto::TimeControl { kind: Some(proto::time_control::Kind::PerMove(proto::PerMove { move_ms })) }
}

fn bank(bank_ms: u32, increment_ms: u32) -> proto::TimeControl {
    proto::TimeControl { kind: Some(proto::time_control::Kind::Bank(proto::Bank { bank_ms, increment_ms })) }
}

async fn play_on(journal: &Journal, clock: &HandClock, sweep: Duration) -> Play {
    let limits = Limits { sweep, ..Limits::default() };
    let surroundings = Arc::new(clock.clone());
    table::with_settings(journal.clone(), Settings { limits, surroundings, ..Settings::default() }).await
}

impl Timed {
    async fn start(control: proto::TimeControl, sweep: Duration) -> Self {
        let journal = Journal::open(JournalConfig::new("memory:".parse().unwrap())).await.unwrap();
        let clock = HandClock::new();
        let play = play_on(&journal, &clock, sweep).await;
        let create = proto::CreateMatchRequest { time_control: Some(control), ..table::create(3) };
        let table = Table::start_with(&play, create).await;
        Self { journal, clock, play, table }
    }

    async fn view(&self) -> proto::View {
        let request = proto::GetViewRequest { match_id: self.table.match_id.clone(), ..Default::default() };
        self.play.get_view(&Caller::anonymous(), request).await.unwrap().view.unwrap()
    }

    /// Milliseconds left of both, and whose clocks run.
    async fn clocks(&self) -> [(u32, bool); 2] {
        let seats = self.view().await.clocks.expect("the match is timed").seats;
        [0, 1].map(|index| (seats[index].remaining_ms, seats[index].due_time.is_some()))
    }
}

fn ending(view: &proto::View) -> (Option<i32>, &str) {
    let result = view.result.as_ref().expect("the match is over");
    (result.winner, result.reason.as_str())
}

#[tokio::test]
async fn a_seats_clock_stops_when_it_has_chosen_and_runs_again_after_the_reveal() {
    let timed = Timed::start(bank(10_000, 2_000), NEVER).await;
    assert_eq!(timed.clocks().await, [(10_000, true), (10_000, true)]);
    timed.clock.pass_ms(3_000);
    timed.table.submit(&timed.play, &timed.table.angels, "1,1").await.unwrap();
    assert_eq!(timed.clocks().await, [(9_000, false), (7_000, true)]);
    timed.clock.pass_ms(1_000);
    timed.table.submit(&timed.play, &timed.table.demons, "3,3").await.unwrap();
    assert_eq!(timed.clocks().await, [(9_000, true), (8_000, true)]);
}

#[tokio::test]
async fn a_late_move_is_refused_before_anybody_swept_and_the_match_is_over() {
    let timed = Timed::start(per_move(5_000), NEVER).await;
    timed.table.submit(&timed.play, &timed.table.angels, "1,1").await.unwrap();
    timed.clock.pass_ms(5_251);
    let refusal = timed.table.submit(&timed.play, &timed.table.demons, "3,3").await.unwrap_err();
    assert_eq!((refusal.reason, refusal.metadata["ending"].as_str()), (ErrorReason::MatchOver, "time"));
    let view = timed.view().await;
    assert_eq!(ending(&view), (Some(proto::Seat::Zero.into()), "time"));
    assert_eq!(view.clocks, None);
}

#[tokio::test]
async fn within_the_grace_a_move_is_taken() {
    let timed = Timed::start(per_move(5_000), NEVER).await;
    timed.clock.pass_ms(5_249);
    timed.table.submit(&timed.play, &timed.table.angels, "1,1").await.unwrap();
}

#[tokio::test]
async fn both_late_at_once_is_a_draw() {
    let timed = Timed::start(per_move(5_000), NEVER).await;
    timed.clock.pass_ms(6_000);
    timed.table.submit(&timed.play, &timed.table.angels, "1,1").await.unwrap_err();
    assert_eq!(ending(&timed.view().await), (None, "time"));
}

#[tokio::test]
async fn of_two_late_seats_the_one_due_first_loses() {
    let timed = Timed::start(bank(10_000, 0), NEVER).await;
    timed.clock.pass_ms(1_000);
    timed.table.submit(&timed.play, &timed.table.demons, "3,3").await.unwrap();
    timed.table.submit(&timed.play, &timed.table.angels, "1,1").await.unwrap();
    timed.table.submit(&timed.play, &timed.table.demons, "3,3").await.unwrap();
    timed.clock.pass_ms(2_000);
    timed.table.submit(&timed.play, &timed.table.angels, "1,1").await.unwrap();
    // The Angels have 7 s left and the Demons 9 s: nobody moves for a minute.
    timed.clock.pass_ms(60_000);
    timed.table.submit(&timed.play, &timed.table.demons, "3,3").await.unwrap_err();
    assert_eq!(ending(&timed.view().await), (Some(proto::Seat::One.into()), "time"));
}

#[tokio::test]
async fn the_sweep_ends_an_overdue_match_and_watchers_are_told() {
    let timed = Timed::start(per_move(5_000), Duration::from_millis(5)).await;
    let request = proto::WatchMatchRequest { match_id: timed.table.match_id.clone(), after_seq: None };
    let mut watch = timed.play.watch_match(&Caller::anonymous(), request).await.unwrap();
    watch.next().await.unwrap().unwrap();
    timed.clock.pass_ms(5_251);
    let frame = watch.next().await.unwrap().unwrap().frame;
    let Some(Frame::Event(proto::Event { kind: Some(Kind::MatchEnded(ended)), .. })) = frame else {
        panic!("the end was to come: {frame:?}");
    };
    assert_eq!(ended.result.unwrap().reason, "time");
}

#[tokio::test]
async fn deadlines_survive_a_restart() {
    let timed = Timed::start(per_move(5_000), NEVER).await;
    timed.table.submit(&timed.play, &timed.table.angels, "1,1").await.unwrap();
    timed.clock.pass_ms(5_251);
    let later = play_on(&timed.journal, &timed.clock, Duration::from_millis(5)).await;
    let request = proto::WatchMatchRequest { match_id: timed.table.match_id.clone(), after_seq: Some(5) };
    let mut watch = later.watch_match(&Caller::anonymous(), request).await.unwrap();
    let frames: Vec<_> = watch.by_ref().map(|frame| frame.unwrap().frame.unwrap()).collect().await;
    let Some(Frame::Event(last)) = frames.last() else { panic!("no event") };
    assert!(matches!(last.kind, Some(Kind::MatchEnded(_))));
}

#[tokio::test]
async fn a_match_that_nobody_comes_to_expires() {
    let journal = Journal::open(JournalConfig::new("memory:".parse().unwrap())).await.unwrap();
    let clock = HandClock::new();
    let play = play_on(&journal, &clock, Duration::from_millis(5)).await;
    let created = play.create_match(&Caller::anonymous(), table::create(3)).await.unwrap();
    let match_id = created.r#match.unwrap().match_id;
    play.claim_seat(&Caller::anonymous(), table::claim(&match_id, proto::Seat::One)).await.unwrap();
    let request = proto::WatchMatchRequest { match_id: match_id.clone(), after_seq: None };
    let mut watch = play.watch_match(&Caller::anonymous(), request).await.unwrap();
    watch.next().await.unwrap().unwrap();
    clock.pass_ms(24 * 60 * 60 * 1_000 + 251);
    let frame = watch.next().await.unwrap().unwrap().frame;
    let Some(Frame::Event(proto::Event { kind: Some(Kind::MatchEnded(ended)), .. })) = frame else {
        panic!("the end was to come: {frame:?}");
    };
    assert_eq!(ended.result.unwrap().reason, "expired");
}

#[tokio::test]
async fn a_match_that_has_started_never_expires() {
    let journal = Journal::open(JournalConfig::new("memory:".parse().unwrap())).await.unwrap();
    let clock = HandClock::new();
    let play = play_on(&journal, &clock, NEVER).await;
    let table = Table::start(&play, 3).await;
    clock.pass_ms(48 * 60 * 60 * 1_000);
    let until = journal::RecordedTime(i64::MAX);
    assert_eq!(journal.due(until, journal::PageSize(10)).await.unwrap(), []);
    table.submit(&play, &table.angels, "1,1").await.unwrap();
}

#[tokio::test]
async fn time_controls_out_of_range_are_refused_by_field() {
    let play = table::in_memory().await;
    let cases = [
        (proto::TimeControl { kind: None }, "time_control.kind"),
        (per_move(99), "time_control.per_move.move_ms"),
        (bank(0, 5), "time_control.bank.bank_ms"),
        (bank(1_000, 86_400_001), "time_control.bank.increment_ms"),
    ];
    for (control, field) in cases {
        let create = proto::CreateMatchRequest { time_control: Some(control), ..table::create(3) };
        let refusal = play.create_match(&Caller::anonymous(), create).await.unwrap_err();
        assert_eq!(refusal.fields[0].field, field);
    }
}
