//! Histories that differ only in what a viewer may not see give it the same files, heads and feed, byte for byte.

use rstest::rstest;
use wire::v1;

use super::looks::{Masked, at};
use crate::hidden_hands::{Pair, deal, same_exorcist};
use crate::stage::{Backend, Stage, Storage, Table, sent};

async fn masked(stage: &Stage, table: &Table, eyes: Option<&str>) -> Vec<Masked> {
    let looks = at(stage, &table.match_id, eyes).await;
    looks.iter().map(|look| look.masked(&table.match_id)).collect()
}

#[track_caller]
fn compare(one: &[Masked], other: &[Masked]) {
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other);
    }
    assert_eq!(one.len(), other.len());
}

/// A turn that everybody has seen, and a choice of seat 0 that waits.
async fn choosing(stage: &Stage, choice: &str) -> Table {
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
async fn a_sealed_choice_makes_no_difference(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    // The first and the last black space: secrets of different sizes.
    let (one, other) = (choosing(&stage, "1,1").await, choosing(&stage, "26,26").await);
    let tokens = |seat: Option<usize>| [&one, &other].map(|table| seat.map(|seat| &*table.tokens[seat]));
    for [mine, yours] in [tokens(None), tokens(Some(1))] {
        compare(&masked(&stage, &one, mine).await, &masked(&stage, &other, yours).await);
    }
    let [mine, yours] = tokens(Some(0));
    let (own, others) = (masked(&stage, &one, mine).await, masked(&stage, &other, yours).await);
    assert!(own.iter().zip(&others).any(|(one, other)| one != other), "its seat is told its choice");

    // The turn never resolves: the choice stays sealed, from its own seat too (AD-5).
    for table in [&one, &other] {
        let resign = v1::ResignRequest { match_id: table.match_id.clone(), request_id: None };
        stage.client.matches.clone().resign(sent(resign, Some(&table.tokens[1]))).await.unwrap();
    }
    for [mine, yours] in [tokens(None), tokens(Some(0)), tokens(Some(1))] {
        compare(&masked(&stage, &one, mine).await, &masked(&stage, &other, yours).await);
    }
    stage.close().await;
}

#[tokio::test]
async fn the_exorcist_s_file_does_not_tell_what_the_summoner_holds() {
    let stage = Stage::on(Backend::Memory).await;
    let Pair([one, other]) = same_exorcist(&stage.client).await;
    let (mine, yours) = (Some(&*one.tokens[1]), Some(&*other.tokens[1]));
    compare(&masked(&stage, &one, mine).await, &masked(&stage, &other, yours).await);
    stage.close().await;
}

#[tokio::test]
async fn a_spectator_s_file_does_not_tell_one_deal_from_another() {
    let stage = Stage::on(Backend::Sqlite).await;
    let (one, other) = (deal(&stage.client).await, deal(&stage.client).await);
    for seat in [0, 1, 0] {
        compare(&masked(&stage, &one, None).await, &masked(&stage, &other, None).await);
        for table in [&one, &other] {
            stage.client.submit(table, seat, "pass").await.unwrap();
        }
    }
    compare(&masked(&stage, &one, None).await, &masked(&stage, &other, None).await);
    stage.close().await;
}
