//! Bytes and times of the archive, on matches of random moves of every game: `cargo bench -p archive`.
//! `MATCHBOOK_BENCH_MATCHES` is the number of matches per game. With `MATCHBOOK_TEST_DATABASE_URL`, an empty
//! database of a Postgres server, the run is measured there too. Prints figures and asserts none.

#![allow(clippy::unwrap_used, reason = "a panic ends the measurement")]

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use archive::{
    Archive, ArchiveKey, ArchiveReader, ArchiveRun, ArchiveTrust, ArchivedMatch, CacheBytes,
    MAX_SEGMENT_WEIGHT, RunStep, SegmentId, SegmentWriter,
};
use audit::Signer;
use event::{Event, MatchId, RecordTime, Seat, Seats};
use journal::{
    Append, ArchiverHandle, DeadlineChange, Hlc, Journal, JournalConfig, Labels, MatchOutcome, MatchRow,
    MatchStatus, NewEvent, Predecessor, StoredEvent,
};
use play::verify_finished;
use replay::{Decided, Decision, GivenTerms, NewMatch, Position, StartingPosition};
use rules::{Dice, GameId, Games, Options, Seed};
use uuid::Uuid;
use wire::v1::Visibility;

/// Events per append while the database is filled.
const APPEND: usize = 200;

/// A finished match.
struct Played {
    match_id: MatchId,
    events: Vec<Event>,
    moves: usize,
}

#[tokio::main]
async fn main() {
    let count = std::env::var("MATCHBOOK_BENCH_MATCHES").ok().map_or(100, |text| text.parse().unwrap());
    let mut all = Vec::new();
    for game in GameId::ALL {
        let played: Vec<_> = (0..count).map(|_| play(game)).collect();
        print_bytes(game.as_str(), &played);
        all.extend(played);
    }
    print_bytes("all games", &all);
    print_reads(&all).await;
    let folder = tempfile::tempdir().unwrap();
    print_run("SQLite", &format!("sqlite://{}", folder.path().join("bench.db").display()), &all).await;
    if let Ok(url) = std::env::var("MATCHBOOK_TEST_DATABASE_URL") {
        print_run("Postgres", &url, &all).await;
    }
}

/// Plays random moves to the end, with times between moves as people take them.
fn play(game: GameId) -> Played {
    let mut dice = Dice::new(&Seed::new(rand::random()));
    let options = Options::default_of(game);
    let rules_version = options.game().info().rules_version;
    let given = GivenTerms::default();
    let new = NewMatch {
        games: Games::built_in(),
        match_id: MatchId(Uuid::now_v7()),
        start: StartingPosition::Opening { options, rules_version, given, rematch_of: None },
        visibility: Visibility::Public,
        clock_settings: None,
        salt: rand::random(),
        seed_bytes: rand::random(),
    };
    let mut time = 1_790_000_000_000_000;
    let mut log = Log::of(Decision::create(&new, RecordTime(time)).unwrap());
    for seat in [Seat::ALL[0], Seat::ALL[1]] {
        let entropy = rand::random::<[u8; 32]>().to_vec();
        log.decide(&mut time, |decision| decision.claim(seat, "Ada", entropy, rand::random()).unwrap());
    }
    let mut moves = 0;
    while let Some(state) = log.position.running_state() {
        let seats: Vec<_> = state.to_act().iter().collect();
        let seat = *dice.pick(&seats).unwrap();
        let mv = state.sample(seat, &mut dice).unwrap();
        log.decide(&mut time, |decision| decision.submit(seat, &mv, rand::random()).unwrap());
        moves += 1;
    }
    Played { match_id: new.match_id, events: log.events, moves }
}

struct Log {
    position: Position,
    events: Vec<Event>,
}

impl Log {
    fn of(decision: Decision) -> Self {
        let Decided { position, events, .. } = decision.finish();
        Self { position, events }
    }

    fn decide(&mut self, time: &mut i64, decide: impl FnOnce(&mut Decision)) {
        *time += i64::from(rand::random::<u32>() % 20_000_000);
        let mut decision = Decision::on(&self.position, RecordTime(*time));
        decide(&mut decision);
        let Decided { position, events, .. } = decision.finish();
        self.position = position;
        self.events.extend(events);
    }
}

/// What the service stores of an event: a player's secret stands in the directory, not here.
fn stored(event: &Event, request_hash: Option<[u8; 32]>) -> StoredEvent {
    let claim = event.kind == 3;
    let event = if claim { event.redacted() } else { event.to_part() };
    let lag = i64::from(rand::random::<u32>() % 4_000);
    StoredEvent { hlc: Hlc(event.record_time.0 + lag), event, request_hash }
}

fn archived(played: &Played, requests: bool) -> ArchivedMatch {
    let request = || requests.then(rand::random);
    let events = played.events.iter().map(|event| stored(event, request())).collect();
    ArchivedMatch::new(played.match_id, events).unwrap()
}

fn signer() -> Signer {
    Signer::new("bench".parse().unwrap(), &[1; 32])
}

fn key() -> ArchiveKey {
    ArchiveKey::new([2; 32])
}

fn print_bytes(name: &str, all: &[Played]) {
    let moves: usize = all.iter().map(|played| played.moves).sum();
    for requests in [false, true] {
        let matches: Vec<_> = all.iter().map(|played| archived(played, requests)).collect();
        let start = Instant::now();
        let mut writer = SegmentWriter::new(SegmentId::generate(), &key());
        matches.iter().for_each(|one| writer.push(one));
        let written = writer.finish(&signer()).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let bytes = written.summary.bytes;
        println!(
            "{name}{}: {} matches, {moves} moves, {bytes} bytes, {:.1} bytes a move, {:.0} matches/s",
            if requests { " with request ids" } else { "" },
            all.len(),
            bytes as f64 / moves as f64,
            all.len() as f64 / seconds,
        );
    }
}

async fn print_reads(all: &[Played]) {
    let folder = tempfile::tempdir().unwrap();
    let archive = open(folder.path());
    let mut writer = SegmentWriter::new(SegmentId::generate(), &key());
    all.iter().for_each(|played| writer.push(&archived(played, true)));
    let written = writer.finish(&signer()).unwrap();
    archive.put(written.id, written.bytes.clone()).await.unwrap();
    let trust = ArchiveTrust { public_keys: vec![signer().public_key()], archive_keys: vec![key()] };
    let (mut first, mut later) = (Vec::new(), Vec::new());
    let kept = ArchiveReader::new(archive.clone(), trust.clone(), CacheBytes(1 << 20));
    for played in all.iter().step_by(7) {
        let fresh = ArchiveReader::new(archive.clone(), trust.clone(), CacheBytes(64 << 20));
        for (reader, times) in [(&fresh, &mut first), (&kept, &mut later)] {
            let start = Instant::now();
            reader.read(written.id, played.match_id).await.unwrap();
            times.push(start.elapsed());
        }
    }
    for (what, mut times) in [("index and block", first), ("block", later)] {
        times.sort_unstable();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
        println!("reading one match ({what} not cached): p50 {:.2} ms, p99 {:.2} ms", at(50), at(99));
    }
}

/// Fills a database and archives it, with the fold of every match.
async fn print_run(name: &str, url: &str, all: &[Played]) {
    let journal = Journal::open(JournalConfig::new(url.parse().unwrap())).await.unwrap();
    for played in all {
        append(&journal, played).await;
    }
    journal.close().await;
    let database = ArchiverHandle::open(&JournalConfig::new(url.parse().unwrap())).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut run = ArchiveRun {
        database,
        archive: open(folder.path()),
        key: key(),
        signer: signer(),
        before: RecordTime(i64::MAX),
        max_weight: MAX_SEGMENT_WEIGHT,
        verify: Arc::new(|id, log| verify_finished(Games::built_in(), id, log)),
    };
    let start = Instant::now();
    let mut times = Vec::new();
    let mut report = |step: RunStep| {
        if !matches!(step, RunStep::Verified(_)) {
            let step = format!("{step:?}").split(['(', ' ']).next().unwrap_or_default().to_owned();
            times.push(format!("{step} {:.2} s", start.elapsed().as_secs_f64()));
        }
        ControlFlow::Continue(())
    };
    let summary = run.run(&mut report).await.unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name}: {} matches, {} events archived in {seconds:.2} s: {:.0} matches/s ({})",
        summary.matches,
        summary.events,
        summary.matches as f64 / seconds,
        times.join(", "),
    );
    run.database.close().await;
}

async fn append(journal: &Journal, played: &Played) {
    let mut after = None;
    let count = played.events.len();
    for (part, events) in played.events.chunks(APPEND).enumerate() {
        let over = (part + 1) * APPEND >= count;
        let row = MatchRow {
            game: "bench".to_owned(),
            status: if over { MatchStatus::Over } else { MatchStatus::Running },
            end_time: over.then_some(RecordTime(1_790_000_000_000_000)),
            outcome: over.then_some(MatchOutcome::None),
            ..MatchRow::new(played.match_id)
        };
        let new = |event| {
            let StoredEvent { event, request_hash, .. } = stored(event, Some(rand::random()));
            NewEvent { event, request_hash }
        };
        let append = Append {
            match_id: played.match_id,
            events: events.iter().map(new).collect(),
            after,
            match_row: Some(row),
            deadline: DeadlineChange::Keep,
            labels: Labels::default(),
            to_act: Seats::NONE,
        };
        let hlc = journal.append(append).await.unwrap().hlc;
        after = events.last().map(|last| Predecessor { hash: last.hash, hlc });
    }
}

fn open(folder: &Path) -> Archive {
    Archive::open(format!("file://{}", folder.display()).parse().unwrap()).unwrap()
}
