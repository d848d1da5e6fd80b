//! A file that can't grow any more: acknowledged events stay, callers get an error, and later appends
//! succeed. Also the mode of a new file.

use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};

use sqlx::AssertSqlSafe;
use tokio::task::JoinSet;
use tracing::subscriber::NoSubscriber;

use crate::backends::sqlite::{self, Sqlite};
use crate::ids::ReplicaId;
use crate::samples::{create, head_seq, id, move_at};
use crate::store::Backend;
use crate::{Append, AppendError, Journal, JournalConfig, MatchId, PageSize, Seq, Shards};

/// Lets the file grow by `pages`. SQLite reports a full disk and a file at its size limit by the same code.
async fn let_grow(store: &Sqlite, pages: i64) {
    let mut connection = store.connection.lock().await;
    let connection = connection.as_mut().unwrap();
    let now: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *connection).await.unwrap();
    let limit = format!("PRAGMA max_page_count = {}", now + pages);
    sqlx::query(AssertSqlSafe(limit)).execute(connection).await.unwrap();
}

/// Appends until the file is full. Returns the last acknowledged seq.
async fn play_until_full(journal: Journal, id: MatchId, last: u32) -> u32 {
    for seq in last + 1.. {
        match journal.append(large(move_at(id, seq))).await {
            Ok(_) => {}
            Err(AppendError::Overloaded { .. }) => return seq - 1,
            Err(other) => panic!("{other:?}"),
        }
    }
    unreachable!("the file has no limit")
}

fn large(mut append: Append) -> Append {
    append.events[0].event.public = vec![7; 3000].into();
    append
}

#[tokio::test]
async fn only_the_owner_can_read_a_new_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.db");
    let config = JournalConfig::new(format!("sqlite://{}", path.display()).parse().unwrap());
    let store = sqlite::open(&config.store_settings(), &path).await.unwrap();
    for file in ["m.db", "m.db-wal", "m.db-shm"] {
        let mode = dir.path().join(file).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    drop(store);
}

/// What was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_full_disk_loses_nothing_and_appends_succeed_when_there_is_space() {
    // While there is one subscriber only, tracing asks the thread that logs a line first whether it has
    // one, and that may be another test's.
    let _other = tracing::Dispatch::new(NoSubscriber::new());
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer({
        let log = log.clone();
        move || log.clone()
    });
    let _logging = tracing::subscriber::set_default(subscriber.finish());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("full.db");
    let url = format!("sqlite://{}", path.display());
    let config = JournalConfig::new(url.parse().unwrap());
    let store = Arc::new(sqlite::open(&config.store_settings(), &path).await.unwrap());
    let (webhooks, description) = (store.clone(), url.clone());
    let backend = Backend { store: store.clone(), webhooks, tail: None, shards: Shards::ONE, description };
    let journal = Journal::start(backend, &config, ReplicaId::generate()).await.unwrap();
    for n in 1..=4 {
        journal.append(create(id(n), [u8::try_from(n).unwrap(); 32])).await.unwrap();
    }
    let_grow(&store, 200).await;
    let mut players = JoinSet::new();
    for n in 1..=4 {
        let journal = journal.clone();
        players.spawn(async move { (id(n), play_until_full(journal, id(n), 1).await) });
    }
    let mut acknowledged = players.join_all().await;
    // A single event may still fit where a batch does not.
    for (id, seq) in &mut acknowledged {
        *seq = play_until_full(journal.clone(), *id, *seq).await;
    }
    assert!(acknowledged.iter().map(|(_, seq)| seq).sum::<u32>() > 50, "{acknowledged:?}");
    // Reads still work.
    for &(id, seq) in &acknowledged {
        assert_eq!(head_seq(&journal, id).await, Some(Seq(seq)));
    }
    let logged = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("database or disk is full"), "{logged}");
    let_grow(&store, 1000).await;
    for &(id, seq) in &acknowledged {
        journal.append(large(move_at(id, seq + 1))).await.unwrap();
    }
    journal.close().await;
    drop(store);
    let journal = Journal::open(config).await.unwrap();
    for &(id, seq) in &acknowledged {
        let log = journal.events(id, Seq(0), PageSize(1000)).await.unwrap();
        assert_eq!(log.len(), seq as usize + 1);
    }
}
