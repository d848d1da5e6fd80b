//! Cards that a viewer may not see make no difference to it: two matches that differ in them alone give it the same
//! answers on every RPC, byte for byte (AE-50).

use std::collections::HashMap;

use rstest::rstest;
use tokio_stream::StreamExt;
use wire::games::ace_exorcist::v1 as ace;
use wire::v1::game_view::Game;
use wire::v1::{self, Seat};

use crate::stage::masked::{self, Seen};
use crate::stage::{Backend, Client, Stage, Storage, Table, sent};

/// So many deals have two with the same five cards in the Exorcist's hand: of 142 506 hands.
const DEALS: usize = 3_000;

/// A pair of dealt matches.
pub(crate) struct Pair(pub(crate) [Table; 2]);

pub(crate) async fn deal(client: &Client) -> Table {
    let request = v1::CreateMatchRequest { game: "ace-exorcist".to_owned(), ..Default::default() };
    let created = client.matches.clone().create_match(request).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let summoner = client.claim(&match_id, Seat::Zero, "Ann").await.unwrap();
    let exorcist = client.claim(&match_id, Seat::One, "Ben").await.unwrap();
    Table { match_id, tokens: [summoner, exorcist] }
}

/// The cards that a seat sees in its own hand.
async fn hand(client: &Client, table: &Table, seat: usize) -> Vec<ace::Card> {
    let view = client.view(table, Some(&table.tokens[seat])).await;
    let Some(Game::AceExorcist(shown)) = view.game.unwrap().game else { panic!("another game") };
    let side = if seat == 0 { shown.summoner } else { shown.exorcist };
    side.unwrap().hand.unwrap().cards
}

pub(crate) async fn same_exorcist(client: &Client) -> Pair {
    let mut dealt: HashMap<String, Table> = HashMap::new();
    for _ in 0..DEALS {
        let table = deal(client).await;
        let key = format!("{:?}", hand(client, &table, 1).await);
        if let Some(before) = dealt.remove(&key) {
            assert_ne!(hand(client, &before, 0).await, hand(client, &table, 0).await);
            return Pair([before, table]);
        }
        dealt.insert(key, table);
    }
    panic!("{DEALS} deals and no hand twice: the cards are not dealt as they should be");
}

#[tokio::test]
async fn the_exorcist_can_t_tell_what_the_summoner_holds() {
    let stage = Stage::on(Backend::Memory).await;
    let Pair(tables) = same_exorcist(&stage.client).await;
    let mut seen = Vec::new();
    for table in &tables {
        seen.push(looks(&stage.client, table, Some(&table.tokens[1])).await);
    }
    compare(&seen);
    stage.close().await;
}

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn a_spectator_can_t_tell_one_deal_from_another(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    let mut seen = Vec::new();
    for _ in 0..2 {
        let table = deal(&stage.client).await;
        let mut looked = looks(&stage.client, &table, None).await;
        // Passes show no card, but draw some.
        for seat in [0, 1, 0] {
            stage.client.submit(&table, seat, "pass").await.unwrap();
            looked.extend(looks(&stage.client, &table, None).await);
        }
        seen.push(looked);
    }
    compare(&seen);
    stage.close().await;
}

fn compare(seen: &[Vec<(&'static str, Seen)>]) {
    let [one, other] = seen else { panic!("two matches are compared") };
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other);
    }
}

/// Everything that a viewer can ask, and its answers.
async fn looks(client: &Client, table: &Table, eyes: Option<&str>) -> Vec<(&'static str, Seen)> {
    let mut matches = client.matches.clone();
    let match_id = || table.match_id.clone();
    let mut seen = Vec::new();

    let answer = matches.get_match(sent(v1::GetMatchRequest { match_id: match_id() }, eyes)).await;
    seen.push(("GetMatch", told("GetMatchResponse", answer, table)));
    for (seat, open) in [(None, false), (None, true), (Some(Seat::Zero), false), (Some(Seat::One), false)] {
        let seat = seat.map(Into::into);
        let request = v1::GetViewRequest { match_id: match_id(), seat, open, ..Default::default() };
        seen.push(("GetView", told("GetViewResponse", matches.get_view(sent(request, eyes)).await, table)));
    }
    let request = v1::ListEventsRequest { match_id: match_id(), ..Default::default() };
    let answer = matches.list_events(sent(request, eyes)).await;
    seen.push(("ListEvents", told("ListEventsResponse", answer, table)));
    for seat in [None, Some(Seat::Zero.into()), Some(Seat::One.into())] {
        let request = v1::ListLegalMovesRequest { match_id: match_id(), seat, ..Default::default() };
        let answer = matches.list_legal_moves(sent(request, eyes)).await;
        seen.push(("ListLegalMoves", told("ListLegalMovesResponse", answer, table)));
    }
    for path in [vec![], vec!["pass".to_owned()], vec!["attack".to_owned()]] {
        let request = v1::GetChoicesRequest { match_id: match_id(), path, expected_seq: None };
        let answer = matches.get_choices(sent(request, eyes)).await;
        seen.push(("GetChoices", told("GetChoicesResponse", answer, table)));
    }
    for notation in ["pass", "take-hit", "nonsense"] {
        let input = Some(v1::check_move_request::Input::Notation(notation.to_owned()));
        let request = v1::CheckMoveRequest { match_id: match_id(), input, expected_seq: None };
        let answer = matches.check_move(sent(request, eyes)).await;
        seen.push(("CheckMove", told("CheckMoveResponse", answer, table)));
        let input = Some(v1::submit_move_request::Input::Notation(notation.to_owned()));
        let request =
            v1::SubmitMoveRequest { match_id: match_id(), input, request_id: None, expected_seq: Some(1) };
        let answer = matches.submit_move(sent(request, eyes)).await;
        seen.push(("SubmitMove refused", told("SubmitMoveResponse", answer, table)));
    }
    let request = v1::SampleMoveRequest { match_id: match_id(), seed: Some(1) };
    let answer = matches.sample_move(sent(request, eyes)).await;
    seen.push(("SampleMove", told("SampleMoveResponse", answer, table)));
    let answer =
        matches.fork_match(sent(v1::ForkMatchRequest { match_id: match_id(), ..Default::default() }, eyes));
    seen.push(("ForkMatch refused", told("ForkMatchResponse", answer.await, table)));
    let request = v1::CreateRematchRequest { match_id: match_id(), request_id: None };
    let answer = matches.create_rematch(sent(request, eyes)).await;
    seen.push(("CreateRematch refused", told("CreateRematchResponse", answer, table)));
    seen.extend(watched(client, table, eyes).await);
    seen
}

/// The first frame from the start and all that follow at once.
async fn watched(client: &Client, table: &Table, eyes: Option<&str>) -> Vec<(&'static str, Seen)> {
    let head = client.head_seq(&table.match_id).await;
    let frames = client.watch(&table.match_id, Some(1), eyes).await.unwrap();
    let frames: Vec<_> = frames.take(usize::try_from(head).unwrap()).collect().await;
    frames.into_iter().map(|frame| ("WatchMatch", masked_frame(frame.unwrap(), table))).collect()
}

fn masked_frame(frame: v1::WatchMatchResponse, table: &Table) -> Seen {
    masked::answer("WatchMatchResponse", &frame, &table.match_id)
}

fn told<M: prost::Message>(
    type_name: &str,
    answer: Result<tonic::Response<M>, tonic::Status>,
    table: &Table,
) -> Seen {
    match answer {
        Ok(answer) => masked::answer(type_name, answer.get_ref(), &table.match_id),
        Err(status) => masked::refusal(&status),
    }
}
