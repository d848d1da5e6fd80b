//! Runs of the archiver on real databases: interrupted at every step, with files that change, and after a
//! restore.

use std::ops::ControlFlow;
use std::sync::Arc;

use archive::{
    Archive, ArchiveReader, ArchiveRun, CacheBytes, LogVerifier, MAX_SEGMENT_WEIGHT, RunError, RunStep,
    RunSummary, SegmentId,
};
use event::{Event, MatchId, RecordTime, Seats, Seq};
use journal::{
    Append, ArchivedLogs, ArchiverHandle, DeadlineChange, Journal, JournalConfig, Labels, MatchOutcome,
    MatchRow, MatchStatus, NewEvent, PageSize, StoredEvent,
};
use rstest::rstest;
use tempfile::TempDir;
use uuid::Uuid;

use crate::damaged::url;
use crate::databases::{Kind, TestDatabase};
use crate::written::{archive_key, signer, trust};

/// A database with finished matches and one that runs, and a folder for its archive.
struct Service {
    database: TestDatabase,
    folder: TempDir,
    finished: Vec<MatchId>,
    running: MatchId,
    /// The logs of all of them, before anything is archived.
    logs: Vec<Vec<StoredEvent>>,
}

impl Service {
    async fn with_matches(kind: Kind, count: usize) -> Option<Self> {
        let database = TestDatabase::new(kind).await?;
        let journal = Journal::open(config(&database)).await.unwrap();
        let mut finished = Vec::new();
        for _ in 0..count {
            finished.push(play(&journal, MatchStatus::Over).await);
        }
        let running = play(&journal, MatchStatus::Running).await;
        journal.close().await;
        let folder = tempfile::tempdir().unwrap();
        let service = Self { database, folder, finished, running, logs: Vec::new() };
        let logs = service.read().await;
        Some(Self { logs, ..service })
    }

    fn archive(&self) -> Archive {
        Archive::open(url(self.folder.path())).unwrap()
    }

    async fn run(&self) -> ArchiveRun {
        self.run_with(Arc::new(|_, _| Ok(()))).await
    }

    async fn run_with(&self, verify: LogVerifier) -> ArchiveRun {
        // The session of a run that was dropped ends in a moment.
        let database = loop {
            match ArchiverHandle::open(&config(&self.database)).await {
                Ok(database) => break database,
                Err(journal::OpenError::OtherArchiver | journal::OpenError::InUse { .. }) => {
                    tokio::task::yield_now().await;
                }
                Err(error) => panic!("{error}"),
            }
        };
        let (archive, key, signer) = (self.archive(), archive_key(), signer(1));
        let (before, max_weight) = (RecordTime(i64::MAX), MAX_SEGMENT_WEIGHT);
        ArchiveRun { database, archive, key, signer, before, max_weight, verify }
    }

    /// Archives everything that is left.
    async fn finish(&self) -> (RunSummary, Vec<RunStep>) {
        let mut run = self.run().await;
        let mut steps = Vec::new();
        let mut report = |step| {
            steps.push(step);
            ControlFlow::Continue(())
        };
        let summary = run.run(&mut report).await.unwrap();
        run.database.close().await;
        (summary, steps)
    }

    /// Returns the logs that a service with this archive reads.
    async fn read(&self) -> Vec<Vec<StoredEvent>> {
        let reader = ArchiveReader::new(self.archive(), trust(), CacheBytes(1 << 20));
        let archive = Some(Arc::new(reader) as Arc<dyn ArchivedLogs>);
        let journal = Journal::open(JournalConfig { archive, ..config(&self.database) }).await.unwrap();
        let mut logs = Vec::new();
        for id in self.finished.iter().chain([&self.running]) {
            logs.push(journal.events(*id, Seq(0), PageSize(100)).await.unwrap());
        }
        journal.close().await;
        logs
    }

    async fn events_stored(&self) -> i64 {
        self.database.number("SELECT count(*) FROM event").await
    }

    async fn segments_stored(&self) -> usize {
        self.archive().list().await.unwrap().len()
    }
}

fn config(database: &TestDatabase) -> JournalConfig {
    JournalConfig::new(database.url().parse().unwrap())
}

/// Appends a match of three events.
async fn play(journal: &Journal, status: MatchStatus) -> MatchId {
    let match_id = MatchId(Uuid::now_v7());
    let mut previous = None;
    let mut events = Vec::new();
    for seq in 1..=3 {
        let (record_time, public) =
            (RecordTime(1_700_000_000_000_000 + i64::from(seq)), b"move".as_slice().into());
        let mut event = Event { seq: Seq(seq), record_time, kind: 6, public, sealed: None, hash: [0; 32] };
        event.hash = event.link(match_id, previous).hash();
        previous = Some(event.hash);
        events.push(NewEvent { event, request_hash: Some([9; 32]) });
    }
    let over = status == MatchStatus::Over;
    let row = MatchRow {
        game: "ludus-magus".to_owned(),
        status,
        end_time: over.then_some(RecordTime(1_700_000_000_000_003)),
        outcome: over.then_some(MatchOutcome::None),
        ..MatchRow::new(match_id)
    };
    let append = Append {
        match_id,
        events,
        after: None,
        match_row: Some(row),
        deadline: DeadlineChange::Keep,
        labels: Labels::default(),
        to_act: Seats::NONE,
    };
    journal.append(append).await.unwrap();
    match_id
}

/// Players decide how long logs are, so the archiver checks a segment's weight after a few of them.
#[rstest]
#[tokio::test]
async fn few_logs_are_in_memory_beyond_the_weight_of_a_segment(
    #[values(Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(service) = Service::with_matches(kind, 10).await else { return };
    let mut run = service.run().await;
    run.max_weight = 1;
    let summary = run.run(&mut |_| ControlFlow::Continue(())).await.unwrap();
    run.database.close().await;
    assert_eq!(summary.matches, 10);
    assert!(summary.segments >= 3, "{} segments", summary.segments);
    assert_eq!(service.read().await, service.logs);
}

#[rstest]
#[tokio::test]
async fn finished_matches_are_archived_and_read_back_and_a_second_run_finds_none(
    #[values(Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(service) = Service::with_matches(kind, 3).await else { return };
    let (summary, steps) = service.finish().await;
    assert_eq!((summary.segments, summary.matches, summary.events), (1, 3, 9));
    assert_eq!((service.events_stored().await, service.segments_stored().await), (3, 1));
    assert_eq!(service.read().await, service.logs);
    let kinds: Vec<_> = steps.iter().map(std::mem::discriminant).collect();
    assert_eq!(kinds.len(), 1 + 3 + 4, "{steps:?}");
    let (summary, _) = service.finish().await;
    assert_eq!(summary, RunSummary::default());
    assert_eq!(service.read().await, service.logs);
}

/// Each number is a step after which the process is killed.
#[rstest]
#[tokio::test]
async fn a_run_that_is_killed_after_any_step_loses_nothing_and_can_be_repeated(
    #[values(Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let mut killed_after = Vec::new();
    for last in 0.. {
        let Some(service) = Service::with_matches(kind, 2).await else { return };
        let mut run = service.run().await;
        let mut count = 0;
        let mut reached = None;
        let mut report = |step: RunStep| {
            count += 1;
            if count > last {
                reached = Some(step);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let ended = run.run(&mut report).await;
        // Without closing anything.
        drop(run);
        let Some(step) = reached else {
            assert!(ended.is_ok());
            break;
        };
        assert_eq!(ended, Err(RunError::Interrupted), "{step:?}");
        let dropped = matches!(step, RunStep::Dropped(..));
        assert_eq!(service.events_stored().await, if dropped { 3 } else { 9 }, "{step:?}");
        assert_eq!(service.read().await, service.logs, "{step:?}");
        let (summary, _) = service.finish().await;
        assert_eq!(summary.matches, if dropped { 0 } else { 2 }, "{step:?}");
        assert_eq!((service.events_stored().await, service.segments_stored().await), (3, 1), "{step:?}");
        assert_eq!(service.read().await, service.logs, "{step:?}");
        killed_after.push(std::mem::discriminant(&step));
    }
    // Settled, two matches, announced, written, read back, dropped.
    assert_eq!(killed_after.len(), 7);
}

#[rstest]
#[tokio::test]
async fn a_file_that_is_not_what_was_written_keeps_the_matches_in_the_database(
    #[values(Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(service) = Service::with_matches(kind, 2).await else { return };
    let mut run = service.run().await;
    let folder = service.folder.path().to_owned();
    let mut report = |step: RunStep| {
        if let RunStep::Written(id) = step {
            let file = folder.join(format!("{id}.mbseg"));
            let mut bytes = std::fs::read(&file).unwrap();
            bytes[20] ^= 1;
            std::fs::write(&file, bytes).unwrap();
        }
        ControlFlow::Continue(())
    };
    let error = run.run(&mut report).await.unwrap_err();
    assert!(matches!(error, RunError::NotReadBack { .. }), "{error}");
    run.database.close().await;
    assert_eq!(service.events_stored().await, 9);
    let (summary, steps) = service.finish().await;
    assert_eq!(summary.matches, 2);
    let RunStep::Settled(settled) = &steps[0] else { panic!("{steps:?}") };
    assert_eq!((settled.discarded.len(), settled.unknown.len(), settled.missing.len()), (1, 0, 0));
    assert_eq!((service.segments_stored().await, service.read().await), (1, service.logs.clone()));
}

#[rstest]
#[tokio::test]
async fn a_match_that_does_not_verify_stays_and_is_named(#[values(Kind::Sqlite, Kind::Postgres)] kind: Kind) {
    let Some(service) = Service::with_matches(kind, 3).await else { return };
    let bad = service.finished[1];
    let verify = move |id: MatchId, _: &[StoredEvent]| match id == bad {
        true => Err("event 2 is illegal".to_owned()),
        false => Ok(()),
    };
    let mut run = service.run_with(Arc::new(verify)).await;
    let mut kept = Vec::new();
    let mut report = |step: RunStep| {
        if let RunStep::Kept { match_id, what } = step {
            kept.push((match_id, what));
        }
        ControlFlow::Continue(())
    };
    let summary = run.run(&mut report).await.unwrap();
    run.database.close().await;
    assert_eq!((summary.matches, summary.kept), (2, 1));
    assert_eq!(kept, [(bad, "event 2 is illegal".to_owned())]);
    assert_eq!((service.events_stored().await, service.read().await), (6, service.logs.clone()));
}

#[tokio::test]
async fn a_backup_from_before_a_run_is_noticed_and_loses_nothing() {
    let service = Service::with_matches(Kind::Sqlite, 2).await.unwrap();
    let (path, backup) = (service.database.path(), service.folder.path().join("backup.db"));
    std::fs::copy(&path, &backup).unwrap();
    service.finish().await;
    let first: Vec<SegmentId> = service.archive().list().await.unwrap();
    std::fs::copy(&backup, &path).unwrap();
    assert_eq!(service.read().await, service.logs);
    let (summary, steps) = service.finish().await;
    let RunStep::Settled(settled) = &steps[0] else { panic!("{steps:?}") };
    assert_eq!((settled.unknown.clone(), settled.discarded.len()), (first, 0));
    assert_eq!((summary.matches, service.segments_stored().await), (2, 2));
    assert_eq!(service.read().await, service.logs);
}

#[tokio::test]
async fn a_segment_that_vanished_is_told_at_the_next_run() {
    let service = Service::with_matches(Kind::Sqlite, 1).await.unwrap();
    service.finish().await;
    let stored = service.archive().list().await.unwrap();
    service.archive().delete(stored[0]).await.unwrap();
    let (_, steps) = service.finish().await;
    let RunStep::Settled(settled) = &steps[0] else { panic!("{steps:?}") };
    assert_eq!(settled.missing, stored);
}
