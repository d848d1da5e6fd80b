//! Requests that are invalid in any position: each is rejected with its reason, its code and a helpful
//! message, and changes nothing.

use tonic::Code;
use uuid::Uuid;
use wire::games::angels_and_demons::v1::Options;
use wire::v1::{self};

use crate::stage::{Backend, Stage, Table, create_request, refused, sent, sent_with, submit_request};

async fn stage_and_table() -> (Stage, Table) {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(8, 8, 20).await;
    (stage, table)
}

/// Asserts that the rejected requests appended nothing.
async fn assert_nothing_changed(stage: Stage, table: &Table) {
    assert_eq!(stage.client.head_seq(&table.match_id).await, 4);
    stage.close().await;
}

#[tokio::test]
async fn options_out_of_range_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let cases = [
        (Options { rows: Some(2), ..Default::default() }, "rows", "3 to 26"),
        (Options { rows: Some(27), ..Default::default() }, "rows", "3 to 26"),
        (Options { cols: Some(0), ..Default::default() }, "cols", "3 to 26"),
        (Options { cols: Some(u32::MAX), ..Default::default() }, "cols", "3 to 26"),
        (Options { turns: Some(0), ..Default::default() }, "turns", "1 to 1000"),
        (Options { turns: Some(1001), ..Default::default() }, "turns", "1 to 1000"),
        (Options { rows: Some(7), ..Default::default() }, "cols", "even"),
    ];
    for (options, field, fragment) in cases {
        let outcome = stage.client.matches.clone().create_match(create_request(options)).await;
        let field = format!("options.angels_and_demons.{field}");
        refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, fragment).at(&field);
    }
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn an_unknown_game_is_rejected() {
    let (stage, table) = stage_and_table().await;
    for game in ["chess", "angels_and_demons", "Angels-and-Demons"] {
        let mut request = create_request(Options::default());
        request.game_id = game.to_owned();
        let outcome = stage.client.matches.clone().create_match(request).await;
        let named = format!("unknown game {game:?}; ListGames lists the games: ace-exorcist, ");
        refused(outcome).is("UNKNOWN_GAME", Code::NotFound, &named);
    }
    let mut request = create_request(Options::default());
    request.game_id.clear();
    let outcome = stage.client.matches.clone().create_match(request).await;
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "game_id");
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn unknown_and_malformed_match_ids_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    let get = |match_id: &str| v1::GetMatchRequest { match_id: match_id.to_owned() };
    for unknown in [Uuid::now_v7(), Uuid::nil(), Uuid::max()] {
        let outcome = matches.get_match(get(&unknown.to_string())).await;
        refused(outcome).is("UNKNOWN_MATCH", Code::NotFound, "match not found");
    }
    for malformed in ["", "1", "not-a-uuid", &table.match_id[1..], &table.match_id.replace('-', "")] {
        let outcome = matches.get_match(get(malformed)).await;
        refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "UUID").at("match_id");
    }
    // An unknown match is reported whatever the token.
    let mut request = submit_request(&table, "1,1");
    request.match_id = Uuid::now_v7().to_string();
    let outcome = matches.submit_move(sent(request, Some(&table.tokens[0]))).await;
    refused(outcome).is("UNKNOWN_MATCH", Code::NotFound, "match not found");
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn missing_and_wrong_tokens_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    let without = matches.submit_move(submit_request(&table, "1,1")).await;
    refused(without).is("MISSING_TOKEN", Code::Unauthenticated, "matchbook-seat-token: TOKEN");
    let other_table = stage.client.table(8, 8, 20).await;
    for wrong in [other_table.tokens[0].as_str(), "mbs_", "x", &table.tokens[0][..20]] {
        let outcome = matches.submit_move(sent(submit_request(&table, "1,1"), Some(wrong))).await;
        refused(outcome).is("BAD_TOKEN", Code::Unauthenticated, "token");
        let request = v1::GetViewRequest { match_id: table.match_id.clone(), ..Default::default() };
        refused(matches.get_view(sent(request, Some(wrong))).await).is(
            "BAD_TOKEN",
            Code::Unauthenticated,
            "token",
        );
    }
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn malformed_credentials_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    let (token, long) = (table.tokens[0].as_str(), format!("mbs_{}", "x".repeat(257)));
    let (as_key, basic) = (format!("Bearer {token}"), "Basic YTpi");
    for (header, malformed, advice) in [
        ("authorization", "", "does not start with `Bearer `"),
        ("authorization", "Bearer", "no API key"),
        ("authorization", "Bearer ", "no API key"),
        ("authorization", basic, "does not start with `Bearer `"),
        ("authorization", "Bearer mbk_a b", "no API key"),
        ("authorization", &as_key, "send it as `matchbook-seat-token: TOKEN`"),
        ("matchbook-seat-token", "", "is not a seat's token"),
        ("matchbook-seat-token", &as_key, "is not a seat's token"),
        ("matchbook-seat-token", &long, "is not a seat's token"),
        ("matchbook-seat-token", "mbk_abc", "send it as `authorization: Bearer KEY`"),
    ] {
        let mut request = tonic::Request::new(submit_request(&table, "1,1"));
        request.metadata_mut().insert(header, malformed.parse().unwrap());
        let rejection = refused(matches.submit_move(request).await);
        assert!(!format!("{rejection:?}").contains(token), "the message repeats the token");
        rejection.is("BAD_TOKEN", Code::Unauthenticated, advice);
    }
    for (header, other) in [("authorization", "Bearer mbk_x"), ("matchbook-seat-token", token)] {
        let mut twice = sent_with(submit_request(&table, "1,1"), &["mbk_x", token]);
        twice.metadata_mut().append(header, other.parse().unwrap());
        let rejection = refused(matches.submit_move(twice).await);
        rejection.is("BAD_TOKEN", Code::Unauthenticated, "appears more than once");
    }
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn a_view_of_another_seat_is_rejected() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    let view = |viewer: v1::Viewer| v1::GetViewRequest {
        match_id: table.match_id.clone(),
        viewer: Some(viewer),
        ..Default::default()
    };
    for token in [None, Some(table.tokens[0].as_str())] {
        let outcome = matches.get_view(sent(view(v1::Viewer::in_seat(1)), token)).await;
        refused(outcome).is("NOT_ALLOWED", Code::PermissionDenied, "token");
    }
    let seatless = v1::Viewer { seat: None, ..v1::Viewer::in_seat(0) };
    for invalid in [v1::Viewer::in_seat(2), v1::Viewer::in_seat(u32::MAX), seatless] {
        let outcome = matches.get_view(sent(view(invalid), Some(&table.tokens[0]))).await;
        refused(outcome)
            .is("INVALID_ARGUMENT", Code::InvalidArgument, "0 to 1, since the match has 2 seats")
            .at("viewer.seat");
    }
    for seated in [v1::Viewer::spectator(), v1::Viewer::open()] {
        let outcome = matches.get_view(sent(view(v1::Viewer { seat: Some(0), ..seated }), None)).await;
        refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "absent").at("viewer.seat");
    }
    let unknown = v1::Viewer { kind: 9, seat: None };
    let outcome = matches.get_view(sent(view(unknown), None)).await;
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "KIND_OPEN").at("viewer.kind");
    let open = view(v1::Viewer::open());
    refused(matches.get_view(open).await).is("MATCH_NOT_OVER", Code::FailedPrecondition, "over");
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn invalid_names_entropy_and_seats_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let match_id = stage.client.create(Options::default()).await;
    let long = "x".repeat(41);
    for name in ["", " ", " Ann", "Ann ", "A\u{200B}nn", "Ann\n", "\u{202E}nnA", &long] {
        let outcome = stage.client.claim(&match_id, 0, name).await;
        refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "must").at("player.display_name");
    }
    let claim = v1::ClaimSeatRequest {
        match_id: match_id.clone(),
        seat: Some(0),
        player: Some(v1::Player::named("Ann")),
        entropy: vec![0; 65],
        request_id: None,
        claim_secret: None,
    };
    let mut matches = stage.client.matches.clone();
    refused(matches.claim_seat(claim.clone()).await)
        .is("INVALID_ARGUMENT", Code::InvalidArgument, "64")
        .at("entropy");
    let without_seat = v1::ClaimSeatRequest { seat: None, entropy: Vec::new(), ..claim };
    refused(matches.claim_seat(without_seat).await)
        .is("INVALID_ARGUMENT", Code::InvalidArgument, "0 to 1, since the match has 2 seats")
        .at("seat");
    assert_eq!(stage.client.head_seq(&match_id).await, 1);
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn a_page_has_at_most_its_maximum() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    let token = Some(table.tokens[0].as_str());
    for (page_size, listed) in [(0, 32), (3, 3), (10_001, 32), (u32::MAX, 32)] {
        let match_id = table.match_id.clone();
        let request = v1::ListLegalMovesRequest { match_id, page_size, ..Default::default() };
        let answer = matches.list_legal_moves(sent(request, token)).await.unwrap().into_inner();
        assert_eq!((answer.moves.len(), answer.next_page_token.is_empty()), (listed, listed == 32));
    }
    for page_size in [0, 501, u32::MAX] {
        let request =
            v1::ListEventsRequest { match_id: table.match_id.clone(), page_size, ..Default::default() };
        let answer = matches.list_events(request).await.unwrap().into_inner();
        assert_eq!(answer.events.len(), answer.head_seq as usize);
    }
    stage.close().await;
}

#[tokio::test]
async fn values_above_a_limit_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    let token = Some(table.tokens[0].as_str());
    let match_id = || table.match_id.clone();

    let path = vec!["1,1".to_owned(); 1001];
    let request = v1::GetChoicesRequest { match_id: match_id(), path, expected_seq: None };
    let outcome = matches.get_choices(sent(request, token)).await;
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "1000").at("path");

    let request = submit_request(&table, "1".repeat(2001));
    let outcome = matches.submit_move(sent(request, token)).await;
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "2000").at("notation");
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn page_tokens_from_elsewhere_are_rejected() {
    fn is_refused<T: std::fmt::Debug>(outcome: Result<tonic::Response<T>, tonic::Status>) {
        refused(outcome)
            .is(
                "INVALID_ARGUMENT",
                Code::InvalidArgument,
                "next_page_token of a response to the same request",
            )
            .at("page_token");
    }
    let (stage, table) = stage_and_table().await;
    let (mut games, mut logs) = (stage.client.games.clone(), stage.client.logs.clone());
    let mut matches = stage.client.matches.clone();
    let (match_id, page_token) = (table.match_id.clone(), "mbp_AAAABA".to_owned());
    is_refused(games.list_games(v1::ListGamesRequest { page_token: page_token.clone(), page_size: 0 }).await);
    is_refused(logs.list_keys(v1::ListKeysRequest { page_token: page_token.clone(), page_size: 0 }).await);
    let request = v1::ListMatchesRequest { page_token: page_token.clone(), ..Default::default() };
    is_refused(matches.list_matches(request).await);
    let request = v1::ListEventsRequest {
        match_id: match_id.clone(),
        page_token: page_token.clone(),
        ..Default::default()
    };
    is_refused(matches.list_events(request).await);
    let request = v1::ListLegalMovesRequest { match_id, page_token, ..Default::default() };
    is_refused(matches.list_legal_moves(sent(request, Some(&table.tokens[0]))).await);
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn unknown_strategies_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    for strategy in [3, 99, -1] {
        let request = v1::SuggestMoveRequest { match_id: table.match_id.clone(), strategy, seed: None };
        refused(matches.suggest_move(sent(request, Some(&table.tokens[0]))).await)
            .is("INVALID_ARGUMENT", Code::InvalidArgument, "STRATEGY_RANDOM")
            .at("strategy");
    }
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn an_oversized_message_is_rejected_on_a_connection_that_remains_usable() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    let request = submit_request(&table, "1".repeat(300 << 10));
    let outcome = matches.submit_move(sent(request, Some(&table.tokens[0]))).await;
    refused(outcome)
        .is("MESSAGE_TOO_LARGE", Code::ResourceExhausted, "262144 bytes")
        .has("max_bytes", 262_144);
    // The connection remains usable.
    stage.client.submit(&table, 0, "1,1").await.unwrap();
    stage.close().await;
}

#[tokio::test]
async fn missing_moves_malformed_ids_and_illegal_choices_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    let token = Some(table.tokens[0].as_str());

    let mut request = submit_request(&table, "");
    request.input = None;
    let outcome = matches.submit_move(sent(request, token)).await;
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "must be set").at("move");

    let mut request = submit_request(&table, "");
    request.input = Some(v1::submit_move_request::Input::Move(v1::Move { game: None }));
    let outcome = matches.submit_move(sent(request, token)).await;
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "set").at("move");

    let mut request = submit_request(&table, "1,1");
    request.request_id = Some("again".to_owned());
    let outcome = matches.submit_move(sent(request, token)).await;
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "UUID").at("request_id");

    for (path, index) in [(vec!["1,2"], 0), (vec!["1,1", "1,1"], 1), (vec![""], 0)] {
        let path = path.into_iter().map(str::to_owned).collect();
        let request = v1::GetChoicesRequest { match_id: table.match_id.clone(), path, expected_seq: None };
        let outcome = matches.get_choices(sent(request, token)).await;
        refused(outcome).is("ILLEGAL_CHOICE", Code::InvalidArgument, "").has("index", index);
    }
    assert_nothing_changed(stage, &table).await;
}
