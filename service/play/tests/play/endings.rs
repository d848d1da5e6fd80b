//! Endings that the rules do not bring about (G-4): resignation, agreed draws, aborting.

use play::{Caller, Play, Refusal};
use uuid::Uuid;
use wire::v1::event::Kind;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};

struct Match {
    play: Play,
    fixture: Fixture,
}

impl Match {
    async fn start() -> Self {
        let play = fixture::in_memory().await;
        let fixture = Fixture::start(&play, 3).await;
        Self { play, fixture }
    }

    async fn offer(&self, caller: &Caller) -> Result<proto::MakeProposalResponse, Refusal> {
        let (match_id, kind) = (self.fixture.match_id.clone(), proto::ProposalKind::Draw.into());
        let request = proto::MakeProposalRequest { match_id, kind, request_id: None };
        self.play.make_proposal(caller, request).await
    }

    async fn decline(&self, caller: &Caller) -> Result<proto::AnswerProposalResponse, Refusal> {
        self.answer(caller, false).await
    }

    async fn accept(&self, caller: &Caller) -> Result<proto::AnswerProposalResponse, Refusal> {
        self.answer(caller, true).await
    }

    async fn answer(&self, caller: &Caller, accept: bool) -> Result<proto::AnswerProposalResponse, Refusal> {
        self.play.answer_proposal(caller, answer(&self.fixture.match_id, accept, None)).await
    }

    async fn abort(&self, caller: &Caller) -> Result<proto::AbortMatchResponse, Refusal> {
        let request = proto::AbortMatchRequest { match_id: self.fixture.match_id.clone(), request_id: None };
        self.play.abort_match(caller, request).await
    }

    fn resign(&self) -> proto::ResignRequest {
        proto::ResignRequest {
            match_id: self.fixture.match_id.clone(),
            request_id: Some(Uuid::new_v4().to_string()),
        }
    }
}

fn answer(match_id: &str, accept: bool, request_id: Option<String>) -> proto::AnswerProposalRequest {
    let (kind, accept) = (proto::ProposalKind::Draw.into(), Some(accept));
    proto::AnswerProposalRequest { match_id: match_id.to_owned(), kind, accept, request_id }
}

fn result(view: Option<proto::View>) -> (Option<u32>, String) {
    let result = view.unwrap().result.expect("the match is over");
    (result.winner(), result.reason)
}

#[tokio::test]
async fn a_resigning_seat_loses_even_if_the_other_is_to_act() {
    let played = Match::start().await;
    let fixture = &played.fixture;
    fixture.submit(&played.play, &fixture.angels, "1,1").await.unwrap();
    let resign = played.resign();
    let first = played.play.resign(&fixture.angels, resign.clone()).await.unwrap();
    assert_eq!(result(first.view.clone()), (Some(1), "resignation".to_owned()));
    assert!(matches!(first.events[0].kind, Some(Kind::MatchEnded(_))));

    // A retry returns the original response, and the other seat can no longer resign.
    assert_eq!(played.play.resign(&fixture.angels, resign.clone()).await.unwrap(), first);
    let refusal = played.play.resign(&fixture.demons, played.resign()).await.unwrap_err();
    assert_eq!(
        (refusal.reason, refusal.metadata["ending"].as_str()),
        (ErrorReason::MatchOver, "resignation")
    );
    // The sealed choice is never revealed.
    let events = fixture.events(&played.play).await;
    assert!(
        events.iter().all(
            |event| !matches!(&event.kind, Some(Kind::MoveSealed(sealed)) if !sealed.notation.is_empty())
        )
    );
}

#[tokio::test]
async fn a_request_id_of_a_resignation_cannot_be_reused() {
    let played = Match::start().await;
    let resign = played.resign();
    played.play.resign(&played.fixture.angels, resign.clone()).await.unwrap();
    let accept = answer(&resign.match_id, true, resign.request_id.clone());
    let refusal = played.play.answer_proposal(&played.fixture.angels, accept).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::RequestIdReused);
    let id = Uuid::parse_str(resign.request_id.as_deref().unwrap()).unwrap();
    let submit = fixture::submit(&resign.match_id, "1,1", Some(id));
    let refusal = played.play.submit_move(&played.fixture.angels, submit).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::RequestIdReused);
}

#[tokio::test]
async fn an_offer_lasts_until_it_is_answered() {
    let played = Match::start().await;
    let (angels, demons) = (&played.fixture.angels, &played.fixture.demons);
    let offered = played.offer(angels).await.unwrap();
    let open = proto::Proposal { kind: proto::ProposalKind::Draw.into(), seat: Some(0) };
    assert_eq!(offered.view.unwrap().proposals, [open]);
    // A move of the other seat does not end the offer.
    played.fixture.submit(&played.play, demons, "3,3").await.unwrap();
    assert_eq!(played.accept(angels).await.unwrap_err().reason, ErrorReason::NoProposal);
    assert_eq!(result(played.accept(demons).await.unwrap().view), (None, "agreement".to_owned()));
}

#[tokio::test]
async fn a_seat_offers_once_between_its_own_moves() {
    let played = Match::start().await;
    let (angels, demons) = (&played.fixture.angels, &played.fixture.demons);
    played.offer(angels).await.unwrap();
    for caller in [angels, demons] {
        assert_eq!(played.offer(caller).await.unwrap_err().reason, ErrorReason::AlreadyProposed);
    }
    let declined = played.decline(demons).await.unwrap();
    assert_eq!(declined.view.unwrap().proposals, []);
    assert_eq!(played.offer(angels).await.unwrap_err().reason, ErrorReason::AlreadyProposed);
    // After its own move it may offer again.
    played.fixture.submit(&played.play, angels, "1,1").await.unwrap();
    played.offer(angels).await.unwrap();
}

#[tokio::test]
async fn an_offer_lapses_with_the_offerers_next_move() {
    let played = Match::start().await;
    played.offer(&played.fixture.angels).await.unwrap();
    played.fixture.submit(&played.play, &played.fixture.angels, "1,1").await.unwrap();
    let refusal = played.accept(&played.fixture.demons).await.unwrap_err();
    assert_eq!((refusal.reason, refusal.metadata["paragraph"].as_str()), (ErrorReason::NoProposal, "G-4"));
}

#[tokio::test]
async fn an_offer_does_not_make_the_position_stale() {
    let played = Match::start().await;
    let fixture = &played.fixture;
    played.offer(&fixture.demons).await.unwrap();
    let submit =
        proto::SubmitMoveRequest { expected_seq: Some(4), ..fixture::submit(&fixture.match_id, "1,1", None) };
    played.play.submit_move(&fixture.angels, submit).await.unwrap();
}

#[tokio::test]
async fn a_match_is_aborted_only_before_its_first_move() {
    let played = Match::start().await;
    assert_eq!(
        result(played.abort(&played.fixture.demons).await.unwrap().view),
        (None, "aborted".to_owned())
    );

    // A sealed choice counts as a move.
    let played = Match::start().await;
    played.fixture.submit(&played.play, &played.fixture.angels, "1,1").await.unwrap();
    let refusal = played.abort(&played.fixture.demons).await.unwrap_err();
    assert_eq!(
        (refusal.reason, refusal.metadata["paragraph"].as_str()),
        (ErrorReason::TooLateToAbort, "G-4")
    );
}

#[tokio::test]
async fn a_game_with_chance_cannot_be_aborted_after_its_deal() {
    let play = fixture::in_memory().await;
    let create = proto::CreateMatchRequest { game_id: "ace-exorcist".to_owned(), ..Default::default() };
    let created = play.create_match(&Caller::anonymous(), create).await.unwrap();
    let match_id = created.r#match.unwrap().match_id;
    let mut token = String::new();
    for seat in [0, 1] {
        let claimed = play.claim_seat(&Caller::anonymous(), fixture::claim(&match_id, seat)).await.unwrap();
        token = claimed.seat_token;
    }
    let abort = proto::AbortMatchRequest { match_id, request_id: None };
    let refusal = play.abort_match(&fixture::seat(token), abort).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::TooLateToAbort);
}

#[tokio::test]
async fn an_open_match_can_be_aborted_but_not_resigned() {
    let play = fixture::in_memory().await;
    let created = play.create_match(&Caller::anonymous(), fixture::create(3)).await.unwrap();
    let match_id = created.r#match.unwrap().match_id;
    let claimed = play.claim_seat(&Caller::anonymous(), fixture::claim(&match_id, 0)).await.unwrap();
    let angels = fixture::seat(claimed.seat_token);
    let resign = proto::ResignRequest { match_id: match_id.clone(), request_id: None };
    assert_eq!(play.resign(&angels, resign.clone()).await.unwrap_err().reason, ErrorReason::MatchNotStarted);
    assert_eq!(
        play.resign(&Caller::anonymous(), resign).await.unwrap_err().reason,
        ErrorReason::MissingToken
    );
    let abort = proto::AbortMatchRequest { match_id: match_id.clone(), request_id: None };
    assert_eq!(result(play.abort_match(&angels, abort).await.unwrap().view), (None, "aborted".to_owned()));
    let claim = play.claim_seat(&Caller::anonymous(), fixture::claim(&match_id, 1)).await;
    assert_eq!(claim.unwrap_err().reason, ErrorReason::MatchOver);
}
