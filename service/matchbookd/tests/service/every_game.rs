//! Every game from the first to the last move, by a client that knows none of them: it asks who is to act and takes
//! a sampled move, a listed one, or one that it builds from choices, and sends it typed or as notation.

use rstest::rstest;
use uuid::Uuid;
use wire::v1::get_choices_response::Next;
use wire::v1::submit_move_request::Input;
use wire::v1::{self, MatchStatus, Seat, question};

use crate::stage::{Backend, Client, Stage, Storage, Table, sent};

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn any_client_plays_any_game_to_its_end(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    let games = stage.client.games.clone().list_games(v1::ListGamesRequest {}).await.unwrap();
    let games = games.into_inner().games;
    assert_eq!(games.len(), 4);
    for game in &games {
        play(&stage.client, game).await;
    }
    stage.close().await;
}

async fn play(client: &Client, game: &v1::Game) {
    let table = sit_down(client, &game.game).await;
    let mut turn = 0;
    while let Some((seat, view)) = next_to_act(client, &table).await {
        let token = Some(table.tokens[seat].as_str());
        let input = match turn % 3 {
            0 => Input::Notation(sampled(client, &table, token, turn).await.notation),
            1 => Input::Move(built(client, &table, token, turn).await),
            _ => listed(client, &table, token).await,
        };
        let request = v1::SubmitMoveRequest {
            match_id: table.match_id.clone(),
            input: Some(input),
            request_id: Some(Uuid::new_v4().to_string()),
            expected_seq: Some(view.seq),
        };
        let answer = client.matches.clone().submit_move(sent(request, token)).await.unwrap().into_inner();
        assert_eq!(answer.events[0].seq, view.seq + 1, "{}", game.game);
        turn += 1;
    }
    check_end(client, &table, game).await;
}

async fn sit_down(client: &Client, game: &str) -> Table {
    let request = v1::CreateMatchRequest { game: game.to_owned(), ..Default::default() };
    let created = client.matches.clone().create_match(request).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let zero = client.claim(&match_id, Seat::Zero, "Ann").await.unwrap();
    let one = client.claim(&match_id, Seat::One, "Ben").await.unwrap();
    Table { match_id, tokens: [zero, one] }
}

/// A seat that may move, and the position as it sees it; none once the match is over.
async fn next_to_act(client: &Client, table: &Table) -> Option<(usize, v1::View)> {
    let seen = client.view(table, None).await;
    let seat = usize::from(*seen.to_act.first()? == i32::from(Seat::One));
    Some((seat, client.view(table, Some(&table.tokens[seat])).await))
}

async fn sampled(client: &Client, table: &Table, token: Option<&str>, seed: u64) -> v1::SampleMoveResponse {
    let request = v1::SampleMoveRequest { match_id: table.match_id.clone(), seed: Some(seed) };
    client.matches.clone().sample_move(sent(request, token)).await.unwrap().into_inner()
}

async fn listed(client: &Client, table: &Table, token: Option<&str>) -> Input {
    let request = v1::ListLegalMovesRequest { match_id: table.match_id.clone(), ..Default::default() };
    let answer = client.matches.clone().list_legal_moves(sent(request, token)).await.unwrap().into_inner();
    assert_eq!(answer.complete, answer.unlisted_families.is_empty() && !answer.truncated);
    match answer.moves.last() {
        Some(last) => Input::Notation(last.notation.clone()),
        // All moves of this position are in families too large to list.
        None => Input::Move(sampled(client, table, token, 0).await.r#move.unwrap()),
    }
}

/// Answers questions until a move stands there.
async fn built(client: &Client, table: &Table, token: Option<&str>, turn: u64) -> v1::Move {
    let mut request = v1::GetChoicesRequest { match_id: table.match_id.clone(), ..Default::default() };
    loop {
        let answer =
            client.matches.clone().get_choices(sent(request.clone(), token)).await.unwrap().into_inner();
        request.expected_seq = Some(answer.seq);
        match answer.next.unwrap() {
            Next::Finished(finished) => return finished.r#move.unwrap(),
            Next::Question(question) => request.path.push(an_answer(question, turn)),
        }
        assert!(request.path.len() <= 1_000, "the questions have no end");
    }
}

fn an_answer(question: v1::Question, turn: u64) -> String {
    match question.kind.unwrap() {
        question::Kind::OneOf(one_of) => {
            let count = u64::try_from(one_of.offers.len()).unwrap();
            let picked = usize::try_from(turn * 7 % count).unwrap();
            one_of.offers[picked].value.clone()
        }
        question::Kind::Integer(range) => range.max_value.to_string(),
        question::Kind::Text(limits) => {
            "word".chars().cycle().take(limits.min_chars.max(4) as usize).collect()
        }
    }
}

async fn check_end(client: &Client, table: &Table, game: &v1::Game) {
    for token in [None, Some(table.tokens[0].as_str()), Some(table.tokens[1].as_str())] {
        let view = client.view(table, token).await;
        assert_eq!(view.status(), MatchStatus::Over, "{}", game.game);
        let events = client.events(&table.match_id, token, 500).await;
        assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
        assert_eq!(view.seq, events.last().unwrap().seq);
    }
    let request = v1::GetViewRequest { match_id: table.match_id.clone(), open: true, ..Default::default() };
    let open = client.matches.clone().get_view(request).await.unwrap().into_inner().view.unwrap();
    assert_eq!(open.viewer(), v1::Viewer::Open);
}
