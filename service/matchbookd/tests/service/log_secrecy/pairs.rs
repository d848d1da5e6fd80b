//! Histories that differ only in what a viewer may not see give it identical exports, heads and feeds.

use rstest::rstest;
use wire::v1;

use super::lines::{MaskedLine, fetch};
use crate::hidden_hands::{Pair, deal, deal_same_exorcist_hand};
use crate::stage::{Backend, Stage, Storage, Table, sent};

async fn masked(stage: &Stage, table: &Table, token: Option<&str>) -> Vec<MaskedLine> {
    let lines = fetch(stage, &table.match_id, token).await;
    lines.iter().map(|line| line.masked(&table.match_id)).collect()
}

#[track_caller]
fn assert_same(one: &[MaskedLine], other: &[MaskedLine]) {
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other);
    }
    assert_eq!(one.len(), other.len());
}

/// Plays one turn, then a sealed choice of seat 0.
async fn seal_choice(stage: &Stage, choice: &str) -> Table {
    let table = stage.client.table(26, 26, 20).await;
    stage.client.turn(&table, "5,5", "6,6").await;
    stage.client.submit(&table, 0, choice).await.unwrap();
    table
}

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn a_sealed_choice_makes_no_difference_to_other_viewers(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    // The first and the last black space: secrets of different sizes.
    let (one, other) = (seal_choice(&stage, "1,1").await, seal_choice(&stage, "26,26").await);
    let tokens = |seat: Option<usize>| [&one, &other].map(|table| seat.map(|seat| &*table.tokens[seat]));
    for [mine, yours] in [tokens(None), tokens(Some(1))] {
        assert_same(&masked(&stage, &one, mine).await, &masked(&stage, &other, yours).await);
    }
    let [mine, yours] = tokens(Some(0));
    let (own, others) = (masked(&stage, &one, mine).await, masked(&stage, &other, yours).await);
    assert!(own.iter().zip(&others).any(|(one, other)| one != other), "the seat does not see its own choice");

    // The turn never resolves: the choice stays sealed, for its own seat too (AD-5).
    for table in [&one, &other] {
        let resign = v1::ResignRequest { match_id: table.match_id.clone(), request_id: None };
        stage.client.matches.clone().resign(sent(resign, Some(&table.tokens[1]))).await.unwrap();
    }
    for [mine, yours] in [tokens(None), tokens(Some(0)), tokens(Some(1))] {
        assert_same(&masked(&stage, &one, mine).await, &masked(&stage, &other, yours).await);
    }
    stage.close().await;
}

#[tokio::test]
async fn the_exorcists_export_does_not_reveal_the_summoners_hand() {
    let stage = Stage::on(Backend::Memory).await;
    let Pair([one, other]) = deal_same_exorcist_hand(&stage.client).await;
    let (mine, yours) = (Some(&*one.tokens[1]), Some(&*other.tokens[1]));
    assert_same(&masked(&stage, &one, mine).await, &masked(&stage, &other, yours).await);
    stage.close().await;
}

#[tokio::test]
async fn a_spectators_export_does_not_distinguish_two_deals() {
    let stage = Stage::on(Backend::Sqlite).await;
    let (one, other) = (deal(&stage.client).await, deal(&stage.client).await);
    for seat in [0, 1, 0] {
        assert_same(&masked(&stage, &one, None).await, &masked(&stage, &other, None).await);
        for table in [&one, &other] {
            stage.client.submit(table, seat, "pass").await.unwrap();
        }
    }
    assert_same(&masked(&stage, &one, None).await, &masked(&stage, &other, None).await);
    stage.close().await;
}
