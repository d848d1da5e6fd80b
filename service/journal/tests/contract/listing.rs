//! Listing the directory: filters, scopes, order and pages.

use journal::{
    Append, Journal, MatchFilter, MatchId, MatchRow, MatchStatus, PlayerRow, RecordTime, Scope, SeatRow,
    Visibility,
};
use rstest::rstest;

use crate::samples::{claimed, create, new_id, registered, row};
use crate::stores::{Kind, TestStore};

pub(crate) const ALL: MatchFilter = MatchFilter::of(Scope::Everything, 100);

pub(crate) async fn list(journal: &Journal, filter: &MatchFilter) -> Vec<MatchId> {
    journal.list_matches(filter).await.unwrap().rows.into_iter().map(|row| row.match_id).collect()
}

async fn append_row(journal: &Journal, row: &MatchRow) {
    let append = Append { match_row: Some(row.clone()), ..create(row.match_id) };
    journal.append(append).await.unwrap();
}

/// Returns a claimed seat whose player has this name, and perhaps an id.
fn identified(name: &str, player_id: Option<&str>) -> Option<SeatRow> {
    let player_id = player_id.map(str::to_owned);
    let player = PlayerRow { salt: [7; 32], display_name: name.to_owned(), player_id };
    claimed(name).map(|seat| SeatRow { player: Some(player), ..seat })
}

#[rstest]
#[tokio::test]
async fn a_list_contains_what_passes_the_filter_newest_first(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let rows: [MatchRow; 4] = std::array::from_fn(|_| row(new_id()));
    let [a, b, c, d] = rows;
    let b = MatchRow { visibility: Visibility::Unlisted, seats: vec![claimed("Zoë"), claimed("Bo")], ..b };
    let c = MatchRow {
        registered: registered("bob", None),
        visibility: Visibility::Private,
        game: "cresnovian-chess".into(),
        ..c
    };
    let d = MatchRow { status: MatchStatus::Running, seats: vec![claimed("Bo"), None], ..d };
    for row in [&a, &b, &c, &d] {
        append_row(&journal, row).await;
    }
    let [a, b, c, d] = [a, b, c, d].map(|row| row.match_id);
    assert_eq!(list(&journal, &ALL).await, [d, c, b, a]);
    assert_eq!(list(&journal, &MatchFilter { scope: Scope::Public, ..ALL }).await, [d, a]);
    let or_owned = |owner: &str| MatchFilter { scope: Scope::PublicOrOwnedBy(owner.into()), ..ALL };
    assert_eq!(list(&journal, &or_owned("bob")).await, [d, c, a]);
    assert_eq!(list(&journal, &or_owned("ann")).await, [d, b, a]);
    assert_eq!(list(&journal, &or_owned("eve")).await, [d, a]);
    let owned = |owner: &str| MatchFilter { scope: Scope::OwnedBy(owner.into()), ..ALL };
    assert_eq!(list(&journal, &owned("bob")).await, [c]);
    assert_eq!(list(&journal, &owned("ann")).await, [d, b, a]);
    assert_eq!(list(&journal, &owned("eve")).await, []);
    assert_eq!(list(&journal, &MatchFilter { display_name: Some("Bo".into()), ..ALL }).await, [d, b]);
    let game = Some("cresnovian-chess".into());
    assert_eq!(list(&journal, &MatchFilter { game, ..ALL }).await, [c]);
    let status = Some(MatchStatus::Running);
    assert_eq!(list(&journal, &MatchFilter { status, ..ALL }).await, [d]);
    let page = MatchFilter { limit: 2, ..ALL };
    assert_eq!(list(&journal, &page).await, [d, c]);
    assert_eq!(list(&journal, &MatchFilter { before: Some(c), ..page.clone() }).await, [b, a]);
    assert_eq!(list(&journal, &MatchFilter { before: Some(new_id()), ..page }).await, []);
}

/// Returns sixty matches that differ in every filtered field. Some have the same creation time; some have a
/// larger id than a match that was created later.
pub(crate) fn many() -> Vec<MatchRow> {
    let ids: Vec<MatchId> = (0..60).map(|_| new_id()).collect();
    let visibilities = [Visibility::Public, Visibility::Unlisted, Visibility::Private];
    let names = ["Ann", "Bo", "Cy"];
    let ids_given = [None, Some("7"), Some("8")];
    ids.into_iter()
        .enumerate()
        .map(|(n, id)| MatchRow {
            registered: registered(["x", "y", ""][n % 3], None),
            visibility: visibilities[n / 3 % 3],
            game: ["ludus-magus", "cresnovian-chess"][n / 2 % 2].to_owned(),
            status: [MatchStatus::Open, MatchStatus::Running, MatchStatus::Over][n / 4 % 3],
            end_time: (n / 4 % 3 == 2).then_some(RecordTime(9)),
            seats: vec![
                identified(names[n / 5 % 3], ids_given[n / 2 % 3]),
                if n % 7 < 3 { None } else { identified(names[n % 3], ids_given[n / 7 % 3]) },
            ],
            create_time: RecordTime(i64::try_from(n * 37 % 60 / 4).unwrap() * 1000),
            ..row(id)
        })
        .collect()
}

/// Returns whether a match passes the filter, by the simplest code.
pub(crate) fn fits(row: &MatchRow, filter: &MatchFilter) -> bool {
    let public = row.visibility == Visibility::Public;
    let seen = match &filter.scope {
        Scope::Everything => true,
        Scope::Public => public,
        Scope::OwnedBy(owner) => row.registered.owner == *owner,
        Scope::PublicOrOwnedBy(owner) => public || row.registered.owner == *owner,
    };
    // An id is its owner's: it finds no other owner's match.
    let owners = match &filter.scope {
        Scope::OwnedBy(owner) | Scope::PublicOrOwnedBy(owner) => row.registered.owner == *owner,
        Scope::Everything | Scope::Public => false,
    };
    let is_wanted = |player: &PlayerRow| {
        filter.display_name.as_ref().is_none_or(|name| player.display_name == *name)
            && filter.player_id.as_ref().is_none_or(|id| owners && player.player_id.as_ref() == Some(id))
    };
    let mut players = row.seats.iter().flatten().filter_map(|seat| seat.player.as_ref());
    let all_players = filter.display_name.is_none() && filter.player_id.is_none();
    seen && (all_players || players.any(is_wanted))
        && filter.game.as_ref().is_none_or(|game| row.game == *game)
        && filter.status.is_none_or(|status| row.status == status)
        && filter.created_since.is_none_or(|since| row.create_time >= since)
        && filter.created_before.is_none_or(|before| row.create_time < before)
}

fn filters() -> Vec<MatchFilter> {
    let scopes =
        [Scope::Everything, Scope::Public, Scope::OwnedBy("x".into()), Scope::PublicOrOwnedBy("y".into())];
    let times = [(None, None), (Some(3000), None), (None, Some(9000)), (Some(3000), Some(9000))];
    let mut filters = Vec::new();
    for scope in scopes {
        for status in [None, Some(MatchStatus::Open), Some(MatchStatus::Over)] {
            for game in [None, Some("ludus-magus".to_owned())] {
                for (name, id) in
                    [(None, None), (Some("Bo"), None), (None, Some("7")), (Some("Bo"), Some("7"))]
                {
                    for (since, before) in times {
                        filters.push(MatchFilter {
                            scope: scope.clone(),
                            status,
                            game: game.clone(),
                            display_name: name.map(str::to_owned),
                            player_id: id.map(str::to_owned),
                            created_since: since.map(RecordTime),
                            created_before: before.map(RecordTime),
                            ..ALL
                        });
                    }
                }
            }
        }
    }
    filters
}

#[rstest]
#[tokio::test]
async fn pages_of_every_filter_have_no_gap_or_repetition(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let mut rows = many();
    for row in &rows {
        append_row(&journal, row).await;
    }
    rows.sort_by_key(|row| std::cmp::Reverse((row.create_time, row.match_id)));
    let mut found = 0;
    for filter in filters() {
        let wanted: Vec<MatchId> =
            rows.iter().filter(|row| fits(row, &filter)).map(|row| row.match_id).collect();
        found += wanted.len();
        assert_eq!(list(&journal, &filter).await, wanted, "{filter:?}");
        let mut paged = Vec::new();
        loop {
            let page = MatchFilter { before: paged.last().copied(), limit: 4, ..filter.clone() };
            let page = list(&journal, &page).await;
            paged.extend(&page);
            if page.len() < 4 {
                break;
            }
        }
        assert_eq!(paged, wanted, "{filter:?}");
    }
    assert!(found > 500, "too few matches pass the filters: {found}");
}
