//! Listing an owner's matches by what only the owner knows, and by whose turn it is.

use std::cmp::Reverse;

use event::{Seat, Seats};
use futures_util::future::join_all;
use journal::{
    Append, Journal, Labels, MatchFilter, MatchId, MatchRow, MatchStatus, RecordTime, Registered, Scope,
    SeatRow, ToAct,
};
use rstest::rstest;

use crate::listing::{ALL, fits, list, many};
use crate::samples::{claimed, create, event, move_at, new_id, registered, row};
use crate::stores::{Kind, TestStore};

/// How many matches a call looks at.
const WALKED: usize = 1000;

/// A match, and what its row does not hold.
struct Sample {
    row: MatchRow,
    labels: Labels,
    to_act: Seats,
}

impl Sample {
    fn append(&self) -> Append {
        let (labels, to_act) = (self.labels.clone(), self.to_act);
        Append { match_row: Some(self.row.clone()), labels, to_act, ..create(self.row.match_id) }
    }

    /// Returns whether the match passes the filter, by the simplest code.
    fn fits(&self, filter: &MatchFilter) -> bool {
        let acts = |seat: Seat| self.row.status == MatchStatus::Running && self.to_act.contains(seat);
        let players = Seat::ALL.into_iter().zip(&self.row.seats).filter_map(|(seat, claimed)| {
            claimed.as_ref().and_then(|claimed| claimed.player.as_ref()).map(|player| (seat, player))
        });
        let mut wanted = players.filter(|(_, player)| {
            filter.player_id.as_ref().is_none_or(|id| player.player_id.as_ref() == Some(id))
                && filter.display_name.as_ref().is_none_or(|name| player.display_name == *name)
        });
        fits(&self.row, filter)
            && filter.labels.0.iter().all(|(key, value)| self.labels.0.get(key) == Some(value))
            && filter
                .external_id
                .as_ref()
                .is_none_or(|id| self.row.registered.external_id.as_ref() == Some(id))
            && match filter.to_act {
                None => true,
                Some(ToAct::Seat(seat)) => acts(seat),
                Some(ToAct::Player) => wanted.any(|(seat, _)| acts(seat)),
            }
    }
}

fn labels(pairs: &[(&str, &str)]) -> Labels {
    Labels(pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect())
}

fn samples() -> Vec<Sample> {
    let rows = many().into_iter().enumerate();
    let sample = |(n, row): (usize, MatchRow)| Sample {
        labels: match n % 5 {
            0 => Labels::NONE,
            // Labels have an owner.
            _ if row.registered.owner.is_empty() => Labels::NONE,
            1 => labels(&[("stage", "final")]),
            2 => labels(&[("stage", "")]),
            _ => labels(&[("stage", "final"), ("tenant", ["a", "b"][n % 2])]),
        },
        to_act: Seats::from_iter([Seat::ALL[n % 2]].into_iter().filter(|_| n % 3 < 2)),
        row: MatchRow {
            registered: Registered {
                external_id: (n % 4 == 0).then(|| (n / 6).to_string()),
                ..row.registered
            },
            ..row
        },
    };
    rows.map(sample).collect()
}

fn filters() -> Vec<MatchFilter> {
    let label_sets: [&[(&str, &str)]; 5] = [
        &[],
        &[("stage", "final")],
        &[("stage", "")],
        &[("stage", "final"), ("tenant", "b")],
        &[("stage", "semifinal")],
    ];
    let seat = |number: usize| Some(ToAct::Seat(Seat::ALL[number]));
    let mut filters = Vec::new();
    for labels in label_sets.map(self::labels) {
        for player_id in [None, Some("7".to_owned())] {
            for to_act in [None, seat(0), seat(1), seat(7), Some(ToAct::Player)] {
                for (game, status, name) in [
                    (None, None, None),
                    (Some("ludus-magus"), None, None),
                    (None, Some(MatchStatus::Running), Some("Bo")),
                ] {
                    filters.push(MatchFilter {
                        labels: labels.clone(),
                        player_id: player_id.clone(),
                        // Without a player it is nobody's turn in particular.
                        to_act: to_act.filter(|turn| *turn != ToAct::Player || player_id.is_some()),
                        game: game.map(str::to_owned),
                        status,
                        display_name: name.map(str::to_owned),
                        ..MatchFilter::of(Scope::OwnedBy("x".to_owned()), 100)
                    });
                }
            }
        }
    }
    let external = |id: usize| MatchFilter { external_id: Some(id.to_string()), ..filters[0].clone() };
    let external: Vec<MatchFilter> = (0..12).map(external).collect();
    filters.extend(external);
    filters
}

#[rstest]
#[tokio::test]
async fn an_owner_finds_its_matches_by_what_it_knows_of_them(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let mut samples = samples();
    for sample in &samples {
        journal.append(sample.append()).await.unwrap();
    }
    samples.sort_by_key(|sample| Reverse((sample.row.create_time, sample.row.match_id)));
    let mut found = 0;
    for filter in filters() {
        let fitting = samples.iter().filter(|sample| sample.fits(&filter));
        let wanted: Vec<MatchId> = fitting.map(|sample| sample.row.match_id).collect();
        found += wanted.len();
        assert_eq!(list(&journal, &filter).await, wanted, "{filter:?}");
        assert_eq!(pages(&journal, &MatchFilter { limit: 2, ..filter.clone() }).await.concat(), wanted);
        // These filters find only matches that the caller owns, even if it may see others.
        let conditions = [&filter.player_id, &filter.external_id].into_iter().flatten().count();
        if conditions + filter.labels.0.len() + usize::from(filter.to_act.is_some()) > 0 {
            for scope in [Scope::Public, Scope::Everything, Scope::PublicOrOwnedBy("z".to_owned())] {
                assert_eq!(list(&journal, &MatchFilter { scope, ..filter.clone() }).await, []);
            }
        }
    }
    assert!(found > 150, "too few matches pass the filters: {found}");
}

/// Returns all pages of a list.
async fn pages(journal: &Journal, filter: &MatchFilter) -> Vec<Vec<MatchId>> {
    let (mut pages, mut before) = (Vec::new(), filter.before);
    loop {
        let page = journal.list_matches(&MatchFilter { before, ..filter.clone() }).await.unwrap();
        pages.push(page.rows.iter().map(|row| row.match_id).collect());
        match page.next {
            None => return pages,
            next => before = next,
        }
    }
}

#[rstest]
#[tokio::test]
async fn the_newest_event_tells_whose_turn_it_is(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let id = new_id();
    let running =
        |id| MatchRow { status: MatchStatus::Running, seats: vec![claimed("A"), claimed("B")], ..row(id) };
    let [one, other] = [Seat::ALL[0], Seat::ALL[1]];
    let first = Append { match_row: Some(running(id)), to_act: Seats::only(one), ..create(id) };
    let hlc = journal.append(first).await.unwrap().hlc;
    let turn = async |seat| {
        let filter = MatchFilter {
            to_act: Some(ToAct::Seat(seat)),
            ..MatchFilter::of(Scope::OwnedBy("ann".to_owned()), 10)
        };
        !list(&journal, &filter).await.is_empty()
    };
    assert_eq!((turn(one).await, turn(other).await), (true, false));
    let append = Append { to_act: Seats::only(other), ..move_at(id, 2, hlc, "x") };
    let hlc = journal.append(append).await.unwrap().hlc;
    assert_eq!((turn(one).await, turn(other).await), (false, true));
    // Of several events that are appended at once the last counts.
    let several = vec![event(id, 3, "x"), event(id, 4, "x")];
    let both = Seats::from_iter([one, other]);
    let append = Append { events: several, to_act: both, ..move_at(id, 3, hlc, "x") };
    let hlc = journal.append(append).await.unwrap().hlc;
    assert_eq!((turn(one).await, turn(other).await), (true, true));
    let append = Append { to_act: Seats::NONE, ..move_at(id, 5, hlc, "x") };
    journal.append(append).await.unwrap();
    assert_eq!((turn(one).await, turn(other).await), (false, false));
}

#[rstest]
#[tokio::test]
async fn a_call_looks_at_a_limited_number_of_matches(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let ids: Vec<MatchId> = (0..2 * WALKED + 7).map(|_| new_id()).collect();
    let rare = [0, 1, WALKED + 20];
    let append = |(n, id): (usize, &MatchId)| {
        let (is_rare, number) = (rare.contains(&n), i64::try_from(n).unwrap());
        let mut pairs = vec![("tenant", "acme"), ("season", "1")];
        pairs.extend(is_rare.then_some(("stage", "final")));
        let seats: Vec<Option<SeatRow>> = vec![claimed("A"), None];
        let game = if is_rare { "cresnovian-chess" } else { "ludus-magus" }.to_owned();
        let registered = registered("ann", None);
        // Some were created at the same time.
        let create_time = RecordTime(number / 3);
        let row = MatchRow { registered, game, status: MatchStatus::Running, seats, create_time, ..row(*id) };
        let to_act = if is_rare { Seats::only(Seat::ALL[1]) } else { Seats::only(Seat::ALL[0]) };
        journal.append(Sample { row, labels: labels(&pairs), to_act }.append())
    };
    for appended in join_all(ids.iter().enumerate().map(append)).await {
        appended.unwrap();
    }
    let owned = MatchFilter::of(Scope::OwnedBy("ann".to_owned()), 10);
    let acme = labels(&[("tenant", "acme"), ("season", "1")]);
    let game = Some("cresnovian-chess".to_owned());
    let in_vain = [
        MatchFilter { labels: acme.clone(), game: game.clone(), ..owned.clone() },
        MatchFilter { game: game.clone(), ..owned.clone() },
        MatchFilter { to_act: Some(ToAct::Seat(Seat::ALL[1])), ..owned.clone() },
        MatchFilter { game, scope: Scope::PublicOrOwnedBy("ann".to_owned()), ..owned.clone() },
    ];
    for filter in in_vain {
        let pages = pages(&journal, &filter).await;
        let mut found = pages.concat();
        found.sort_unstable();
        assert_eq!(found, rare.map(|n| ids[n]), "{filter:?}");
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 2], "{filter:?}");
    }
    // A condition with few candidates leads to all of them at once.
    let stage = labels(&[("season", "1"), ("stage", "final"), ("tenant", "acme")]);
    let filter = MatchFilter { labels: stage, ..owned.clone() };
    assert_eq!(pages(&journal, &filter).await.iter().map(Vec::len).collect::<Vec<_>>(), [3]);
    // A filter that every candidate passes has full pages.
    let filter = MatchFilter { limit: 1500, ..owned };
    assert_eq!(pages(&journal, &filter).await.iter().map(Vec::len).collect::<Vec<_>>(), [1500, 507]);
    assert_eq!(list(&journal, &ALL).await.len(), 100);
}
