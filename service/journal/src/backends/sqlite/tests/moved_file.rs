//! A file that is moved while it is served: no append is acknowledged that nobody would find again.

use std::time::Duration;

use crate::samples::{create, id, move_at};
use crate::{AppendError, Journal, JournalConfig, PageSize, ReadError, Seq, StopReason, Unready};

async fn opened(url: &str) -> Journal {
    let mut config = JournalConfig::new(url.parse().unwrap());
    config.timing.append_timeout = Duration::from_millis(200);
    Journal::open(config).await.unwrap()
}

#[tokio::test]
async fn nothing_is_acknowledged_until_the_file_is_back() {
    let dir = tempfile::tempdir().unwrap();
    let (path, away) = (dir.path().join("m.db"), dir.path().join("away.db"));
    let journal = opened(&format!("sqlite://{}", path.display())).await;
    journal.append(create(id(1), [1; 32])).await.unwrap();
    assert_eq!(journal.check().await, Ok(()));

    std::fs::rename(&path, &away).unwrap();
    assert!(matches!(journal.check().await, Err(Unready::Database(ReadError::Unavailable { .. }))));
    assert_eq!(journal.append(move_at(id(1), 2)).await.unwrap_err(), AppendError::OutcomeUnknown);
    assert!(!path.exists(), "an empty file was created in its place");

    std::fs::rename(&away, &path).unwrap();
    while journal.check().await.is_err() {
        tokio::task::yield_now().await;
    }
    let log = journal.events(id(1), Seq(0), PageSize(10)).await.unwrap();
    assert_eq!(log.len(), 2, "the append with unknown outcome was not written");
    journal.append(move_at(id(1), 3)).await.unwrap();
    journal.close().await;
}

#[tokio::test]
async fn another_file_in_its_place_stops_the_replica() {
    let dir = tempfile::tempdir().unwrap();
    let (path, copy) = (dir.path().join("m.db"), dir.path().join("copy.db"));
    let journal = opened(&format!("sqlite://{}", path.display())).await;
    journal.append(create(id(1), [1; 32])).await.unwrap();
    std::fs::copy(&path, &copy).unwrap();
    std::fs::rename(&copy, &path).unwrap();
    assert!(journal.check().await.is_err());
    assert!(journal.append(move_at(id(1), 2)).await.is_err());
    assert_eq!(journal.stopped().await, StopReason::HistoryChanged);
}
