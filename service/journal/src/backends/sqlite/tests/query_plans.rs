//! Which index SQLite uses for a listing.

use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::backends::sqlite;
use crate::backends::sqlite::statements::MatchQueries;
use crate::store::MatchRange;
use crate::{JournalConfig, MatchId, MatchStatus, PageSize, RecordTime, Visibility};

#[tokio::test]
async fn a_listing_reads_a_range_of_the_index_of_its_first_condition() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.db");
    let config = JournalConfig::new(format!("sqlite://{}", path.display()).parse().unwrap());
    let store = sqlite::open(&config.store_settings(), &path).await.unwrap();
    let all = MatchRange {
        visibility: None,
        owner: None,
        display_name: None,
        player_id: None,
        game: None,
        status: None,
        since: RecordTime(0),
        end: (RecordTime(9), MatchId(Uuid::nil())),
        page: PageSize(10),
    };
    let public = MatchRange { visibility: Some(Visibility::Public), ..all.clone() };
    let over = MatchRange { status: Some(MatchStatus::Over), ..public.clone() };
    let of_game = MatchRange { game: Some("ludus-magus".to_owned()), ..over.clone() };
    let open = MatchRange { status: Some(MatchStatus::Open), ..of_game.clone() };
    let owned = MatchRange { owner: Some("ann".to_owned()), ..open.clone() };
    let played = MatchRange { display_name: Some("Bo".to_owned()), ..owned.clone() };
    let known = MatchRange { player_id: Some("bo-7".to_owned()), ..played.clone() };
    for (range, index) in [
        (all, "match_by_created"),
        (public, "match_by_visibility_created"),
        (over, "match_by_status_created"),
        (of_game, "match_by_game_created"),
        (open, "match_by_status_created"),
        (owned, "match_by_owner_created"),
        (played, "match_seat_by_display_name"),
        (known, "match_seat_by_player_id"),
    ] {
        let explain = format!("EXPLAIN QUERY PLAN {}", MatchQueries::new().list(&range).into_string());
        let explain = sqlx::query_as::<_, (i64, i64, i64, String)>(AssertSqlSafe(explain));
        let plan = explain.fetch_all(&store.readers).await.unwrap();
        let plan: Vec<String> = plan.into_iter().map(|(_, _, _, detail)| detail).collect();
        assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "no sorting: {plan:?}");
        let uses = |index: &str| plan.iter().position(|step| step.contains(&format!("INDEX {index} (")));
        let first = uses(index).unwrap_or_else(|| panic!("{index}: {plan:?}"));
        // What comes after reads one row, or the seats of one match, by the key.
        let by_key = |step: &String| step.contains("_autoindex_match_") && step.contains("(match_id=?");
        let rest = plan.iter().skip(first + 1).filter(|step| step.starts_with("SEARCH"));
        assert!(rest.clone().count() > 0 && rest.clone().all(by_key), "{plan:?}");
    }
}
