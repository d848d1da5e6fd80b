//! One process serves a file, whatever name it is opened by. The tests open it twice in one process; the lock
//! distinguishes the two as it distinguishes processes.

use std::os::unix::fs::symlink;

use tempfile::TempDir;

use crate::{Journal, JournalConfig, OpenError, migrate};

fn config(dir: &TempDir, name: &str) -> JournalConfig {
    JournalConfig::new(format!("sqlite://{}", dir.path().join(name).display()).parse().unwrap())
}

#[tokio::test]
async fn a_served_file_is_refused_under_a_symbolic_link() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::open(config(&dir, "m.db")).await.unwrap();
    symlink(dir.path().join("m.db"), dir.path().join("other.db")).unwrap();
    let second = Journal::open(config(&dir, "other.db")).await;
    assert!(matches!(second, Err(OpenError::InUse { .. })));
    assert!(matches!(migrate(&config(&dir, "other.db").url, None, None).await, Err(OpenError::InUse { .. })));
    journal.close().await;
    Journal::open(config(&dir, "other.db")).await.unwrap().close().await;
}

#[tokio::test]
async fn a_served_file_is_refused_under_a_hard_link() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::open(config(&dir, "m.db")).await.unwrap();
    std::fs::hard_link(dir.path().join("m.db"), dir.path().join("other.db")).unwrap();
    let second = Journal::open(config(&dir, "other.db")).await;
    assert!(matches!(second, Err(OpenError::InUse { .. })));
    journal.close().await;
}

#[tokio::test]
async fn a_file_with_hard_links_is_refused_until_it_has_one_name() {
    let dir = tempfile::tempdir().unwrap();
    Journal::open(config(&dir, "m.db")).await.unwrap().close().await;
    let other = dir.path().join("other.db");
    std::fs::hard_link(dir.path().join("m.db"), &other).unwrap();
    let linked = Journal::open(config(&dir, "m.db")).await;
    assert!(matches!(linked, Err(OpenError::ManyNames { names: 2, .. })));
    std::fs::remove_file(other).unwrap();
    Journal::open(config(&dir, "m.db")).await.unwrap().close().await;
}
