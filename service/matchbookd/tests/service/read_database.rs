//! Reads that may be stale come from a streaming standby. The tests use real ones: caught up, paused, killed,
//! promoted, and an unrelated database. Whichever server responds, a caller never sees less than before.

use journal::{FeedQuery, Journal, JournalConfig, Scope};
use tokio_stream::StreamExt;
use wire::v1;
use wire::v1::export_log_response::Record;

use crate::stage::{Client, Cluster, Process, Storage, Table, run};

const LOG_ALL: &str = "log_statement=all";

struct Servers {
    primary: Cluster,
    standby: Cluster,
    storage: Storage,
}

impl Servers {
    async fn new() -> Option<Self> {
        let primary = Cluster::start(&[LOG_ALL]).await?;
        let standby = primary.standby().await;
        let storage = Storage::at(&primary.url("postgres"));
        Some(Self { primary, standby, storage })
    }

    fn serve(&self) -> Process {
        Process::serve(&self.storage, &["--read-database", &self.standby.url("postgres")])
    }

    /// Waits until the standby has replayed everything that the primary flushed.
    async fn wait_for_replay(&self) {
        let flushed: String = sqlx::query_scalar("SELECT pg_current_wal_flush_lsn()::text")
            .fetch_one(&mut self.primary.connect("postgres").await)
            .await
            .unwrap();
        let mut standby = self.standby.connect("postgres").await;
        let replayed = "SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn";
        while !sqlx::query_scalar::<_, bool>(replayed).bind(&flushed).fetch_one(&mut standby).await.unwrap() {
            tokio::task::yield_now().await;
        }
    }

    /// Returns how many queries for events and for matches the standby logged.
    fn standby_queries(&self) -> [usize; 2] {
        let log = self.standby.log();
        ["FROM event WHERE match_id", ".create_time DESC"].map(|piece| log.matches(piece).count())
    }
}

/// Makes every read that may be stale as a spectator, and asserts that the results are complete.
async fn assert_reads_are_complete(client: &Client, tables: &[Table], events: u32) {
    let request = v1::ListMatchesRequest::default();
    let listed = client.matches.clone().list_matches(request).await.unwrap().into_inner().matches;
    for Table { match_id, .. } in tables {
        assert!(listed.iter().any(|one| one.match_id == *match_id), "{match_id} is not listed");
        let seqs: Vec<u32> = client.events(match_id, None, 7).await.iter().map(|event| event.seq).collect();
        assert_eq!(seqs, (1..=events).collect::<Vec<_>>());
        let request = v1::ExportLogRequest { match_id: match_id.clone() };
        let mut file = client.logs.clone().export_log(request).await.unwrap().into_inner();
        let mut exported = 0;
        while let Some(line) = file.next().await {
            exported += u32::from(matches!(line.unwrap().record, Some(Record::Event(_))));
        }
        assert_eq!(exported, events);
        let at_seq = Some(events - 1);
        let request = v1::GetViewRequest { match_id: match_id.clone(), at_seq, ..Default::default() };
        let view = client.matches.clone().get_view(request).await.unwrap().into_inner().view.unwrap();
        assert_eq!(view.seq, events - 1);
    }
}

/// Plays a match of [`EVENTS`] events.
async fn play_match(client: &Client) -> Table {
    let table = client.table(4, 6, 20).await;
    for (seat, notation) in (0..14).zip(crate::stage::Moves::new(4, 6, 1)) {
        client.submit(&table, seat % 2, format!("{},{}", notation.0, notation.1)).await.unwrap();
    }
    assert_eq!(client.head_seq(&table.match_id).await, EVENTS);
    table
}

/// Number of events: four before the first move, then three per turn.
const EVENTS: u32 = 4 + 7 * 3;

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_that_caught_up_serves_reads() {
    let Some(servers) = Servers::new().await else { return };
    let process = servers.serve();
    let client = Client::of(&process.address).await;
    let tables = [play_match(&client).await];
    servers.wait_for_replay().await;
    let before = servers.standby_queries();
    assert_reads_are_complete(&client, &tables, EVENTS).await;
    let after = servers.standby_queries();
    assert!(after[0] > before[0] && after[1] > before[1], "{before:?} {after:?}");
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_standby_hides_nothing() {
    let Some(servers) = Servers::new().await else { return };
    let process = servers.serve();
    let client = Client::of(&process.address).await;
    let mut tables = vec![play_match(&client).await];
    servers.wait_for_replay().await;
    servers.standby.execute("postgres", "SELECT pg_wal_replay_pause()").await;
    tables.push(play_match(&client).await);
    assert_reads_are_complete(&client, &tables, EVENTS).await;
    // The standby knows only part of the first match now.
    client.submit(&tables[0], 0, "1,1").await.ok();
    let other = Process::serve(&servers.storage, &["--read-database", &servers.standby.url("postgres")]);
    assert_reads_are_complete(&Client::of(&other.address).await, &tables[1..], EVENTS).await;
    servers.standby.execute("postgres", "SELECT pg_wal_replay_resume()").await;
    assert_reads_are_complete(&client, &tables[1..], EVENTS).await;
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_survive_a_lost_standby_and_return_to_it() {
    let Some(mut servers) = Servers::new().await else { return };
    let mut process = servers.serve();
    let client = Client::of(&process.address).await;
    let tables = [play_match(&client).await];
    servers.wait_for_replay().await;
    assert_reads_are_complete(&client, &tables, EVENTS).await;
    servers.standby.down();
    assert_reads_are_complete(&client, &tables, EVENTS).await;
    process.wait_for("the read database can't be used");
    let more = [play_match(&client).await];
    assert_reads_are_complete(&client, &more, EVENTS).await;
    servers.standby.up().await;
    while servers.standby_queries()[0] == 0 {
        assert_reads_are_complete(&client, &tables, EVENTS).await;
    }
    process.wait_for("the read database answers again");
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_not_a_standby_is_not_read() {
    let Some(mut servers) = Servers::new().await else { return };
    let mut process = servers.serve();
    let client = Client::of(&process.address).await;
    let tables = [play_match(&client).await];
    servers.wait_for_replay().await;
    // From here on it diverges from the primary.
    servers.standby.execute("postgres", "SELECT pg_promote()").await;
    servers.standby.execute("postgres", "ALTER TABLE event DISABLE TRIGGER ALL").await;
    servers.standby.execute("postgres", "DELETE FROM event WHERE seq > 5; DELETE FROM match").await;
    assert_reads_are_complete(&client, &tables, EVENTS).await;
    process.wait_for("not a standby of the primary's cluster");
    assert_eq!(process.terminate().0, Some(0));

    servers.standby.down();
    servers.standby = Cluster::start(&[]).await.unwrap();
    let mut process = servers.serve();
    assert_reads_are_complete(&Client::of(&process.address).await, &tables, EVENTS).await;
    process.wait_for("not a standby of the primary's cluster");
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_of_a_standby_is_complete_and_in_order() {
    let Some(servers) = Servers::new().await else { return };
    let process = servers.serve();
    let client = Client::of(&process.address).await;
    play_match(&client).await;
    servers.wait_for_replay().await;
    let mut config = JournalConfig::new(servers.primary.url("postgres").parse().unwrap());
    config.read_url = Some(servers.standby.url("postgres").parse().unwrap());
    let journal = Journal::open(config).await.unwrap();
    let read_feed = async || {
        let (mut after, mut events) = (None, Vec::new());
        while events.len() < EVENTS as usize * 2 {
            let query = FeedQuery { after, ..FeedQuery::new(Scope::Everything, 5) };
            let page = journal.feed(&query).await.unwrap();
            after = page.next;
            events.extend(page.events.iter().map(|event| (event.cursor, event.event.hash)));
            if page.events.is_empty() {
                journal.wait_for_feed(after).await.unwrap();
            }
        }
        events
    };
    servers.standby.execute("postgres", "SELECT pg_wal_replay_pause()").await;
    play_match(&client).await;
    let lagging = read_feed().await;
    servers.standby.execute("postgres", "SELECT pg_wal_replay_resume()").await;
    servers.wait_for_replay().await;
    assert_eq!(read_feed().await, lagging);
    assert!(lagging.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert!(servers.standby.log().contains("ORDER BY hlc, match_id, seq"));
    journal.close().await;
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test]
async fn only_postgres_can_have_a_read_database() {
    let arguments = ["serve", "--database", "memory:", "--listen", "127.0.0.1:0", "--read-database"];
    let (code, _, stderr) = run(&[&arguments[..], &["postgres://127.0.0.1/x"]].concat());
    assert_eq!(code, 4, "{stderr}");
    assert!(stderr.contains("a read database requires Postgres"), "{stderr}");
    let (code, _, stderr) = run(&[&arguments[..], &["mysql://ann:s3cret@db"]].concat());
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("--read-database: ") && !stderr.contains("s3cret"), "{stderr}");
}
