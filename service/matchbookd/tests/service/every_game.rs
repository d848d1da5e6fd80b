//! Every game from the first to the last move, played by a client that knows no rules: it reads who is to act
//! and submits a suggested move, a listed one, or one built from choices, typed or as notation.

use rstest::rstest;
use uuid::Uuid;
use wire::v1::get_choices_response::Next;
use wire::v1::submit_move_request::Input;
use wire::v1::{self, MatchStatus, question};

use crate::stage::{Backend, Client, Stage, Storage, Table, sent};

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn a_client_without_rules_plays_every_game_to_its_end(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    let games = stage.client.games.clone().list_games(v1::ListGamesRequest::default()).await.unwrap();
    let games = games.into_inner().games;
    assert_eq!(games.len(), 4);
    for game in &games {
        play(&stage.client, game).await;
    }
    stage.close().await;
}

async fn play(client: &Client, game: &v1::Game) {
    let table = create_and_claim(client, &game.game_id).await;
    let mut turn = 0;
    while let Some((seat, view)) = next_to_act(client, &table).await {
        let token = Some(table.tokens[seat].as_str());
        let input = match turn % 3 {
            0 => Input::Notation(suggest_move(client, &table, token, turn).await.notation),
            1 => Input::Move(build_move(client, &table, token, turn).await),
            _ => Input::Notation(listed_move(client, &table, token).await),
        };
        let request = v1::SubmitMoveRequest {
            match_id: table.match_id.clone(),
            input: Some(input),
            request_id: Some(Uuid::new_v4().to_string()),
            expected_seq: Some(view.seq),
            ..Default::default()
        };
        let answer = client.matches.clone().submit_move(sent(request, token)).await.unwrap().into_inner();
        assert_eq!(answer.events[0].seq, view.seq + 1, "{}", game.game_id);
        turn += 1;
    }
    assert_over(client, &table, game).await;
}

async fn create_and_claim(client: &Client, game: &str) -> Table {
    let request = v1::CreateMatchRequest { game_id: game.to_owned(), ..Default::default() };
    let created = client.matches.clone().create_match(request).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().match_id;
    let zero = client.claim(&match_id, 0, "Ann").await.unwrap();
    let one = client.claim(&match_id, 1, "Ben").await.unwrap();
    Table { match_id, tokens: [zero, one] }
}

/// Returns a seat that may move and its view, `None` once the match is over.
async fn next_to_act(client: &Client, table: &Table) -> Option<(usize, v1::View)> {
    let spectator = client.view(table, None).await;
    let seat = usize::from(*spectator.to_act.first()? == 1);
    Some((seat, client.view(table, Some(&table.tokens[seat])).await))
}

async fn suggest_move(
    client: &Client,
    table: &Table,
    token: Option<&str>,
    seed: u64,
) -> v1::SuggestMoveResponse {
    let strategy = if seed.is_multiple_of(2) { v1::Strategy::Greedy } else { v1::Strategy::Random };
    let request = v1::SuggestMoveRequest {
        match_id: table.match_id.clone(),
        strategy: strategy.into(),
        seed: Some(seed),
    };
    client.matches.clone().suggest_move(sent(request, token)).await.unwrap().into_inner()
}

async fn listed_move(client: &Client, table: &Table, token: Option<&str>) -> String {
    let request = v1::ListLegalMovesRequest { match_id: table.match_id.clone(), ..Default::default() };
    let answer = client.matches.clone().list_legal_moves(sent(request, token)).await.unwrap().into_inner();
    assert_eq!(answer.total_size.is_some(), answer.unlisted_families.is_empty());
    assert_eq!(answer.complete, answer.unlisted_families.is_empty() && answer.next_page_token.is_empty());
    let last = answer.moves.last().expect("a seat to act has a listed move");
    last.notation.clone()
}

/// Builds a move by answering questions.
async fn build_move(client: &Client, table: &Table, token: Option<&str>, turn: u64) -> v1::Move {
    let mut request = v1::GetChoicesRequest { match_id: table.match_id.clone(), ..Default::default() };
    loop {
        let answer =
            client.matches.clone().get_choices(sent(request.clone(), token)).await.unwrap().into_inner();
        request.expected_seq = Some(answer.seq);
        match answer.next.unwrap() {
            Next::Finished(finished) => return finished.r#move.unwrap(),
            Next::Question(question) => request.path.push(choose_answer(question, turn)),
        }
        assert!(request.path.len() <= 1_000, "the questions never end");
    }
}

fn choose_answer(question: v1::Question, turn: u64) -> String {
    match question.kind.unwrap() {
        question::Kind::ChoiceList(list) => {
            let count = u64::try_from(list.choices.len()).unwrap();
            let picked = usize::try_from(turn * 7 % count).unwrap();
            list.choices[picked].value.clone()
        }
        question::Kind::Integer(range) => range.max_value.to_string(),
        question::Kind::Text(limits) => {
            "word".chars().cycle().take(limits.min_chars.max(4) as usize).collect()
        }
    }
}

async fn assert_over(client: &Client, table: &Table, game: &v1::Game) {
    for token in [None, Some(table.tokens[0].as_str()), Some(table.tokens[1].as_str())] {
        let view = client.view(table, token).await;
        assert_eq!(view.status(), MatchStatus::Over, "{}", game.game_id);
        let events = client.events(&table.match_id, token, 500).await;
        assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
        assert_eq!(view.seq, events.last().unwrap().seq);
    }
    let request = v1::GetViewRequest {
        match_id: table.match_id.clone(),
        viewer: Some(v1::Viewer::open()),
        ..Default::default()
    };
    let open = client.matches.clone().get_view(request).await.unwrap().into_inner().view.unwrap();
    assert_eq!(open.viewer, Some(v1::Viewer::open()));
}
