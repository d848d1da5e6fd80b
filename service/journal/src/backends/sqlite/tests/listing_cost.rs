//! What a list costs on SQLite, in steps of its virtual machine: as much with any number of matches that the
//! caller may not see.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use event::Seat;
use sqlx::{AssertSqlSafe, Executor};

use crate::backends::sqlite::{self, Sqlite};
use crate::{JournalConfig, JournalLimits, Labels, MatchFilter, MatchStatus, Scope, ToAct, directory};

/// Steps by which two runs of one list may differ, as the driver resets a statement sooner or later. A list
/// that looked at the matches of another owner would take thousands more.
const NOISE: u64 = 5;

/// A store with one connection for reading, whose steps are counted.
struct Counted {
    store: Sqlite,
    steps: Arc<AtomicU64>,
}

impl Counted {
    async fn new(path: &std::path::Path) -> Counted {
        let config = JournalConfig::new(format!("sqlite://{}", path.display()).parse().unwrap());
        let limits = JournalLimits { readers: 1, ..config.limits };
        let config = JournalConfig { limits, ..config };
        let store = sqlite::open(&config.store_settings(), path).await.unwrap();
        let steps = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&steps);
        let mut connection = store.readers.acquire().await.unwrap();
        connection.lock_handle().await.unwrap().set_progress_handler(1, move || {
            counter.fetch_add(1, Ordering::Relaxed);
            true
        });
        drop(connection);
        Counted { store, steps }
    }

    /// Returns the number of matches that a list returns, and its steps once its statements are prepared.
    async fn list(&self, filter: &MatchFilter) -> (usize, u64) {
        directory::list(&self.store, filter).await.unwrap();
        let before = self.steps.load(Ordering::Relaxed);
        let page = directory::list(&self.store, filter).await.unwrap();
        (page.rows.len(), self.steps.load(Ordering::Relaxed) - before)
    }

    /// Adds matches of an owner. They are of two games and two statuses, all with the same player and label.
    async fn fill(&self, owner: &str, visibility: &str, count: u32) {
        let sql = format!(
            "WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < {count})
             INSERT INTO \"match\" (match_id, owner, game, status, visibility, create_time, seat_count)
             SELECT randomblob(16), '{owner}', CASE n % 2 WHEN 0 THEN 'magus' ELSE 'chess' END,
                    CASE n % 3 WHEN 0 THEN 'open' ELSE 'running' END, '{visibility}', n, 2 FROM series;
             INSERT INTO match_seat (match_id, seat, owner, visibility, create_time, token_hash, generation,
                                     salt, display_name, player_id)
             SELECT match_id, 0, owner, visibility, create_time, zeroblob(32), 1, zeroblob(32), 'Bo', '7'
             FROM \"match\" WHERE owner = '{owner}';
             INSERT INTO match_label (match_id, key, value, owner, create_time)
             SELECT match_id, 'stage', 'final', owner, create_time FROM \"match\" WHERE owner = '{owner}'"
        );
        let mut connection = self.store.connection.lock().await;
        connection.as_mut().unwrap().execute(AssertSqlSafe(sql)).await.unwrap();
    }
}

/// Returns filters with these conditions in all combinations, among them some that no match passes.
fn filters(scope: &Scope) -> Vec<MatchFilter> {
    let mut filters = Vec::new();
    for game in [None, Some("magus"), Some("none")] {
        for status in [None, Some(MatchStatus::Running), Some(MatchStatus::Over)] {
            for name in [None, Some("Bo"), Some("Nobody")] {
                filters.push(MatchFilter {
                    game: game.map(str::to_owned),
                    status,
                    display_name: name.map(str::to_owned),
                    ..MatchFilter::of(scope.clone(), 50)
                });
            }
        }
    }
    filters
}

/// Returns the filters that only an owner has, each also with one that no match passes.
fn owners_filters(owner: &str) -> Vec<MatchFilter> {
    let all = || MatchFilter::of(Scope::OwnedBy(owner.to_owned()), 50);
    let labels = Labels([("stage".to_owned(), "final".to_owned())].into());
    let player = || MatchFilter { player_id: Some("7".to_owned()), ..all() };
    let filters = [
        player(),
        MatchFilter { labels, ..all() },
        MatchFilter { to_act: Some(ToAct::Player), ..player() },
        MatchFilter { to_act: Some(ToAct::Seat(Seat::ALL[1])), ..all() },
        MatchFilter { external_id: Some("x".to_owned()), ..all() },
    ];
    let in_vain = filters.clone().map(|filter| MatchFilter { game: Some("none".to_owned()), ..filter });
    filters.into_iter().chain(in_vain).collect()
}

#[tokio::test]
async fn a_list_costs_the_same_with_any_number_of_matches_that_its_caller_may_not_see() {
    let dir = tempfile::tempdir().unwrap();
    let counted = Counted::new(&dir.path().join("m.db")).await;
    counted.fill("bob", "public", 1500).await;
    counted.fill("ann", "unlisted", 1500).await;
    let ann = || "ann".to_owned();
    let mut all = filters(&Scope::Public);
    all.extend(filters(&Scope::OwnedBy(ann())));
    all.extend(filters(&Scope::PublicOrOwnedBy(ann())));
    all.extend(owners_filters("ann"));
    let mut before = Vec::new();
    for filter in &all {
        before.push(counted.list(filter).await);
    }
    assert!(before.iter().any(|(found, _)| *found == 50), "{before:?}");
    counted.fill("eve", "private", 10_000).await;
    for (filter, (found_before, steps_before)) in all.iter().zip(before) {
        let (found, steps) = counted.list(filter).await;
        assert_eq!(found, found_before, "{filter:?}");
        assert!(steps.abs_diff(steps_before) <= NOISE, "{steps_before} became {steps}: {filter:?}");
    }
}

#[tokio::test]
async fn a_list_looks_at_a_bounded_number_of_matches() {
    let dir = tempfile::tempdir().unwrap();
    let counted = Counted::new(&dir.path().join("m.db")).await;
    let all: Vec<MatchFilter> = [
        filters(&Scope::Public),
        filters(&Scope::Everything),
        filters(&Scope::PublicOrOwnedBy("ann".to_owned())),
        owners_filters("ann"),
    ]
    .concat();
    counted.fill("ann", "private", 20_000).await;
    counted.fill("bob", "public", 20_000).await;
    for filter in &all {
        let (_, steps) = counted.list(filter).await;
        // For each of at most three indexes some steps for each of 1000 entries.
        assert!(steps < 250_000, "{steps}: {filter:?}");
    }
    counted.fill("bea", "private", 80_000).await;
    counted.fill("bert", "public", 80_000).await;
    let mut most = 0;
    for filter in &all {
        let (_, steps) = counted.list(filter).await;
        assert!(steps < 250_000, "{steps}: {filter:?}");
        most = most.max(steps);
    }
    println!("most steps of a list: {most}");
}
