//! Which index SQLite uses for a listing.

use sqlx::{AssertSqlSafe, QueryBuilder};
use uuid::Uuid;

use crate::backends::sqlite;
use crate::backends::sqlite::statements::MatchQueries;
use crate::sql::last_candidate_query;
use crate::store::{IndexPrefix, MatchRange, Walk};
use crate::{JournalConfig, Labels, MatchId, MatchStatus, PageSize, RecordTime, Shards, ToAct, Visibility};

#[tokio::test]
async fn a_walk_reads_a_range_of_its_index_and_looks_up_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.db");
    let config = JournalConfig::new(format!("sqlite://{}", path.display()).parse().unwrap());
    let store = sqlite::open(&config.store_settings(), &path).await.unwrap();
    let mut indexes = Vec::new();
    for range in ranges() {
        for walk in range.walks() {
            let walked = MatchRange { walk: walk.clone(), last_candidate: Some(range.end), ..range.clone() };
            let plan_of_last = plan(&store, last_candidate_query(&walked, &walk, Shards::ONE)).await;
            let listed = plan(&store, MatchQueries::new().list(&walked)).await;
            for plan in [&plan_of_last, &listed] {
                assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "no sorting: {plan:?}");
                assert!(!plan.iter().any(|step| scans_a_table(step)), "{plan:?}");
            }
            let index = index_of(&range.prefix, &walk);
            assert_eq!(place(&plan_of_last, index), 0, "{plan_of_last:?}");
            place(&listed, index);
            indexes.push(index);
        }
    }
    indexes.sort_unstable();
    indexes.dedup();
    assert_eq!(indexes.len(), 10, "{indexes:?}");
}

#[tokio::test]
async fn a_list_of_webhooks_reads_its_owners_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.db");
    let config = JournalConfig::new(format!("sqlite://{}", path.display()).parse().unwrap());
    let store = sqlite::open(&config.store_settings(), &path).await.unwrap();
    let list = include_str!("../sql/webhooks/list_of_owner.sql");
    let steps = plan(&store, QueryBuilder::new(list)).await;
    assert!(steps.len() == 1 && place(&steps, "webhook_by_owner") == 0, "{steps:?}");
}

/// Returns ranges to which all walks lead.
fn ranges() -> Vec<MatchRange> {
    let labels =
        [("stage", "final"), ("tenant", "acme")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let owned = MatchRange { prefix: IndexPrefix::Owner("ann".to_owned()), ..all() };
    let everything = MatchRange {
        display_name: Some("Bo".to_owned()),
        player_id: Some("bo-7".to_owned()),
        labels: Labels(labels.into()),
        to_act: Some(ToAct::Player),
        game: Some("ludus-magus".to_owned()),
        status: Some(MatchStatus::Running),
        ..owned.clone()
    };
    let of_external_id = MatchRange { external_id: Some("x".to_owned()), ..everything.clone() };
    let named = MatchRange { display_name: Some("Bo".to_owned()), ..all() };
    let of_game = MatchRange { game: Some("ludus-magus".to_owned()), ..named.clone() };
    let over = MatchRange { status: Some(MatchStatus::Over), ..of_game.clone() };
    vec![all(), named, of_game, over, owned, everything, of_external_id]
}

/// Returns whether a step reads all rows of a table or of one of its indexes.
fn scans_a_table(step: &str) -> bool {
    step.starts_with("SCAN") && step != "SCAN c" && step != "SCAN m"
}

fn index_of(prefix: &IndexPrefix, walk: &Walk) -> &'static str {
    match (prefix, walk) {
        (_, Walk::ExternalId(_)) => "sqlite_autoindex_match_3",
        (_, Walk::PlayerId(_)) => "match_seat_by_player_id",
        (_, Walk::Label(..)) => "match_label_by_created",
        (_, Walk::Game(_)) => "match_by_visibility_game_created",
        (IndexPrefix::Owner(_), Walk::DisplayName(_)) => "match_seat_by_owner_name",
        (IndexPrefix::Owner(_), Walk::Status(_)) => "match_by_owner_status_created",
        (IndexPrefix::Owner(_), Walk::All) => "match_by_owner_created",
        (IndexPrefix::Visibility(_), Walk::DisplayName(_)) => "match_seat_by_visibility_name",
        (IndexPrefix::Visibility(_), Walk::Status(_)) => "match_by_visibility_status_created",
        (IndexPrefix::Visibility(_), Walk::All) => "match_by_visibility_created",
    }
}

/// Returns the place of the step of a plan that searches an index.
fn place(plan: &[String], index: &str) -> usize {
    let searches = |step: &String| step.starts_with("SEARCH") && step.contains(&format!("INDEX {index} ("));
    plan.iter().position(searches).unwrap_or_else(|| panic!("{index}: {plan:?}"))
}

async fn plan(store: &sqlite::Sqlite, query: QueryBuilder<sqlx::Sqlite>) -> Vec<String> {
    let explain = format!("EXPLAIN QUERY PLAN {}", query.into_string());
    let explain = sqlx::query_as::<_, (i64, i64, i64, String)>(AssertSqlSafe(explain));
    let plan = explain.fetch_all(&store.readers).await.unwrap();
    plan.into_iter().map(|(_, _, _, detail)| detail).collect()
}

fn all() -> MatchRange {
    MatchRange {
        prefix: IndexPrefix::Visibility(Visibility::Public),
        display_name: None,
        player_id: None,
        labels: Labels::NONE,
        external_id: None,
        to_act: None,
        game: None,
        status: None,
        since: RecordTime(0),
        end: (RecordTime(9), MatchId(Uuid::nil())),
        page: PageSize(10),
        walk: Walk::All,
        last_candidate: None,
    }
}
