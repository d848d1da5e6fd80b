//! Which index SQLite uses for a listing.

use sqlx::{AssertSqlSafe, QueryBuilder};
use uuid::Uuid;

use crate::backends::sqlite;
use crate::backends::sqlite::statements::MatchQueries;
use crate::sql::last_candidate_query;
use crate::store::{MatchRange, Walk};
use crate::{JournalConfig, Labels, MatchId, MatchStatus, PageSize, RecordTime, ToAct, Visibility};

#[tokio::test]
async fn a_listing_reads_a_range_of_the_index_of_its_first_condition() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.db");
    let config = JournalConfig::new(format!("sqlite://{}", path.display()).parse().unwrap());
    let store = sqlite::open(&config.store_settings(), &path).await.unwrap();
    let public = MatchRange { visibility: Some(Visibility::Public), ..all() };
    let over = MatchRange { status: Some(MatchStatus::Over), ..public.clone() };
    let of_game = MatchRange { game: Some("ludus-magus".to_owned()), ..over.clone() };
    let open = MatchRange { status: Some(MatchStatus::Open), ..of_game.clone() };
    let played = MatchRange { display_name: Some("Bo".to_owned()), ..open.clone() };
    for (range, index) in [
        (all(), "match_by_created"),
        (public, "match_by_visibility_created"),
        (over, "match_by_status_created"),
        (of_game, "match_by_game_created"),
        (open, "match_by_status_created"),
        (played, "match_seat_by_display_name"),
    ] {
        let plan = plan(&store, MatchQueries::new().list(&range)).await;
        assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "no sorting: {plan:?}");
        let first = place(&plan, index);
        // What comes after reads one row, or the seats of one match, by the key.
        let by_key = |step: &String| step.contains("_autoindex_match_") && step.contains("(match_id=?");
        let rest = plan.iter().skip(first + 1).filter(|step| step.starts_with("SEARCH"));
        assert!(rest.clone().count() > 0 && rest.clone().all(by_key), "{plan:?}");
    }
}

#[tokio::test]
async fn a_walk_reads_a_range_of_its_index_and_looks_up_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.db");
    let config = JournalConfig::new(format!("sqlite://{}", path.display()).parse().unwrap());
    let store = sqlite::open(&config.store_settings(), &path).await.unwrap();
    let owned = MatchRange { owner: Some("ann".to_owned()), ..all() };
    let labels =
        [("stage", "final"), ("tenant", "acme")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let everything = MatchRange {
        visibility: Some(Visibility::Private),
        display_name: Some("Bo".to_owned()),
        player_id: Some("bo-7".to_owned()),
        labels: Labels(labels.into()),
        to_act: Some(ToAct::Player),
        game: Some("ludus-magus".to_owned()),
        status: Some(MatchStatus::Running),
        ..owned.clone()
    };
    let of_external_id = MatchRange { external_id: Some("x".to_owned()), ..everything.clone() };
    let mut indexes = Vec::new();
    for range in [owned, everything, of_external_id] {
        for walk in range.walks() {
            let walked =
                MatchRange { walk: Some(walk.clone()), last_candidate: Some(range.end), ..range.clone() };
            let plan_of_last = plan(&store, last_candidate_query(&walked, &walk)).await;
            assert!(!plan_of_last.iter().any(|step| step.contains("TEMP B-TREE")), "{plan_of_last:?}");
            let listed = plan(&store, MatchQueries::new().list(&walked)).await;
            for plan in [&plan_of_last, &listed] {
                assert!(!plan.iter().any(|step| scans_a_table(step)), "{plan:?}");
            }
            let index = index_of(&walk);
            assert_eq!(place(&plan_of_last, index), 0, "{plan_of_last:?}");
            place(&listed, index);
            indexes.push(index);
        }
    }
    indexes.dedup();
    assert_eq!(indexes.len(), 5, "{indexes:?}");
}

/// Returns whether a step reads all rows of a table or of one of its indexes.
fn scans_a_table(step: &str) -> bool {
    step.starts_with("SCAN") && step != "SCAN c" && step != "SCAN m"
}

fn index_of(walk: &Walk) -> &'static str {
    match walk {
        Walk::ExternalId(_) => "sqlite_autoindex_match_3",
        Walk::Player(_) => "match_seat_by_player_id",
        Walk::Label(..) => "match_label_by_created",
        Walk::Status(_) => "match_by_owner_status_created",
        Walk::Owned => "match_by_owner_created",
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
        visibility: None,
        owner: None,
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
        walk: None,
        last_candidate: None,
    }
}
