//! Every RPC about a match in its simplest form, and the viewer for whom it was answered.

use tonic::Status;
use wire::log::v1::EventKind;
use wire::v1::export_log_response::Record;
use wire::v1::watch_match_response::Frame;
use wire::v1::{self, Viewer, event};

use super::scenario::{Caller, KeyedService, Scenario, claim_request};
use crate::stage::{sent_with, submit_request};

/// The viewer for whom a call was answered, `None` if the response does not show it.
type Outcome = Result<Option<Viewer>, Status>;

/// Makes a call as this caller.
pub(super) async fn call(service: &KeyedService, scenario: &Scenario, rpc: &str, caller: Caller) -> Outcome {
    call_with(service, scenario, rpc, &service.credentials(scenario, caller)).await
}

/// Makes a call with these credentials.
pub(super) async fn call_with(
    service: &KeyedService,
    scenario: &Scenario,
    rpc: &str,
    credentials: &[&str],
) -> Outcome {
    match rpc {
        "GetMatch" | "GetView" | "ListEvents" | "WatchMatch" => {
            read(service, scenario, rpc, credentials).await
        }
        "ExportLog" | "SignHead" => read_log(service, scenario, rpc, credentials).await,
        "GetChoices" | "CheckMove" | "SuggestMove" | "SubmitMove" => {
            about_moves(service, scenario, rpc, credentials).await
        }
        _ if rpc.starts_with("ListLegalMoves") => {
            about_moves(service, scenario, "ListLegalMoves", credentials).await
        }
        "Resign" | "MakeProposal" | "AnswerProposal" | "AbortMatch" => {
            end(service, scenario, rpc, credentials).await
        }
        _ => write(service, scenario, rpc, credentials).await,
    }
}

async fn read(service: &KeyedService, scenario: &Scenario, rpc: &str, credentials: &[&str]) -> Outcome {
    let mut matches = service.stage.client.matches.clone();
    let match_id = scenario.table.match_id.clone();
    match rpc {
        "GetMatch" => {
            matches.get_match(sent_with(v1::GetMatchRequest { match_id }, credentials)).await.map(|_| None)
        }
        "GetView" => {
            let request = v1::GetViewRequest { match_id, ..Default::default() };
            let view = matches.get_view(sent_with(request, credentials)).await?.into_inner().view.unwrap();
            Ok(Some(view.viewer.unwrap()))
        }
        "ListEvents" => {
            let request = v1::ListEventsRequest { match_id, ..Default::default() };
            let events = matches.list_events(sent_with(request, credentials)).await?.into_inner().events;
            let opened = |event: &v1::Event| match &event.kind {
                Some(event::Kind::MoveSealed(sealed)) => sealed.r#move.is_some(),
                _ => false,
            };
            Ok(Some(if events.iter().any(opened) { Viewer::in_seat(0) } else { Viewer::spectator() }))
        }
        "WatchMatch" => {
            let request =
                v1::WatchMatchRequest { match_id, after_seq: None, include_view: false, after_hash: None };
            let mut frames = matches.watch_match(sent_with(request, credentials)).await?.into_inner();
            let first = frames.message().await?.unwrap();
            assert!(matches!(first.frame, Some(Frame::Start(_))), "the first frame is not a start");
            Ok(Some(first.view.unwrap().viewer.unwrap()))
        }
        _ => panic!("not a read: {rpc}"),
    }
}

async fn read_log(service: &KeyedService, scenario: &Scenario, rpc: &str, credentials: &[&str]) -> Outcome {
    let mut logs = service.stage.client.logs.clone();
    let match_id = scenario.table.match_id.clone();
    if rpc == "SignHead" {
        let request = v1::SignHeadRequest { match_id, min_seq: None };
        return logs.sign_head(sent_with(request, credentials)).await.map(|_| None);
    }
    let mut records =
        logs.export_log(sent_with(v1::ExportLogRequest { match_id }, credentials)).await?.into_inner();
    let mut opened = false;
    while let Some(record) = records.message().await? {
        if let Some(Record::Event(event)) = record.record {
            let choice = i32::try_from(event.kind) == Ok(EventKind::MoveSealed.into());
            opened |= choice && event.opened.is_some();
        }
    }
    Ok(Some(if opened { Viewer::in_seat(0) } else { Viewer::spectator() }))
}

async fn about_moves(
    service: &KeyedService,
    scenario: &Scenario,
    rpc: &str,
    credentials: &[&str],
) -> Outcome {
    let mut matches = service.stage.client.matches.clone();
    let match_id = scenario.table.match_id.clone();
    match rpc {
        "ListLegalMoves" => {
            let seat = Some(0);
            let request = v1::ListLegalMovesRequest { match_id, seat, ..Default::default() };
            matches.list_legal_moves(sent_with(request, credentials)).await.map(|_| None)
        }
        "GetChoices" => {
            let request = v1::GetChoicesRequest { match_id, ..Default::default() };
            matches.get_choices(sent_with(request, credentials)).await.map(|_| None)
        }
        "CheckMove" => {
            let input = Some(v1::check_move_request::Input::Notation("1,1".to_owned()));
            let request = v1::CheckMoveRequest { match_id, input, expected_seq: None };
            matches.check_move(sent_with(request, credentials)).await.map(|_| None)
        }
        "SuggestMove" => {
            let request = v1::SuggestMoveRequest { match_id, ..Default::default() };
            matches.suggest_move(sent_with(request, credentials)).await.map(|_| None)
        }
        "SubmitMove" => matches
            .submit_move(sent_with(submit_request(&scenario.table, "1,1"), credentials))
            .await
            .map(|_| None),
        _ => panic!("not about moves: {rpc}"),
    }
}

async fn end(service: &KeyedService, scenario: &Scenario, rpc: &str, credentials: &[&str]) -> Outcome {
    let mut matches = service.stage.client.matches.clone();
    let (match_id, request_id) = (scenario.table.match_id.clone(), None);
    match rpc {
        "Resign" => matches
            .resign(sent_with(v1::ResignRequest { match_id, request_id }, credentials))
            .await
            .map(|_| None),
        "MakeProposal" => {
            let request =
                v1::MakeProposalRequest { match_id, kind: v1::ProposalKind::Draw.into(), request_id };
            matches.make_proposal(sent_with(request, credentials)).await.map(|_| None)
        }
        "AnswerProposal" => {
            let (kind, accept) = (v1::ProposalKind::Draw.into(), Some(true));
            let request = v1::AnswerProposalRequest { match_id, kind, accept, request_id };
            matches.answer_proposal(sent_with(request, credentials)).await.map(|_| None)
        }
        "AbortMatch" => matches
            .abort_match(sent_with(v1::AbortMatchRequest { match_id, request_id }, credentials))
            .await
            .map(|_| None),
        _ => panic!("not about ending a match: {rpc}"),
    }
}

async fn write(service: &KeyedService, scenario: &Scenario, rpc: &str, credentials: &[&str]) -> Outcome {
    let mut matches = service.stage.client.matches.clone();
    let match_id = scenario.table.match_id.clone();
    match rpc {
        "ClaimSeat" => {
            matches.claim_seat(sent_with(claim_request(&match_id, 1), credentials)).await.map(|_| None)
        }
        "ClaimSeat in its rematch" => {
            let rematch = scenario.rematch.as_ref().unwrap();
            matches.claim_seat(sent_with(claim_request(rematch, 1), credentials)).await.map(|_| None)
        }
        "RotateSeatToken" => {
            let seat = Some(0);
            let request = v1::RotateSeatTokenRequest { match_id, seat, request_id: None, claim_secret: None };
            matches.rotate_seat_token(sent_with(request, credentials)).await.map(|_| None)
        }
        "UpdateMatchLabels" => {
            let labels = [("round".to_owned(), "1".to_owned())].into();
            let request = v1::UpdateMatchLabelsRequest { match_id, labels, update_mask: None };
            matches.update_match_labels(sent_with(request, credentials)).await.map(|_| None)
        }
        "RedactPlayer" => {
            let request = v1::RedactPlayerRequest { match_id, seat: Some(0) };
            matches.redact_player(sent_with(request, credentials)).await.map(|_| None)
        }
        "ForkMatch" => {
            let request = v1::ForkMatchRequest { match_id, at_seq: Some(4), ..Default::default() };
            matches.fork_match(sent_with(request, credentials)).await.map(|_| None)
        }
        "CreateRematch" => {
            let request = v1::CreateRematchRequest { match_id, ..Default::default() };
            matches.create_rematch(sent_with(request, credentials)).await.map(|_| None)
        }
        _ => panic!("not a write: {rpc}"),
    }
}
