//! Matches from creation to end on every database, compared with an independent model of the game.

use rstest::rstest;
use tonic_types::StatusExt;
use wire::games::angels_and_demons::v1::{Cover, Fact, View as GameView, fact};
use wire::v1::event::Kind;
use wire::v1::{self, MatchStatus, game_view};

use crate::stage::{Backend, Board, Client, Moves, Stage, Storage, Table, refused};

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn the_seat_that_covers_more_spaces_wins(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    // Three seeds, so that more than one kind of result occurs.
    for seed in 1..=3 {
        play_to_the_end(&stage.client, seed).await;
    }
    stage.close().await;
}

/// Plays a match of a few turns and checks everything that the client sees.
pub(crate) async fn play_to_the_end(client: &Client, seed: u64) {
    const TURNS: u32 = 6;
    let table = client.table(5, 7, TURNS).await;
    let mut board = Board::new(5, 7);
    let mut moves = Moves::new(5, 7, seed);
    for turn in 1..=TURNS {
        let (angels, demons) = (moves.next().unwrap(), moves.next().unwrap());
        board.resolve(angels, demons);
        let response = take_turn(client, &table, turn, (angels, demons)).await;
        assert_eq!(response.events.len(), if turn == TURNS { 3 } else { 2 });
        assert_board(&response.view.unwrap(), &board);
    }
    check_result(client, &table, &board).await;
    check_log(&client.events(&table.match_id, None, 3).await, TURNS);
}

/// Submits both choices of a turn; the seats take turns in choosing first.
async fn take_turn(
    client: &Client,
    table: &Table,
    turn: u32,
    (angels, demons): ((u32, u32), (u32, u32)),
) -> v1::SubmitMoveResponse {
    let notation = |(row, col)| format!("{row},{col}");
    let order = if turn.is_multiple_of(2) { [(0, angels), (1, demons)] } else { [(1, demons), (0, angels)] };
    let first = client.submit(table, order[0].0, notation(order[0].1)).await.unwrap();
    assert_eq!(first.events.len(), 1);
    client.submit(table, order[1].0, notation(order[1].1)).await.unwrap()
}

fn game_view(view: &v1::View) -> &GameView {
    let Some(game_view::Game::AngelsAndDemons(view)) = &view.game_view.as_ref().unwrap().game else {
        panic!("another game's view")
    };
    view
}

fn assert_board(view: &v1::View, board: &Board) {
    let shown = game_view(view);
    assert_eq!((shown.angels, shown.demons), board.counts());
    for (row, spaces) in (1..).zip(&shown.rows) {
        for (col, space) in (1..).zip(spaces.spaces()) {
            let expected = match board.at(row, col) {
                None => Cover::Empty,
                Some(crate::stage::Piece::Angel) => Cover::Angel,
                Some(crate::stage::Piece::Demon) => Cover::Demon,
            };
            assert_eq!(space, expected, "row {row}, column {col}");
        }
    }
}

async fn check_result(client: &Client, table: &Table, board: &Board) {
    let (winner, reason) = board.result();
    let view = client.view(table, None).await;
    assert_eq!(view.status(), MatchStatus::Over);
    assert_eq!(view.to_act, Vec::<u32>::new());
    let result = view.result.unwrap();
    let seats = [0, 1];
    assert_eq!(result.winner(), winner.map(|seat| seats[seat]));
    assert_eq!(result.reason, reason);

    let late = refused(client.submit(table, 0, "1,1").await);
    assert_eq!(late.reason, "MATCH_OVER");
    let request = v1::GetViewRequest {
        match_id: table.match_id.clone(),
        viewer: Some(v1::Viewer::open()),
        ..Default::default()
    };
    let open = client.matches.clone().get_view(request).await.unwrap().into_inner().view.unwrap();
    assert_eq!(open.viewer, Some(v1::Viewer::open()));
}

/// Asserts that the log records every move, with consecutive seqs and increasing times.
fn check_log(events: &[v1::Event], turns: u32) {
    let seqs: Vec<u32> = events.iter().map(|event| event.seq).collect();
    assert_eq!(seqs, (1..=4 + 3 * turns + 1).collect::<Vec<_>>());
    let times: Vec<_> = events.iter().map(|event| event.record_time.unwrap()).collect();
    assert!(times.windows(2).all(|pair| (pair[0].seconds, pair[0].nanos) < (pair[1].seconds, pair[1].nanos)));
    assert!(events.iter().all(|event| event.hash.len() == 32));
    let kind = |event: &v1::Event| event.kind.clone().unwrap();
    assert!(matches!(kind(&events[0]), Kind::MatchCreated(_)));
    assert!(matches!(kind(&events[3]), Kind::MatchStarted(_)));
    for turn in events[4..events.len() - 1].chunks(3) {
        assert!(matches!(kind(&turn[0]), Kind::MoveSealed(_)));
        assert!(matches!(kind(&turn[1]), Kind::MoveSealed(_)));
        let Kind::TurnRevealed(revealed) = kind(&turn[2]) else { panic!("no reveal: {turn:?}") };
        assert_eq!([revealed.moves[0].seat, revealed.moves[1].seat], [Some(0), Some(1)]);
        assert!(turn[2].facts.iter().any(|fact| matches!(of_game(fact), fact::Fact::TurnResolved(_))));
    }
    let Kind::MatchEnded(ended) = kind(events.last().unwrap()) else { panic!("no end") };
    assert_eq!(ended.seed_bytes.len(), 32);
}

fn of_game(fact: &v1::Fact) -> fact::Fact {
    let Some(v1::fact::Game::AngelsAndDemons(Fact { fact: Some(fact) })) = fact.game else {
        panic!("another game's fact")
    };
    fact
}

#[tokio::test]
async fn every_way_to_build_a_move_leads_to_the_same_moves() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 1).await;
    let mut matches = stage.client.matches.clone();
    let match_id = &table.match_id;
    let token = Some(table.tokens[0].as_str());

    let request = v1::ListLegalMovesRequest { match_id: match_id.clone(), ..Default::default() };
    let listed = matches.list_legal_moves(crate::stage::sent(request, token)).await.unwrap().into_inner();
    assert_eq!((listed.total_size, &*listed.next_page_token), (Some(5), ""));
    let listed: Vec<String> = listed.moves.into_iter().map(|made| made.notation).collect();
    assert_eq!(listed, ["1,1", "1,3", "2,2", "3,1", "3,3"]);

    let request = v1::GetChoicesRequest { match_id: match_id.clone(), path: Vec::new(), expected_seq: None };
    let first = matches.get_choices(crate::stage::sent(request, token)).await.unwrap().into_inner();
    let Some(v1::get_choices_response::Next::Question(question)) = first.next else { panic!("no question") };
    let Some(v1::question::Kind::ChoiceList(list)) = question.kind else { panic!("not a list of choices") };
    let offered: Vec<String> = list.choices.into_iter().map(|choice| choice.value).collect();
    assert_eq!(offered.len(), listed.len());
    for value in offered {
        let request = v1::GetChoicesRequest {
            match_id: match_id.clone(),
            path: vec![value],
            expected_seq: Some(first.seq),
        };
        let built = matches.get_choices(crate::stage::sent(request, token)).await.unwrap().into_inner();
        let Some(v1::get_choices_response::Next::Finished(choice)) = built.next else {
            panic!("not finished")
        };
        assert!(listed.contains(&choice.notation));
        let request = v1::CheckMoveRequest {
            match_id: match_id.clone(),
            input: Some(v1::check_move_request::Input::Move(choice.r#move.unwrap())),
            expected_seq: None,
        };
        assert!(matches.check_move(crate::stage::sent(request, token)).await.unwrap().into_inner().legal);
    }

    let strategy = v1::Strategy::Random.into();
    let request = v1::SuggestMoveRequest { match_id: match_id.clone(), strategy, seed: Some(7) };
    let suggested =
        matches.suggest_move(crate::stage::sent(request.clone(), token)).await.unwrap().into_inner();
    assert!(listed.contains(&suggested.notation));
    let unspecified = v1::SuggestMoveRequest { strategy: 0, ..request };
    let again = matches.suggest_move(crate::stage::sent(unspecified, token)).await.unwrap().into_inner();
    assert_eq!(again, suggested);
    let request = v1::SubmitMoveRequest {
        match_id: match_id.clone(),
        input: Some(v1::submit_move_request::Input::Move(suggested.r#move.unwrap())),
        expected_seq: Some(suggested.seq),
        ..Default::default()
    };
    matches.submit_move(crate::stage::sent(request, token)).await.unwrap();
    stage.close().await;
}

#[tokio::test]
async fn creating_a_match_can_claim_a_seat() {
    let stage = Stage::on(Backend::Memory).await;
    let mut request = crate::stage::create_request(Default::default());
    request.claim =
        Some(v1::SeatClaim { seat: Some(1), player: Some(v1::Player::named("Ben")), claim_secret: None });
    let mut matches = stage.client.matches.clone();
    let made = matches.create_match(request).await.unwrap().into_inner();
    let shown = made.r#match.unwrap();
    assert!(!made.seat_token.is_empty());
    assert_eq!(shown.seats.iter().map(|seat| seat.claimed).collect::<Vec<_>>(), [false, true]);
    assert_eq!(shown.seats[1].display_name(), Some("Ben"));
    let taken = stage.client.claim(&shown.match_id, 1, "Eve").await;
    assert_eq!(refused(taken).reason, "SEAT_TAKEN");
    stage.client.claim(&shown.match_id, 0, "Ann").await.unwrap();
    let started = stage.client.events(&shown.match_id, None, 500).await;
    assert!(matches!(started.last().unwrap().kind, Some(Kind::MatchStarted(_))));
    stage.close().await;
}

#[tokio::test]
async fn the_catalog_contains_the_rules() {
    let stage = Stage::on(Backend::Memory).await;
    let mut games = stage.client.games.clone();
    let listed = games.list_games(v1::ListGamesRequest::default()).await.unwrap().into_inner().games;
    let one = listed.iter().find(|game| game.game_id == crate::stage::GAME).unwrap();
    assert_eq!(one.seat_names, ["Angels", "Demons"]);
    assert_eq!(one.rules_text, "");
    let request = v1::GetGameRequest { game_id: one.game_id.clone() };
    let whole = games.get_game(request).await.unwrap().into_inner().game.unwrap();
    assert!(whole.rules_text.contains("AD-6"));
    let unknown = games.get_game(v1::GetGameRequest { game_id: "chess".to_owned() }).await;
    assert!(unknown.as_ref().unwrap_err().get_details_error_info().is_some());
    assert_eq!(refused(unknown).reason, "UNKNOWN_GAME");
    stage.close().await;
}
