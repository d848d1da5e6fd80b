//! What a stranger's call on a private match costs: as much as a call on a match that does not exist.

use journal::Journal;
use play::{Caller, Play, Refusal};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture::{self, SECRET};
use crate::keyed::Keyed;

/// A private match that was stored before the service started.
struct Stored {
    journal: Journal,
    match_id: String,
    seat: Caller,
}

impl Stored {
    async fn new() -> Self {
        let journal = fixture::open("memory:").await;
        let keyed = Keyed::on(journal.clone()).await;
        let match_id = keyed.create(Visibility::Private).await;
        let seat = keyed.claim(&keyed.app, &match_id, 0).await.unwrap();
        keyed.play.shut_down();
        Self { journal, match_id, seat }
    }

    /// Starts the service again, with an empty cache.
    async fn restart(&self) -> Keyed {
        Keyed::on(self.journal.clone()).await
    }
}

/// Returns callers that may not know of a private match.
fn strangers(keyed: &Keyed) -> [Caller; 3] {
    [Caller::anonymous(), fixture::seat("mbs_of-another-match"), keyed.other_app.clone()]
}

/// Returns the refusal of a call, by its name.
fn refused<T>(name: &'static str, answer: Result<T, Refusal>) -> (&'static str, Refusal) {
    (name, answer.err().expect(name))
}

/// Looks at a match with every call that there is, and returns how each was refused.
async fn looks(play: &Play, caller: &Caller, id: &str) -> Vec<(&'static str, Refusal)> {
    let match_id = || id.to_owned();
    let get = proto::GetMatchRequest { match_id: match_id() };
    let batch = proto::BatchGetMatchesRequest { match_ids: vec![match_id()] };
    let view = proto::GetViewRequest { match_id: match_id(), at_seq: Some(1), ..Default::default() };
    let events = proto::ListEventsRequest { match_id: match_id(), ..Default::default() };
    let export = proto::ExportLogRequest { match_id: match_id() };
    let head = proto::SignHeadRequest { match_id: match_id(), ..Default::default() };
    let watch = proto::WatchMatchRequest { match_id: match_id(), ..Default::default() };
    let moves = proto::ListLegalMovesRequest { match_id: match_id(), seat: Some(0), ..Default::default() };
    let choices = proto::GetChoicesRequest { match_id: match_id(), ..Default::default() };
    let input = Some(proto::check_move_request::Input::Notation("1,1".to_owned()));
    let check = proto::CheckMoveRequest { match_id: match_id(), input, ..Default::default() };
    let suggest = proto::SuggestMoveRequest { match_id: match_id(), ..Default::default() };
    vec![
        refused("GetMatch", play.get_match(caller, get).await),
        refused("BatchGetMatches", play.batch_get_matches(caller, batch).await),
        refused("GetView", play.get_view(caller, view).await),
        refused("ListEvents", play.list_events(caller, events).await),
        refused("ExportLog", play.export_log(caller, export).await),
        refused("SignHead", play.sign_head(caller, head).await),
        refused("WatchMatch", play.watch_match(caller, watch).await),
        refused("ListLegalMoves", play.list_legal_moves(caller, moves).await),
        refused("GetChoices", play.get_choices(caller, choices).await),
        refused("CheckMove", play.check_move(caller, check).await),
        refused("SuggestMove", play.suggest_move(caller, suggest).await),
    ]
}

/// Tries to change a match with every call that there is, and returns how each was refused.
async fn changes(play: &Play, caller: &Caller, id: &str) -> Vec<(&'static str, Refusal)> {
    let match_id = || id.to_owned();
    let resign = proto::ResignRequest { match_id: match_id(), request_id: None };
    let abort = proto::AbortMatchRequest { match_id: match_id(), request_id: None };
    let kind = proto::ProposalKind::Draw.into();
    let propose = proto::MakeProposalRequest { match_id: match_id(), kind, ..Default::default() };
    let accept = Some(true);
    let answer = proto::AnswerProposalRequest { match_id: match_id(), kind, accept, ..Default::default() };
    let rotate = proto::RotateSeatTokenRequest {
        match_id: match_id(),
        seat: Some(0),
        claim_secret: Some(SECRET.to_owned()),
        ..Default::default()
    };
    let redact = proto::RedactPlayerRequest { match_id: match_id(), seat: Some(0) };
    let fork = proto::ForkMatchRequest { match_id: match_id(), ..Default::default() };
    let rematch = proto::CreateRematchRequest { match_id: match_id(), ..Default::default() };
    let labels = proto::UpdateMatchLabelsRequest { match_id: match_id(), ..Default::default() };
    vec![
        refused("SubmitMove", play.submit_move(caller, fixture::submit(id, "1,1", None)).await),
        refused("ClaimSeat", play.claim_seat(caller, fixture::claim(id, 1)).await),
        refused("Resign", play.resign(caller, resign).await),
        refused("AbortMatch", play.abort_match(caller, abort).await),
        refused("MakeProposal", play.make_proposal(caller, propose).await),
        refused("AnswerProposal", play.answer_proposal(caller, answer).await),
        refused("RotateSeatToken", play.rotate_seat_token(caller, rotate).await),
        refused("RedactPlayer", play.redact_player(caller, redact).await),
        refused("ForkMatch", play.fork_match(caller, fork).await),
        refused("CreateRematch", play.create_rematch(caller, rematch).await),
        refused("UpdateMatchLabels", play.update_match_labels(caller, labels).await),
    ]
}

#[tokio::test]
async fn strangers_calls_on_a_private_match_read_nothing_of_its_log() {
    let stored = Stored::new().await;
    let keyed = stored.restart().await;
    let missing = Uuid::now_v7().to_string();
    for caller in &strangers(&keyed) {
        for id in [&stored.match_id, &missing] {
            let mut refusals = looks(&keyed.play, caller, id).await;
            refusals.extend(changes(&keyed.play, caller, id).await);
            for (call, refusal) in refusals {
                assert_eq!(refusal.reason, ErrorReason::UnknownMatch, "{call}");
                assert_eq!((keyed.play.live_misses(), keyed.play.live_bytes()), (0, 0), "{call}");
            }
        }
    }
    for known in [&stored.seat, &keyed.app, &keyed.audit] {
        keyed.viewer(known, &stored.match_id).await.unwrap();
    }
    assert_eq!(keyed.play.live_misses(), 1);
}

/// The call that replaced a token made the caller a stranger, who proves by the secret who it is.
#[tokio::test]
async fn a_replaced_token_and_its_secret_get_the_new_token_of_a_private_match_again() {
    let stored = Stored::new().await;
    let rotate = |secret: &str| proto::RotateSeatTokenRequest {
        match_id: stored.match_id.clone(),
        seat: Some(0),
        request_id: Some(Uuid::from_u128(7).to_string()),
        claim_secret: Some(secret.to_owned()),
    };
    let rotated = stored.restart().await.play.rotate_seat_token(&stored.seat, rotate(SECRET)).await;
    let token = rotated.unwrap().seat_token;
    let keyed = stored.restart().await;
    let wrong = keyed.play.rotate_seat_token(&stored.seat, rotate("another-secret-of-mine")).await;
    assert_eq!(wrong.unwrap_err().reason, ErrorReason::UnknownMatch);
    assert_eq!(keyed.play.live_misses(), 0);
    let again = keyed.play.rotate_seat_token(&stored.seat, rotate(SECRET)).await.unwrap();
    assert_eq!(again.seat_token, token);
}
