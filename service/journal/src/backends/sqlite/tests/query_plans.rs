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
        players: [None, None],
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
    let played = MatchRange { players: [None, Some("Bo".to_owned())], ..owned.clone() };
    for (range, index) in [
        (all, "match_by_created"),
        (public, "match_by_visibility_created"),
        (over, "match_by_status_created"),
        (of_game, "match_by_game_created"),
        (open, "match_by_status_created"),
        (owned, "match_by_owner_created"),
        (played, "match_by_seat_1_created"),
    ] {
        let explain = format!("EXPLAIN QUERY PLAN {}", MatchQueries::new().list(&range).into_string());
        let explain = sqlx::query_as::<_, (i64, i64, i64, String)>(AssertSqlSafe(explain));
        let plan = explain.fetch_all(&store.readers).await.unwrap();
        let plan: Vec<String> = plan.into_iter().map(|(_, _, _, detail)| detail).collect();
        assert_eq!(plan.len(), 1, "no sorting: {plan:?}");
        assert!(plan[0].contains(&format!("USING INDEX {index} (")), "{index}: {plan:?}");
    }
}
