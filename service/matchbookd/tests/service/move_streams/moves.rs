//! What a move on a stream does: the same as a call of `SubmitMove`, in any match, for any seat.

use std::collections::BTreeMap;

use uuid::Uuid;
use wire::v1::submit_moves_response::Outcome;
use wire::v1::{self, MoveAnswer};

use super::{MoveStream, answered_with, move_of};
use crate::stage::{Backend, Stage, Storage, refused, sent};

async fn stage() -> Stage {
    Stage::with(Storage::here(Backend::Memory).await.config()).await
}

#[tokio::test]
async fn one_stream_plays_many_matches_for_both_seats() {
    let stage = stage().await;
    let mut stream = MoveStream::open(&stage.client).await;
    let mut tables = Vec::new();
    for _ in 0..8 {
        tables.push(stage.client.table(4, 4, 2).await);
    }
    for square in ["1,1", "2,2"] {
        for seat in 0..2 {
            for (call_id, table) in (0_u64..).zip(&tables) {
                stream.send(move_of(table, seat, square, call_id));
            }
            let mut answers = BTreeMap::new();
            for _ in &tables {
                let answer = stream.answer().await.unwrap().unwrap();
                answers.insert(answer.call_id, answer.outcome.unwrap());
            }
            assert_eq!(answers.len(), tables.len(), "each move is answered once");
            for (call_id, outcome) in answers {
                let Outcome::Submitted(submitted) = outcome else { panic!("{outcome:?}") };
                let view = submitted.view.unwrap();
                let table = &tables[usize::try_from(call_id).unwrap()];
                let token = Some(table.tokens[seat].as_str());
                let events = stage.client.events(&table.match_id, token, 100).await;
                let newest = &events[events.len() - submitted.events.len()..];
                assert_eq!(submitted.events, newest, "the seat's own answer");
                assert_eq!(view.seq, events.last().unwrap().seq);
            }
        }
    }
    assert_eq!(stream.finish().await.unwrap(), []);
    stage.close().await;
}

#[tokio::test]
async fn a_refused_move_is_answered_and_the_stream_goes_on() {
    let stage = stage().await;
    let table = stage.client.table(4, 4, 2).await;
    let other = stage.client.table(4, 4, 2).await;
    let mut stream = MoveStream::open(&stage.client).await;
    let with = |change: &dyn Fn(&mut v1::SubmitMovesRequest)| {
        let mut request = move_of(&table, 0, "1,1", 9);
        change(&mut request);
        request
    };
    let unknown = Uuid::new_v4().to_string();
    for (request, reason, field) in [
        (with(&|request| request.r#move = None), "INVALID_ARGUMENT", Some("move")),
        (
            with(&|request| request.r#move.as_mut().unwrap().match_id = "x".to_owned()),
            "INVALID_ARGUMENT",
            Some("move.match_id"),
        ),
        (
            with(&|request| request.r#move.as_mut().unwrap().answer = 99),
            "INVALID_ARGUMENT",
            Some("move.answer"),
        ),
        (
            with(&|request| request.r#move.as_mut().unwrap().match_id.clone_from(&unknown)),
            "UNKNOWN_MATCH",
            None,
        ),
        (with(&|request| request.seat_token.clear()), "MISSING_TOKEN", None),
        (with(&|request| request.seat_token = "mbk_key".to_owned()), "BAD_TOKEN", None),
        (with(&|request| request.seat_token.clone_from(&other.tokens[0])), "BAD_TOKEN", None),
        (with(&|request| request.r#move.as_mut().unwrap().expected_seq = Some(99)), "UNKNOWN_SEQ", None),
        (move_of(&table, 0, "9,9", 9), "ILLEGAL_MOVE", None),
    ] {
        stream.send(request);
        let refusal = stream.refusal(9).await;
        assert_eq!(refusal.reason, reason, "{refusal:?}");
        assert_eq!(refusal.fields.first().map(|violation| violation.field.as_str()), field, "{refusal:?}");
        if let Some(field) = field {
            assert!(refusal.message.starts_with(&format!("{field}: ")), "{}", refusal.message);
        }
    }
    let before = stage.client.head_seq(&table.match_id).await;
    stream.send(move_of(&table, 0, "1,1", 10));
    assert_eq!(stream.submitted(10).await.events[0].seq, before + 1, "no refused move changed anything");
    stream.send(move_of(&table, 0, "2,2", 11));
    let refusal = stream.refusal(11).await;
    assert_eq!((refusal.reason.as_str(), refusal.paragraph.as_str()), ("NOT_YOUR_TURN", "G-2"));
    assert_eq!(stream.finish().await.unwrap(), []);
    stage.close().await;
}

#[tokio::test]
async fn the_caller_chooses_how_much_is_answered() {
    let stage = stage().await;
    let table = stage.client.table(4, 4, 2).await;
    let mut stream = MoveStream::open(&stage.client).await;
    stream.send(answered_with(move_of(&table, 0, "1,1", 1), MoveAnswer::Events));
    let events = stream.submitted(1).await;
    assert_eq!((events.events.len(), events.view, events.receipt), (1, None, None));
    stream.send(answered_with(move_of(&table, 1, "1,1", 2), MoveAnswer::Receipt));
    let receipt = stream.submitted(2).await;
    assert_eq!((receipt.events.len(), receipt.view.as_ref()), (0, None));
    let newest = stage.client.events(&table.match_id, None, 100).await.pop().unwrap();
    let expected = v1::MoveReceipt { seq: newest.seq, hash: newest.hash };
    assert_eq!(receipt.receipt, Some(expected), "the reveal, which followed from the move");
    stream.send(answered_with(move_of(&table, 0, "2,2", 3), MoveAnswer::EventsAndView));
    let whole = stream.submitted(3).await;
    assert_eq!((whole.events.len(), whole.view.is_some(), whole.receipt), (1, true, None));

    // A unary call answers alike.
    let mut request = crate::stage::submit_request(&table, "3,3");
    request.answer = MoveAnswer::Receipt.into();
    let token = Some(table.tokens[1].as_str());
    let mut matches = stage.client.matches.clone();
    let first = matches.submit_move(sent(request.clone(), token)).await.unwrap().into_inner();
    assert!(first.events.is_empty() && first.view.is_none() && first.receipt.is_some());
    let again = matches.submit_move(sent(request.clone(), token)).await.unwrap().into_inner();
    assert_eq!(first, again);
    // A retry may ask for more.
    request.answer = MoveAnswer::Unspecified.into();
    let whole = matches.submit_move(sent(request.clone(), token)).await.unwrap().into_inner();
    assert_eq!(whole.events.last().unwrap().seq, first.receipt.unwrap().seq);
    request.answer = 99;
    let unknown = refused(matches.submit_move(sent(request, token)).await);
    unknown.is("INVALID_ARGUMENT", tonic::Code::InvalidArgument, "MOVE_ANSWER_RECEIPT").at("answer");
    stage.close().await;
}

#[tokio::test]
async fn a_move_is_made_once_however_it_is_sent() {
    let stage = stage().await;
    let table = stage.client.table(4, 4, 2).await;
    let request = move_of(&table, 0, "1,1", 1);
    let mut first = MoveStream::open(&stage.client).await;
    first.send(request.clone());
    let submitted = first.submitted(1).await;
    let mut second = MoveStream::open(&stage.client).await;
    second.send(v1::SubmitMovesRequest { call_id: 2, ..request.clone() });
    assert_eq!(second.submitted(2).await, submitted);
    let unary = sent(request.r#move.unwrap(), Some(&table.tokens[0]));
    let unary = stage.client.matches.clone().submit_move(unary).await.unwrap().into_inner();
    assert_eq!(unary, submitted);
    stage.close().await;
}

#[tokio::test]
async fn the_token_of_the_stream_is_that_of_moves_without_one() {
    let stage = stage().await;
    let table = stage.client.table(4, 4, 2).await;
    let headers = [("matchbook-seat-token", table.tokens[0].as_str())];
    let mut stream = MoveStream::open_with(&stage.client, &headers).await.unwrap();
    stream.send(v1::SubmitMovesRequest { seat_token: String::new(), ..move_of(&table, 0, "1,1", 1) });
    stream.submitted(1).await;
    stream.send(move_of(&table, 1, "1,1", 2));
    stream.submitted(2).await;
    let bad = [("matchbook-seat-token", "nothing")];
    let refusal = refused(MoveStream::open_with(&stage.client, &bad).await);
    refusal.is("BAD_TOKEN", tonic::Code::Unauthenticated, "matchbook-seat-token");
    stage.close().await;
}
