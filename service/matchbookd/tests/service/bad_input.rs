//! Requests that are invalid in any position: each is rejected with its reason, its code and a helpful
//! message, and changes nothing.

use tonic::Code;
use uuid::Uuid;
use wire::games::angels_and_demons::v1::Options;
use wire::v1::{self, Seat};

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
    for game in ["", "chess", "angels_and_demons", "Angels-and-Demons"] {
        let mut request = create_request(Options::default());
        request.game = game.to_owned();
        let outcome = stage.client.matches.clone().create_match(request).await;
        refused(outcome).is("UNKNOWN_GAME", Code::NotFound, "ListGames");
    }
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
        ("authorization", "Bearer", "does not start with `Bearer `"),
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
    let view = |seat: i32| v1::GetViewRequest {
        match_id: table.match_id.clone(),
        seat: Some(seat),
        ..Default::default()
    };
    for token in [None, Some(table.tokens[0].as_str())] {
        let outcome = matches.get_view(sent(view(Seat::One.into()), token)).await;
        refused(outcome).is("NOT_ALLOWED", Code::PermissionDenied, "token");
    }
    for invalid_seat in [0, 3, -1] {
        let outcome = matches.get_view(sent(view(invalid_seat), Some(&table.tokens[0]))).await;
        refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "SEAT_ZERO").at("seat");
    }
    let mut open = view(0);
    (open.seat, open.open) = (None, true);
    refused(matches.get_view(open).await).is("MATCH_NOT_OVER", Code::FailedPrecondition, "over");
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn invalid_names_entropy_and_seats_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let match_id = stage.client.create(Options::default()).await;
    let long = "x".repeat(41);
    for name in ["", " ", " Ann", "Ann ", "A\u{200B}nn", "Ann\n", "\u{202E}nnA", &long] {
        let outcome = stage.client.claim(&match_id, Seat::Zero, name).await;
        refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "must").at("player_name");
    }
    let claim = v1::ClaimSeatRequest {
        match_id: match_id.clone(),
        seat: Seat::Zero.into(),
        player_name: "Ann".to_owned(),
        entropy: vec![0; 65],
        request_id: None,
        claim_secret: None,
    };
    let mut matches = stage.client.matches.clone();
    refused(matches.claim_seat(claim.clone()).await)
        .is("INVALID_ARGUMENT", Code::InvalidArgument, "64")
        .at("entropy");
    let without_seat = v1::ClaimSeatRequest { seat: 0, entropy: Vec::new(), ..claim };
    refused(matches.claim_seat(without_seat).await)
        .is("INVALID_ARGUMENT", Code::InvalidArgument, "SEAT_ONE")
        .at("seat");
    assert_eq!(stage.client.head_seq(&match_id).await, 1);
    assert_nothing_changed(stage, &table).await;
}

#[tokio::test]
async fn values_above_a_limit_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    let token = Some(table.tokens[0].as_str());
    let match_id = || table.match_id.clone();

    let request =
        v1::ListLegalMovesRequest { match_id: match_id(), limit: Some(10_001), ..Default::default() };
    let outcome = matches.list_legal_moves(sent(request, token)).await;
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "10000").at("limit");

    let request = v1::ListEventsRequest { match_id: match_id(), page_size: Some(501), ..Default::default() };
    refused(matches.list_events(request).await)
        .is("INVALID_ARGUMENT", Code::InvalidArgument, "500")
        .at("page_size");

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
async fn unknown_strategies_are_rejected() {
    let (stage, table) = stage_and_table().await;
    let mut matches = stage.client.matches.clone();
    for strategy in [2, 99, -1] {
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
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "must be set").at("input");

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
