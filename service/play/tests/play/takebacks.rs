//! Takebacks by consent (G-10), in the service: what they refuse, and what every read shows after one.

use futures_util::StreamExt;
use play::{Caller, Capacity, Play, Refusal};
use uuid::Uuid;
use wire::v1::event::Kind;
use wire::v1::watch_match_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};

const TAKEBACK: i32 = proto::ProposalKind::Takeback as i32;

fn create(game: &str) -> proto::CreateMatchRequest {
    proto::CreateMatchRequest { game_id: game.to_owned(), ..Default::default() }
}

/// A running match of Ludus Magus; `angels` is White, `demons` Black.
struct Match {
    play: Play,
    fixture: Fixture,
}

impl Match {
    async fn start() -> Self {
        Self::of(create("ludus-magus")).await
    }

    async fn of(create: proto::CreateMatchRequest) -> Self {
        let play = fixture::in_memory().await;
        let fixture = Fixture::start_with(&play, create).await;
        Self { play, fixture }
    }

    fn white(&self) -> &Caller {
        &self.fixture.angels
    }

    fn black(&self) -> &Caller {
        &self.fixture.demons
    }

    fn id(&self) -> String {
        self.fixture.match_id.clone()
    }

    async fn ask(&self, caller: &Caller) -> Result<proto::MakeProposalResponse, Refusal> {
        let request = proto::MakeProposalRequest { match_id: self.id(), kind: TAKEBACK, request_id: None };
        self.play.make_proposal(caller, request).await
    }

    async fn answer(&self, caller: &Caller, accept: bool) -> Result<proto::AnswerProposalResponse, Refusal> {
        let (match_id, accept, request_id) = (self.id(), Some(accept), None);
        let request = proto::AnswerProposalRequest { match_id, kind: TAKEBACK, accept, request_id };
        self.play.answer_proposal(caller, request).await
    }

    async fn submit(&self, caller: &Caller, notation: &str) -> proto::SubmitMoveResponse {
        self.fixture.submit(&self.play, caller, notation).await.unwrap()
    }

    async fn view(&self, at_seq: Option<u32>) -> proto::View {
        let request = proto::GetViewRequest { match_id: self.id(), at_seq, ..Default::default() };
        self.play.get_view(&Caller::anonymous(), request).await.unwrap().view.unwrap()
    }

    async fn legal(&self, seat: u32) -> Vec<String> {
        let request =
            proto::ListLegalMovesRequest { match_id: self.id(), seat: Some(seat), ..Default::default() };
        let listed = self.play.list_legal_moves(&Caller::anonymous(), request).await.unwrap();
        listed.moves.into_iter().map(|legal| legal.notation).collect()
    }
}

fn same_position(one: &proto::View, other: &proto::View) -> bool {
    (&one.game_view, &one.to_act) == (&other.game_view, &other.to_act)
}

#[tokio::test]
async fn a_takeback_restores_the_position_before_the_turn() {
    let played = Match::start().await;
    let (before, legal) = (played.view(None).await, played.legal(0).await);
    played.submit(played.white(), "a1-a2").await;
    let middle = played.view(None).await;
    played.submit(played.black(), "h8-h7").await;
    let after = played.view(None).await;
    let asked = played.ask(played.white()).await.unwrap();
    let open = proto::Proposal { kind: TAKEBACK, seat: Some(0) };
    assert_eq!(asked.view.unwrap().proposals, [open]);
    let answered = played.answer(played.black(), true).await.unwrap();

    let Some(Kind::ProposalAnswered(event)) = &answered.events[0].kind else { panic!("no answer") };
    assert_eq!((event.accepted, event.moves_taken_back), (true, 2));
    let view = answered.view.unwrap();
    assert!(same_position(&view, &before) && view.proposals.is_empty());
    assert_eq!(played.legal(0).await, legal);
    // The past stays what it was.
    for (seq, past) in [(5, &middle), (6, &after)] {
        assert!(same_position(&played.view(Some(seq)).await, past), "{seq}");
    }
    // Play goes on from there, and the turn can be taken back again.
    played.submit(played.white(), "b1-b2").await;
    played.ask(played.white()).await.unwrap();
    assert!(same_position(&played.answer(played.black(), true).await.unwrap().view.unwrap(), &before));
}

#[tokio::test]
async fn the_position_before_a_takeback_is_stale_and_its_retried_moves_are_not_made_again() {
    let journal = fixture::open("memory:").await;
    let play = fixture::on(journal.clone(), Capacity::default()).await;
    let fixture = Fixture::start_with(&play, create("ludus-magus")).await;
    let played = Match { play, fixture };
    let first = fixture::submit(&played.id(), "a1-a2", Some(Uuid::new_v4()));
    let submitted = played.play.submit_move(played.white(), first.clone()).await.unwrap();
    played.ask(played.white()).await.unwrap();
    // A proposal makes nothing stale.
    let check = |expected_seq| proto::CheckMoveRequest {
        match_id: played.id(),
        input: Some(proto::check_move_request::Input::Notation("h8-h7".to_owned())),
        expected_seq: Some(expected_seq),
    };
    assert!(played.play.check_move(played.black(), check(5)).await.unwrap().legal);
    played.answer(played.black(), true).await.unwrap();
    for seq in [4, 5, 6] {
        let refusal = played.play.check_move(played.black(), check(seq)).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::StalePosition);
        let late = proto::SubmitMoveRequest {
            expected_seq: Some(seq),
            ..fixture::submit(&played.id(), "a1-a2", Some(Uuid::new_v4()))
        };
        let refusal = played.play.submit_move(played.white(), late).await.unwrap_err();
        assert_eq!(
            (refusal.reason, refusal.metadata["actual_seq"].as_str()),
            (ErrorReason::StalePosition, "7")
        );
    }
    // The taken move's retry is answered as it was, also after a restart.
    let later = fixture::on(journal, Capacity::default()).await;
    for play in [&played.play, &later] {
        assert_eq!(play.submit_move(played.white(), first.clone()).await.unwrap(), submitted);
    }
    assert_eq!(played.view(None).await.seq, 7);
}

#[tokio::test]
async fn a_takeback_is_refused_where_it_is_not_possible() {
    let played = Match::start().await;
    let reason = |refusal: Refusal| (refusal.reason, refusal.metadata["paragraph"].clone());
    let g10 = |reason| (reason, "G-10".to_owned());
    for seat in [played.white(), played.black()] {
        let refusal = played.ask(seat).await.unwrap_err();
        assert_eq!(reason(refusal), g10(ErrorReason::NothingToTakeBack));
        assert_eq!(reason(played.answer(seat, true).await.unwrap_err()), g10(ErrorReason::NoProposal));
    }
    played.submit(played.white(), "a1-a2").await;
    assert_eq!(reason(played.ask(played.black()).await.unwrap_err()), g10(ErrorReason::NothingToTakeBack));
    played.ask(played.white()).await.unwrap();
    assert_eq!(reason(played.ask(played.white()).await.unwrap_err()), g10(ErrorReason::AlreadyProposed));
    assert_eq!(reason(played.answer(played.white(), true).await.unwrap_err()), g10(ErrorReason::NoProposal));
    played.answer(played.black(), false).await.unwrap();
    assert_eq!(reason(played.ask(played.white()).await.unwrap_err()), g10(ErrorReason::AlreadyProposed));
    let resign = proto::ResignRequest { match_id: played.id(), request_id: None };
    played.play.resign(played.black(), resign).await.unwrap();
    assert_eq!(played.ask(played.white()).await.unwrap_err().reason, ErrorReason::MatchOver);
    assert_eq!(played.answer(played.black(), true).await.unwrap_err().reason, ErrorReason::MatchOver);

    for game in ["ace-exorcist", "angels-and-demons"] {
        let played = Match::of(create(game)).await;
        assert_eq!(
            reason(played.ask(played.white()).await.unwrap_err()),
            g10(ErrorReason::TakebackForbidden)
        );
    }
}

#[tokio::test]
async fn terms_without_takebacks_hold_in_retries_rematches_and_forks() {
    let request = proto::CreateMatchRequest {
        forbid_takebacks: true,
        request_id: Some(Uuid::new_v4().to_string()),
        ..create("ludus-magus")
    };
    let played = Match::of(request.clone()).await;
    let (play, anyone) = (&played.play, Caller::anonymous());
    assert!(play.create_match(&anyone, request.clone()).await.unwrap().r#match.unwrap().forbid_takebacks());
    let other = proto::CreateMatchRequest { forbid_takebacks: false, ..request };
    assert_eq!(play.create_match(&anyone, other).await.unwrap_err().reason, ErrorReason::RequestIdReused);

    played.submit(played.white(), "a1-a2").await;
    assert_eq!(played.ask(played.white()).await.unwrap_err().reason, ErrorReason::TakebackForbidden);
    let fork = proto::ForkMatchRequest { match_id: played.id(), ..Default::default() };
    assert!(play.fork_match(&anyone, fork).await.unwrap().r#match.unwrap().forbid_takebacks());
    let resign = proto::ResignRequest { match_id: played.id(), request_id: None };
    play.resign(played.white(), resign).await.unwrap();
    let rematch = proto::CreateRematchRequest { match_id: played.id(), ..Default::default() };
    let rematch = play.create_rematch(played.white(), rematch).await.unwrap().r#match.unwrap();
    assert!(rematch.forbid_takebacks());
    let events = played.fixture.events(play).await;
    assert!(matches!(&events[0].kind, Some(Kind::MatchCreated(created)) if created.forbid_takebacks));
}

#[tokio::test]
async fn forks_from_before_and_after_a_takeback_continue_from_the_moves_in_effect() {
    let played = Match::start().await;
    played.submit(played.white(), "a1-a2").await;
    played.submit(played.black(), "h8-h7").await;
    let earlier = fork(&played, 6).await;
    played.ask(played.white()).await.unwrap();
    played.answer(played.black(), true).await.unwrap();
    played.submit(played.white(), "b1-b2").await;

    let later = fork(&played, 6).await;
    for at_seq in [5, 6, 7, 8, 9] {
        let forked = fork(&played, at_seq).await;
        let there = played.view(Some(at_seq)).await;
        assert_eq!(forked.view.game_view, there.game_view, "{at_seq}");
        let moves = match at_seq {
            5 => vec!["a1-a2"],
            6 | 7 => vec!["a1-a2", "h8-h7"],
            8 => vec![],
            _ => vec!["b1-b2"],
        };
        assert_eq!(forked.moves, moves, "{at_seq}");
    }
    assert_eq!(earlier.view.game_view, later.view.game_view);
    // A fork starts anew: its parent's moves can't be taken back.
    let request =
        proto::MakeProposalRequest { match_id: later.match_id.clone(), kind: TAKEBACK, request_id: None };
    let refusal = played.play.make_proposal(&later.white, request).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::NothingToTakeBack);
}

struct Forked {
    match_id: String,
    white: Caller,
    view: proto::View,
    moves: Vec<String>,
}

/// Forks a match, claims the fork's seats, and returns its first position.
async fn fork(played: &Match, at_seq: u32) -> Forked {
    let play = &played.play;
    let request =
        proto::ForkMatchRequest { match_id: played.id(), at_seq: Some(at_seq), ..Default::default() };
    let forked = play.fork_match(&Caller::anonymous(), request).await.unwrap();
    let match_id = forked.r#match.unwrap().match_id;
    let mut tokens = Vec::new();
    for seat in [0, 1] {
        let claim = fixture::claim(&match_id, seat);
        tokens.push(play.claim_seat(&Caller::anonymous(), claim).await.unwrap().seat_token);
    }
    let request = proto::GetViewRequest { match_id: match_id.clone(), ..Default::default() };
    let view = play.get_view(&Caller::anonymous(), request).await.unwrap().view.unwrap();
    let list = proto::ListEventsRequest { match_id: match_id.clone(), page_size: 1, ..Default::default() };
    let first = play.list_events(&Caller::anonymous(), list).await.unwrap().events.remove(0);
    let Some(Kind::MatchForked(event)) = first.kind else { panic!("the match is no fork") };
    let moves = event.moves.into_iter().map(|made| made.notation).collect();
    Forked { match_id, white: fixture::seat(tokens.swap_remove(0)), view, moves }
}

#[tokio::test]
async fn a_watch_shows_the_position_that_play_returned_to() {
    let played = Match::start().await;
    let before = played.view(None).await;
    let request = proto::WatchMatchRequest {
        match_id: played.id(),
        after_seq: Some(4),
        include_view: true,
        after_hash: None,
    };
    let watch = played.play.watch_match(&Caller::anonymous(), request).await.unwrap();
    played.submit(played.white(), "a1-a2").await;
    played.ask(played.white()).await.unwrap();
    played.answer(played.black(), true).await.unwrap();
    let frames: Vec<_> = watch.take(4).map(Result::unwrap).collect().await;
    let Some(Frame::Event(event)) = &frames[3].frame else { panic!("no event") };
    assert!(matches!(&event.kind, Some(Kind::ProposalAnswered(answered)) if answered.moves_taken_back == 1));
    assert!(same_position(frames[3].view.as_ref().unwrap(), &before));
}
