//! Measures how many single-event appends per second a journal acknowledges, by the number of concurrent
//! callers.
//!
//! `cargo run --release -p journal --example append_rate -- URL [SECONDS] [CALLERS ...]`, with `memory:`,
//! `sqlite:///tmp/rate.db` or `postgres://...` of a database that the run may fill with rows.

use std::error::Error;
use std::time::{Duration, Instant};

use bytes::Bytes;
use event::{Event, Seats};
use journal::{
    Append, DeadlineChange, Hlc, Journal, JournalConfig, Labels, MatchId, MatchRow, MatchStatus, NewEvent,
    Predecessor, Seq, Visibility,
};
use uuid::Uuid;

/// The hash of every event. The journal does not verify hashes, and only compares them.
const HASH: [u8; 32] = [2; 32];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let url = args.next().ok_or("missing argument: the database URL")?;
    let seconds = Duration::from_secs(args.next().map_or(Ok(5), |text| text.parse())?);
    let mut callers: Vec<usize> = args.map(|text| text.parse()).collect::<Result<_, _>>()?;
    if callers.is_empty() {
        callers = vec![1, 16, 64, 256, 1024];
    }
    let journal = Journal::open(JournalConfig::new(url.parse()?)).await?;
    println!("{}", journal.description());
    println!("callers  appends/s  p50 ms  p99 ms");
    for count in callers {
        let started = Instant::now();
        let tasks: Vec<_> =
            (0..count).map(|_| tokio::spawn(play_until(journal.clone(), started + seconds))).collect();
        let mut latencies = Vec::new();
        for task in tasks {
            latencies.extend(task.await??);
        }
        let rate = latencies.len() as f64 / started.elapsed().as_secs_f64();
        latencies.sort_unstable();
        let at = |percent: usize| latencies[latencies.len() * percent / 100].as_secs_f64() * 1000.0;
        println!("{count:7}  {rate:9.0}  {:6.2}  {:6.2}", at(50), at(99));
    }
    journal.close().await;
    Ok(())
}

/// Appends one event after another to a match. Returns the latency of each.
async fn play_until(journal: Journal, end: Instant) -> Result<Vec<Duration>, journal::AppendError> {
    let match_id = MatchId(Uuid::now_v7());
    let mut hlc = None;
    let mut latencies = Vec::new();
    for seq in 1.. {
        let sent = Instant::now();
        if sent >= end {
            break;
        }
        let append = Append {
            match_id,
            events: vec![event(&journal, Seq(seq))],
            after: hlc.map(|hlc| Predecessor { hash: HASH, hlc }),
            match_row: (seq == 1).then(|| row(&journal, match_id)),
            deadline: DeadlineChange::Keep,
            labels: Labels::default(),
            to_act: Seats::NONE,
        };
        hlc = Some(Hlc::max(journal.append(append).await?.hlc, hlc.unwrap_or_default()));
        latencies.push(sent.elapsed());
    }
    Ok(latencies)
}

/// Returns an event about as large as a move with its state digest.
fn event(journal: &Journal, seq: Seq) -> NewEvent {
    let event = Event {
        seq,
        record_time: journal.now(),
        kind: 5,
        hash: HASH,
        public: Bytes::from_static(&[3; 64]),
        sealed: None,
    };
    NewEvent { event, request_hash: Some([1; 32]) }
}

fn row(journal: &Journal, match_id: MatchId) -> MatchRow {
    MatchRow {
        game: "ludus-magus".to_owned(),
        status: MatchStatus::Running,
        visibility: Visibility::Public,
        create_time: journal.now(),
        ..MatchRow::new(match_id)
    }
}
