//! A streaming replica that answers what may be old. Real ones: caught up, standing still, killed, promoted, and a database
//! that is none. What a caller was told before it is told again, whoever answers.

use journal::{FeedQuery, Journal, JournalConfig, Scope};
use tokio_stream::StreamExt;
use wire::v1;
use wire::v1::export_log_response::Record;

use crate::stage::{Client, Cluster, Process, Storage, Table, run};

const LOG_ALL: &str = "log_statement=all";

struct Scene {
    primary: Cluster,
    standby: Cluster,
    storage: Storage,
}

impl Scene {
    async fn new() -> Option<Self> {
        let primary = Cluster::start(&[LOG_ALL]).await?;
        let standby = primary.standby().await;
        let storage = Storage::at(&primary.url("postgres"));
        Some(Self { primary, standby, storage })
    }

    fn serve(&self) -> Process {
        Process::serve(&self.storage, &["--read-database", &self.standby.url("postgres")])
    }

    /// Waits until the standby shows everything.
    async fn caught_up(&self) {
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

    /// How often the standby was asked for events and for matches.
    fn asked(&self) -> [usize; 2] {
        let log = self.standby.log();
        ["FROM event WHERE match_id", "ORDER BY created_time DESC"].map(|piece| log.matches(piece).count())
    }
}

/// Everything that may be old, looked at as an anonymous caller: it has to be whole.
async fn look(client: &Client, tables: &[Table], events: u32) {
    let request = v1::ListMatchesRequest::default();
    let listed = client.matches.clone().list_matches(request).await.unwrap().into_inner().matches;
    for Table { match_id, .. } in tables {
        assert!(listed.iter().any(|one| one.match_id == *match_id), "{match_id} is not in the directory");
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

/// A match of 24 events.
async fn played(client: &Client) -> Table {
    let table = client.table(4, 6, 20).await;
    for (seat, notation) in (0..14).zip(crate::stage::Moves::new(4, 6, 1)) {
        client.submit(&table, seat % 2, format!("{},{}", notation.0, notation.1)).await.unwrap();
    }
    assert_eq!(client.head_seq(&table.match_id).await, EVENTS);
    table
}

/// Four before the first move; a turn of two choices is three.
const EVENTS: u32 = 4 + 7 * 3;

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_that_has_caught_up_answers() {
    let Some(scene) = Scene::new().await else { return };
    let process = scene.serve();
    let client = Client::of(&process.address).await;
    let tables = [played(&client).await];
    scene.caught_up().await;
    let before = scene.asked();
    look(&client, &tables, EVENTS).await;
    let after = scene.asked();
    assert!(after[0] > before[0] && after[1] > before[1], "{before:?} {after:?}");
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_that_stands_still_hides_nothing() {
    let Some(scene) = Scene::new().await else { return };
    let process = scene.serve();
    let client = Client::of(&process.address).await;
    let mut tables = vec![played(&client).await];
    scene.caught_up().await;
    scene.standby.execute("postgres", "SELECT pg_wal_replay_pause()").await;
    tables.push(played(&client).await);
    look(&client, &tables, EVENTS).await;
    // And one that the standby knows in part.
    client.submit(&tables[0], 0, "1,1").await.ok();
    let other = Process::serve(&scene.storage, &["--read-database", &scene.standby.url("postgres")]);
    look(&Client::of(&other.address).await, &tables[1..], EVENTS).await;
    scene.standby.execute("postgres", "SELECT pg_wal_replay_resume()").await;
    look(&client, &tables[1..], EVENTS).await;
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_that_goes_away_is_missed_by_nobody_and_used_again_when_it_is_back() {
    let Some(mut scene) = Scene::new().await else { return };
    let mut process = scene.serve();
    let client = Client::of(&process.address).await;
    let tables = [played(&client).await];
    scene.caught_up().await;
    look(&client, &tables, EVENTS).await;
    scene.standby.down();
    look(&client, &tables, EVENTS).await;
    process.wait_for("the read database can't be used");
    let more = [played(&client).await];
    look(&client, &more, EVENTS).await;
    scene.standby.up().await;
    while scene.asked()[0] == 0 {
        look(&client, &tables, EVENTS).await;
    }
    process.wait_for("the read database answers again");
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_standby_of_this_database_is_not_read() {
    let Some(mut scene) = Scene::new().await else { return };
    let mut process = scene.serve();
    let client = Client::of(&process.address).await;
    let tables = [played(&client).await];
    scene.caught_up().await;
    // It goes its own way from here.
    scene.standby.execute("postgres", "SELECT pg_promote()").await;
    scene.standby.execute("postgres", "ALTER TABLE event DISABLE TRIGGER ALL").await;
    scene.standby.execute("postgres", "DELETE FROM event WHERE seq > 5; DELETE FROM match").await;
    look(&client, &tables, EVENTS).await;
    process.wait_for("not a standby of the primary's cluster");
    assert_eq!(process.terminate().0, Some(0));

    scene.standby.down();
    scene.standby = Cluster::start(&[]).await.unwrap();
    let mut process = scene.serve();
    look(&Client::of(&process.address).await, &tables, EVENTS).await;
    process.wait_for("not a standby of the primary's cluster");
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_comes_from_a_standby_whole_and_in_order() {
    let Some(scene) = Scene::new().await else { return };
    let process = scene.serve();
    let client = Client::of(&process.address).await;
    played(&client).await;
    scene.caught_up().await;
    let mut config = JournalConfig::new(scene.primary.url("postgres").parse().unwrap());
    config.read_url = Some(scene.standby.url("postgres").parse().unwrap());
    let journal = Journal::open(config).await.unwrap();
    let whole = async || {
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
    scene.standby.execute("postgres", "SELECT pg_wal_replay_pause()").await;
    played(&client).await;
    let lagging = whole().await;
    scene.standby.execute("postgres", "SELECT pg_wal_replay_resume()").await;
    scene.caught_up().await;
    assert_eq!(whole().await, lagging);
    assert!(lagging.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert!(scene.standby.log().contains("ORDER BY hlc, match_id, seq"));
    journal.close().await;
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test]
async fn only_a_postgres_has_one() {
    let arguments = ["serve", "--database", "memory:", "--listen", "127.0.0.1:0", "--read-database"];
    let (code, _, complaint) = run(&[&arguments[..], &["postgres://127.0.0.1/x"]].concat());
    assert_eq!(code, 4, "{complaint}");
    assert!(complaint.contains("a read database requires Postgres"), "{complaint}");
    let (code, _, complaint) = run(&[&arguments[..], &["mysql://ann:s3cret@db"]].concat());
    assert_eq!(code, 2, "{complaint}");
    assert!(
        complaint.contains("MATCHBOOK_READ_DATABASE_URL") && !complaint.contains("s3cret"),
        "{complaint}"
    );
}
