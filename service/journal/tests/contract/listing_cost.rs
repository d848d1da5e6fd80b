//! What a list reads on Postgres, as its statistics count: no table as a whole, and as much with any number
//! of matches that the caller may not see.

use event::Seat;
use journal::{Labels, MatchFilter, MatchStatus, PageSize, Reader, Scope, Shards, ToAct};
use rstest::rstest;

use crate::database::TestDatabase;
use crate::stores::{Kind, TestStore, eventually};
use crate::webhooks::webhook;

/// The tables that lists of matches read.
const DIRECTORY: &str = "('match', 'match_seat', 'match_label', 'event')";
/// Everyone else who is connected: a server process reports what it read when its client is gone, that of a
/// test's statement too.
const CLIENTS: &str = "
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";

/// Adds matches of an owner. They are of two games and two statuses, all with the same player and label.
async fn fill(store: &TestStore, owner: &str, visibility: &str, count: u32) {
    let shard = if store.shards == Shards::ONE { "0" } else { "match_shard(match_id)" };
    let hash = "decode(repeat('00', 32), 'hex')";
    let sql = format!(
        "INSERT INTO match (shard, match_id, owner, game, status, visibility, create_time, seat_count)
         SELECT {shard}, match_id, '{owner}', CASE n % 2 WHEN 0 THEN 'magus' ELSE 'chess' END,
                CASE n % 3 WHEN 0 THEN 'open' ELSE 'running' END, '{visibility}', n, 2
         FROM (SELECT gen_random_uuid() AS match_id, n FROM generate_series(1, {count}) AS n) AS new;
         INSERT INTO match_seat (shard, match_id, seat, owner, visibility, create_time, token_hash,
                                 generation, salt, display_name, player_id)
         SELECT shard, match_id, 0, owner, visibility, create_time, {hash}, 1, {hash}, 'Bo', '7'
         FROM match WHERE owner = '{owner}';
         INSERT INTO match_label (shard, match_id, key, value, owner, create_time)
         SELECT shard, match_id, 'stage', 'final', owner, create_time FROM match WHERE owner = '{owner}';
         INSERT INTO event (shard, match_id, seq, record_time, hlc, writer, batch, kind, to_act, hash, public)
         SELECT shard, match_id, 1, create_time, 1, 1, 1, 1, 1, {hash}, '' FROM match WHERE owner = '{owner}'"
    );
    store.execute(&sql).await;
}

fn filters() -> Vec<MatchFilter> {
    let ann = || "ann".to_owned();
    let mut filters = Vec::new();
    for scope in [Scope::Public, Scope::OwnedBy(ann()), Scope::PublicOrOwnedBy(ann())] {
        for (game, status, name) in [
            (None, None, None),
            (Some("magus"), None, None),
            (None, Some(MatchStatus::Running), None),
            (None, None, Some("Bo")),
            (None, None, Some("Nobody")),
            (Some("none"), None, Some("Bo")),
            (Some("magus"), Some(MatchStatus::Over), Some("Bo")),
            (Some("none"), Some(MatchStatus::Running), None),
        ] {
            filters.push(MatchFilter {
                game: game.map(str::to_owned),
                status,
                display_name: name.map(str::to_owned),
                ..MatchFilter::of(scope.clone(), 50)
            });
        }
    }
    let owned = MatchFilter::of(Scope::OwnedBy(ann()), 50);
    let player = MatchFilter { player_id: Some("7".to_owned()), ..owned.clone() };
    let labels = Labels([("stage".to_owned(), "final".to_owned())].into());
    filters.push(MatchFilter { game: Some("none".to_owned()), labels, ..owned.clone() });
    filters.push(MatchFilter { to_act: Some(ToAct::Player), ..player.clone() });
    filters.push(MatchFilter { to_act: Some(ToAct::Seat(Seat::ALL[1])), ..owned });
    filters.push(player);
    filters
}

/// Returns the index entries read of these tables, and how often each was read as a whole. The server counts
/// them once its clients are gone.
async fn counts(database: &TestDatabase, tables: &str) -> (i64, String) {
    eventually("the clients are gone", || async { database.number(CLIENTS).await == 0 }).await;
    let read = format!(
        "SELECT coalesce(sum(idx_tup_read), 0)::bigint FROM pg_stat_user_indexes WHERE relname IN {tables}"
    );
    let scans = format!(
        "SELECT coalesce(string_agg(relname || ' ' || seq_scan, ', ' ORDER BY relname), '')
         FROM pg_stat_user_tables WHERE relname IN {tables}"
    );
    (database.number(&read).await, database.text(&scans).await)
}

/// Returns how many index entries a list reads.
async fn cost(store: &TestStore, database: &TestDatabase, filter: &MatchFilter) -> i64 {
    let (read, scanned) = counts(database, DIRECTORY).await;
    let reader = Reader::open(&store.config()).await.unwrap();
    reader.list_matches(filter).await.unwrap();
    reader.close().await;
    let (read_after, scanned_after) = counts(database, DIRECTORY).await;
    assert_eq!(scanned_after, scanned, "a table was read as a whole: {filter:?}");
    read_after - read
}

#[rstest]
#[tokio::test]
async fn a_list_reads_the_same_with_any_number_of_matches_that_its_caller_may_not_see(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    store.open().await.close().await;
    let database = store.database.as_ref().unwrap();
    // So many that Postgres, whose statistics are of a random sample, never prefers to read the small table.
    fill(&store, "bob", "public", 10_000).await;
    fill(&store, "ann", "unlisted", 10_000).await;
    database.execute("ANALYZE").await.unwrap();
    let mut before = Vec::new();
    for filter in filters() {
        before.push(cost(&store, database, &filter).await);
    }
    assert!(before.iter().any(|read| *read > 1000), "{before:?}");
    fill(&store, "eve", "private", 100_000).await;
    // Whether the planner knows of them or not.
    for statement in ["SELECT", "ANALYZE"] {
        database.execute(statement).await.unwrap();
        for (filter, before) in filters().iter().zip(&before) {
            let read = cost(&store, database, filter).await;
            assert_eq!(read, *before, "after {statement}: {filter:?}");
            assert!(read < 10_000, "{read}: {filter:?}");
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_list_of_webhooks_reads_its_owners_alone(#[values(Kind::Postgres, Kind::Sharded)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    for owner in ["ann", "ann", "bob"] {
        assert!(journal.webhooks().insert_webhook(&webhook(&journal, owner).await, 10).await.unwrap());
    }
    journal.close().await;
    let database = store.database.as_ref().unwrap();
    let others = "INSERT INTO webhook (webhook_id, owner, slot, url, kinds, state, key_fingerprint,
                                       secret_generation, create_time, revision, position)
                  SELECT gen_random_uuid(), 'app' || n, 0, url, kinds, state, key_fingerprint, 1, 1, 1,
                         position
                  FROM webhook, generate_series(1, 10000) AS n WHERE owner = 'bob'";
    database.execute(others).await.unwrap();
    database.execute("ANALYZE").await.unwrap();
    let before = counts(database, "('webhook')").await;
    let journal = store.open().await;
    let listed = journal.webhooks().list_webhooks(Some("ann"), None, PageSize(50)).await.unwrap();
    assert_eq!(listed.len(), 2);
    journal.close().await;
    assert_eq!(counts(database, "('webhook')").await, (before.0 + 2, before.1));
}
