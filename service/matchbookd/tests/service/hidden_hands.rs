//! Hidden cards make no difference to a viewer: two matches that differ only in them give it the same answers
//! on every RPC, byte for byte (AE-50).

use std::collections::HashMap;

use rstest::rstest;
use tokio_stream::StreamExt;
use wire::games::ace_exorcist::v1 as ace;
use wire::v1::game_view::Game;
use wire::v1::{self};

use crate::stage::masked::{self, Seen};
use crate::stage::{Backend, Client, Stage, Storage, Table, sent};

/// Deals among which two almost certainly share the Exorcist's hand, one of 142 506.
const DEALS: usize = 3_000;

/// Two dealt matches that differ only in hidden cards.
pub(crate) struct Pair(pub(crate) [Table; 2]);

pub(crate) async fn deal(client: &Client) -> Table {
    let request = v1::CreateMatchRequest { game_id: "ace-exorcist".to_owned(), ..Default::default() };
    let created = client.matches.clone().create_match(request).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let summoner = client.claim(&match_id, 0, "Ann").await.unwrap();
    let exorcist = client.claim(&match_id, 1, "Ben").await.unwrap();
    Table { match_id, tokens: [summoner, exorcist] }
}

/// Returns the cards that a seat sees in its own hand.
async fn hand(client: &Client, table: &Table, seat: usize) -> Vec<ace::Card> {
    let view = client.view(table, Some(&table.tokens[seat])).await;
    let Some(Game::AceExorcist(shown)) = view.game_view.unwrap().game else { panic!("another game") };
    let side = if seat == 0 { shown.summoner } else { shown.exorcist };
    side.unwrap().hand.unwrap().cards
}

/// Deals until two matches have the same Exorcist's hand, with different Summoner's hands.
pub(crate) async fn deal_same_exorcist_hand(client: &Client) -> Pair {
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
    panic!("no hand was repeated in {DEALS} deals: the shuffle is broken");
}

#[tokio::test]
async fn the_exorcist_learns_nothing_about_the_summoners_hand() {
    let stage = Stage::on(Backend::Memory).await;
    let Pair(tables) = deal_same_exorcist_hand(&stage.client).await;
    let mut seen = Vec::new();
    for table in &tables {
        seen.push(all_answers(&stage.client, table, Some(&table.tokens[1])).await);
    }
    assert_same(&seen);
    stage.close().await;
}

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn a_spectator_cannot_distinguish_two_deals(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    let mut seen = Vec::new();
    for _ in 0..2 {
        let table = deal(&stage.client).await;
        let mut answers = all_answers(&stage.client, &table, None).await;
        // A pass reveals no card, but draws some.
        for seat in [0, 1, 0] {
            stage.client.submit(&table, seat, "pass").await.unwrap();
            answers.extend(all_answers(&stage.client, &table, None).await);
        }
        seen.push(answers);
    }
    assert_same(&seen);
    stage.close().await;
}

fn assert_same(seen: &[Vec<(&'static str, Seen)>]) {
    let [one, other] = seen else { panic!("expected two matches") };
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other);
    }
}

/// Calls every RPC about a match as this viewer and returns the masked answers.
async fn all_answers(client: &Client, table: &Table, token: Option<&str>) -> Vec<(&'static str, Seen)> {
    let mut matches = client.matches.clone();
    let match_id = || table.match_id.clone();
    let mut seen = Vec::new();

    let answer = matches.get_match(sent(v1::GetMatchRequest { match_id: match_id() }, token)).await;
    seen.push(("GetMatch", masked_answer("GetMatchResponse", answer, table)));
    let viewers =
        [v1::Viewer::spectator(), v1::Viewer::open(), v1::Viewer::in_seat(0), v1::Viewer::in_seat(1)];
    for viewer in viewers.map(Some).into_iter().chain([None]) {
        let request = v1::GetViewRequest { match_id: match_id(), viewer, ..Default::default() };
        seen.push((
            "GetView",
            masked_answer("GetViewResponse", matches.get_view(sent(request, token)).await, table),
        ));
    }
    let request = v1::ListEventsRequest { match_id: match_id(), ..Default::default() };
    let answer = matches.list_events(sent(request, token)).await;
    seen.push(("ListEvents", masked_answer("ListEventsResponse", answer, table)));
    for seat in [None, Some(0), Some(1)] {
        let request = v1::ListLegalMovesRequest { match_id: match_id(), seat, ..Default::default() };
        let answer = matches.list_legal_moves(sent(request, token)).await;
        seen.push(("ListLegalMoves", masked_answer("ListLegalMovesResponse", answer, table)));
    }
    for path in [vec![], vec!["pass".to_owned()], vec!["attack".to_owned()]] {
        let request = v1::GetChoicesRequest { match_id: match_id(), path, expected_seq: None };
        let answer = matches.get_choices(sent(request, token)).await;
        seen.push(("GetChoices", masked_answer("GetChoicesResponse", answer, table)));
    }
    for notation in ["pass", "take-hit", "nonsense"] {
        let input = Some(v1::check_move_request::Input::Notation(notation.to_owned()));
        let request = v1::CheckMoveRequest { match_id: match_id(), input, expected_seq: None };
        let answer = matches.check_move(sent(request, token)).await;
        seen.push(("CheckMove", masked_answer("CheckMoveResponse", answer, table)));
        let input = Some(v1::submit_move_request::Input::Notation(notation.to_owned()));
        let request = v1::SubmitMoveRequest {
            match_id: match_id(),
            input,
            expected_seq: Some(1),
            ..Default::default()
        };
        let answer = matches.submit_move(sent(request, token)).await;
        seen.push(("SubmitMove rejected", masked_answer("SubmitMoveResponse", answer, table)));
    }
    for strategy in [v1::Strategy::Random, v1::Strategy::Greedy] {
        let strategy = strategy.into();
        let request = v1::SuggestMoveRequest { match_id: match_id(), strategy, seed: Some(1) };
        let answer = matches.suggest_move(sent(request, token)).await;
        seen.push(("SuggestMove", masked_answer("SuggestMoveResponse", answer, table)));
    }
    let answer =
        matches.fork_match(sent(v1::ForkMatchRequest { match_id: match_id(), ..Default::default() }, token));
    seen.push(("ForkMatch rejected", masked_answer("ForkMatchResponse", answer.await, table)));
    let request = v1::CreateRematchRequest { match_id: match_id(), ..Default::default() };
    let answer = matches.create_rematch(sent(request, token)).await;
    seen.push(("CreateRematch rejected", masked_answer("CreateRematchResponse", answer, table)));
    seen.extend(watch_frames(client, table, token).await);
    seen
}

/// Returns the masked frames of a watch with views from event 1 to the newest event.
async fn watch_frames(client: &Client, table: &Table, token: Option<&str>) -> Vec<(&'static str, Seen)> {
    let head = client.head_seq(&table.match_id).await;
    let frames = client.watch_with_views(&table.match_id, Some(1), token).await.unwrap();
    let frames: Vec<_> = frames.take(usize::try_from(head).unwrap()).collect().await;
    frames.into_iter().map(|frame| ("WatchMatch", masked_frame(frame.unwrap(), table))).collect()
}

fn masked_frame(frame: v1::WatchMatchResponse, table: &Table) -> Seen {
    masked::answer("WatchMatchResponse", &frame, &table.match_id)
}

fn masked_answer<M: prost::Message>(
    type_name: &str,
    answer: Result<tonic::Response<M>, tonic::Status>,
    table: &Table,
) -> Seen {
    match answer {
        Ok(answer) => masked::answer(type_name, answer.get_ref(), &table.match_id),
        Err(status) => masked::refusal(&status),
    }
}
