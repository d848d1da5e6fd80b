//! A Postgres database with several shards, served by the real program.

use crate::stage::{Backend, Client, Process, Storage, run};

#[tokio::test(flavor = "multi_thread")]
async fn a_database_with_shards_is_served_and_keeps_their_number() {
    let Some(storage) = Storage::of(Backend::Postgres).await else { return };
    let migrate = |shards: &str| run(&["migrate", "--database", storage.url(), "--shards", shards]);
    let (code, stdout, stderr) = migrate("4");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("up to date"), "{stdout}");
    let mut played = Vec::new();
    for replica in 0..2 {
        let process = Process::serve(&storage, &[]);
        let client = Client::of(&process.address).await;
        for _ in 0..8 {
            let table = client.table(3, 3, 1).await;
            client.turn(&table, "1,1", "3,3").await;
            played.push(table.match_id);
        }
        // Those of the process before too.
        assert_eq!(played.len(), 8 * (replica + 1));
        for match_id in &played {
            assert_eq!(client.head_seq(match_id).await, 8);
        }
        assert_eq!(process.terminate().0, Some(0));
    }
    let (code, _, stderr) = migrate("2");
    assert_eq!(code, 4, "{stderr}");
    for piece in ["cannot divide", "has 4 shards and can't get 2", "omit --shards"] {
        assert!(stderr.contains(piece), "lacks {piece}: {stderr}");
    }
    assert_eq!(migrate("4").0, 0);
    assert_eq!(run(&["migrate", "--database", storage.url()]).0, 0);
}
