//! Forks and rematches.

use play::{Caller, Capacity, Play, Refusal, ShareHolder};
use uuid::Uuid;
use wire::v1::event::Kind;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};

fn fork(match_id: &str, at_seq: Option<u32>) -> proto::ForkMatchRequest {
    proto::ForkMatchRequest { match_id: match_id.to_owned(), at_seq, ..Default::default() }
}

async fn create_fork(play: &Play, request: proto::ForkMatchRequest) -> Result<proto::Match, Refusal> {
    play.fork_match(&Caller::anonymous(), request).await.map(|answer| answer.r#match.unwrap())
}

async fn view(play: &Play, caller: &Caller, match_id: &str, at_seq: Option<u32>) -> proto::View {
    let request = proto::GetViewRequest { match_id: match_id.to_owned(), at_seq, ..Default::default() };
    play.get_view(caller, request).await.unwrap().view.unwrap()
}

/// Claims both seats of a match.
async fn claim_both(play: &Play, match_id: &str) -> [Caller; 2] {
    let mut seats = Vec::new();
    for seat in [0, 1] {
        let claimed = play.claim_seat(&Caller::anonymous(), fixture::claim(match_id, seat)).await.unwrap();
        seats.push(fixture::seat(claimed.seat_token));
    }
    seats.try_into().unwrap()
}

/// Starts a match with default options.
async fn started(play: &Play, game: &str) -> (String, [Caller; 2]) {
    let create = proto::CreateMatchRequest { game_id: game.to_owned(), ..Default::default() };
    let created = play.create_match(&Caller::anonymous(), create).await.unwrap().r#match.unwrap();
    let seats = claim_both(play, &created.match_id).await;
    (created.match_id, seats)
}

/// Plays up to `count` suggested moves.
async fn play_some(play: &Play, match_id: &str, seats: &[Caller; 2], count: u64) {
    for seed in 0..count {
        let view = view(play, &Caller::anonymous(), match_id, None).await;
        let Some(seat) = view.to_act.first() else { return };
        let caller = &seats[usize::try_from(*seat).unwrap()];
        let mut request = proto::SuggestMoveRequest { match_id: match_id.to_owned(), ..Default::default() };
        request.seed = Some(seed);
        let notation = play.suggest_move(caller, request).await.unwrap().notation;
        play.submit_move(caller, fixture::submit(match_id, &notation, None)).await.unwrap();
    }
}

async fn resign(play: &Play, match_id: &str, seat: &Caller) {
    let request = proto::ResignRequest { match_id: match_id.to_owned(), request_id: None };
    play.resign(seat, request).await.unwrap();
}

#[tokio::test]
async fn a_running_match_without_secrets_can_be_forked_at_any_position() {
    let play = fixture::in_memory().await;
    for game in ["ludus-magus", "cresnovian-chess"] {
        let (match_id, seats) = started(&play, game).await;
        play_some(&play, &match_id, &seats, 6).await;
        let there = view(&play, &Caller::anonymous(), &match_id, Some(7)).await;
        let forked = create_fork(&play, fork(&match_id, Some(7))).await.unwrap();
        assert_eq!(
            forked.forked_from.as_ref().unwrap(),
            &proto::ForkedFrom { match_id: match_id.clone(), seq: 7 }
        );
        assert!(!forked.open_information());
        let seats = claim_both(&play, &forked.match_id).await;
        let here = view(&play, &Caller::anonymous(), &forked.match_id, None).await;
        assert_eq!((here.game_view, here.to_act), (there.game_view, there.to_act), "{game}");
        play_some(&play, &forked.match_id, &seats, 3).await;

        // A fork can be forked in turn and does not need its parent.
        let again = create_fork(&play, fork(&forked.match_id, None)).await.unwrap();
        claim_both(&play, &again.match_id).await;
        let there = view(&play, &Caller::anonymous(), &forked.match_id, None).await;
        let here = view(&play, &Caller::anonymous(), &again.match_id, None).await;
        assert_eq!(here.game_view, there.game_view, "{game}");
    }
}

#[tokio::test]
async fn a_match_with_secrets_can_be_forked_once_over_and_its_fork_is_open() {
    let play = fixture::in_memory().await;
    let (match_id, seats) = started(&play, "ace-exorcist").await;
    play_some(&play, &match_id, &seats, 4).await;
    let refusal = create_fork(&play, fork(&match_id, Some(6))).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::NotForkable);
    resign(&play, &match_id, &seats[0]).await;

    let forked = create_fork(&play, fork(&match_id, None)).await.unwrap();
    assert!(forked.open_information());
    assert_eq!(forked.forked_from.unwrap().seq, 8, "expected the last position in play");
    claim_both(&play, &forked.match_id).await;
    let open = proto::GetViewRequest {
        match_id: match_id.clone(),
        at_seq: Some(8),
        viewer: Some(proto::Viewer::open()),
        ..Default::default()
    };
    let open = play.get_view(&Caller::anonymous(), open).await.unwrap().view.unwrap();
    let here = view(&play, &Caller::anonymous(), &forked.match_id, None).await;
    assert_eq!(here.game_view, open.game_view, "spectators must see the whole state");
}

#[tokio::test]
async fn a_choice_in_a_fork_is_sealed_as_in_its_parent() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    fixture.play_turn(&play).await;
    fixture.submit(&play, &fixture.angels, "2,2").await.unwrap();
    resign(&play, &fixture.match_id, &fixture.demons).await;
    // A position with a sealed choice cannot be forked, but the one before it can.
    let refusal = create_fork(&play, fork(&fixture.match_id, Some(8))).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::NotForkable);
    let forked = create_fork(&play, fork(&fixture.match_id, None)).await.unwrap();
    assert_eq!(forked.forked_from.unwrap().seq, 7);
    let [angels, demons] = claim_both(&play, &forked.match_id).await;
    play.submit_move(&angels, fixture::submit(&forked.match_id, "2,2", None)).await.unwrap();
    for caller in [&demons, &Caller::anonymous()] {
        let seen = view(&play, caller, &forked.match_id, None).await;
        let Some(proto::game_view::Game::AngelsAndDemons(board)) = seen.game_view.unwrap().game else {
            panic!("expected a view of Angels and Demons")
        };
        assert_eq!(board.own_choice, None);
    }
}

#[tokio::test]
async fn a_position_that_is_not_in_play_cannot_be_forked() {
    let play = fixture::in_memory().await;
    let created = play.create_match(&Caller::anonymous(), fixture::create(3)).await.unwrap().r#match.unwrap();
    let refusal = create_fork(&play, fork(&created.match_id, None)).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::NotForkable);
    let (match_id, seats) = started(&play, "ludus-magus").await;
    for before_the_start in 1..=3 {
        let refusal = create_fork(&play, fork(&match_id, Some(before_the_start))).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::NotForkable);
    }
    let refusal = create_fork(&play, fork(&match_id, Some(5))).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::UnknownSeq);
    resign(&play, &match_id, &seats[1]).await;
    let refusal = create_fork(&play, fork(&match_id, Some(5))).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::NotForkable);
}

#[tokio::test]
async fn a_fork_is_at_most_as_visible_as_its_parent() {
    let play = fixture::in_memory().await;
    let visibility = |of: proto::Visibility| Some(i32::from(of));
    let create = proto::CreateMatchRequest {
        game_id: "ludus-magus".to_owned(),
        visibility: visibility(proto::Visibility::Unlisted),
        ..Default::default()
    };
    let created = play.create_match(&Caller::anonymous(), create).await.unwrap().r#match.unwrap();
    claim_both(&play, &created.match_id).await;
    let open = proto::ForkMatchRequest {
        visibility: visibility(proto::Visibility::Public),
        ..fork(&created.match_id, None)
    };
    assert_eq!(create_fork(&play, open).await.unwrap_err().fields[0].field, "visibility");
    let forked = create_fork(&play, fork(&created.match_id, None)).await.unwrap();
    assert_eq!(forked.visibility(), proto::Visibility::Unlisted);
}

#[tokio::test]
async fn a_retried_fork_returns_the_same_match() {
    let play = fixture::in_memory().await;
    let (match_id, seats) = started(&play, "ludus-magus").await;
    let request =
        proto::ForkMatchRequest { request_id: Some(Uuid::new_v4().to_string()), ..fork(&match_id, None) };
    let first = create_fork(&play, request.clone()).await.unwrap();
    claim_both(&play, &first.match_id).await;
    play_some(&play, &match_id, &seats, 1).await;
    assert_eq!(create_fork(&play, request.clone()).await.unwrap(), first);
    let other = proto::ForkMatchRequest { at_seq: Some(5), ..request };
    assert_eq!(create_fork(&play, other).await.unwrap_err().reason, ErrorReason::RequestIdReused);
}

#[tokio::test]
async fn the_log_of_a_fork_names_its_parent_and_moves() {
    let play = fixture::in_memory().await;
    let (match_id, seats) = started(&play, "ludus-magus").await;
    play_some(&play, &match_id, &seats, 2).await;
    let forked = create_fork(&play, fork(&match_id, None)).await.unwrap();
    let request = proto::ListEventsRequest { match_id: forked.match_id, ..Default::default() };
    let events = play.list_events(&Caller::anonymous(), request).await.unwrap().events;
    let Some(Kind::MatchForked(forked)) = &events[0].kind else { panic!("expected a fork event") };
    assert_eq!(forked.moves.len(), 2);
    assert!(forked.moves.iter().all(|earlier| !earlier.notation.is_empty()));
    let request = proto::ListEventsRequest { match_id, after_seq: 5, ..Default::default() };
    let events = play.list_events(&Caller::anonymous(), request).await.unwrap().events;
    assert_eq!(forked.parent_hash, events[0].hash);
}

fn rematch(match_id: &str) -> proto::CreateRematchRequest {
    proto::CreateRematchRequest {
        rules_version: None,
        match_id: match_id.to_owned(),
        request_id: Some(Uuid::new_v4().to_string()),
        claim_secret: Some(fixture::SECRET.to_owned()),
    }
}

#[tokio::test]
async fn both_seats_get_the_same_rematch_with_seats_swapped() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 2).await;
    let refusal = play.create_rematch(&fixture.angels, rematch(&fixture.match_id)).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::MatchNotOver);
    fixture.play_turn(&play).await;
    fixture.play_turn(&play).await;
    let request = rematch(&fixture.match_id);
    let angels = play.create_rematch(&fixture.angels, request.clone()).await.unwrap();
    let demons = play.create_rematch(&fixture.demons, rematch(&fixture.match_id)).await.unwrap();
    assert_eq!((angels.seat(), demons.seat()), (1, 0));
    let again = demons.r#match.unwrap();
    assert_eq!(again.match_id, angels.r#match.as_ref().unwrap().match_id);
    assert_eq!(again.rematch_of.as_deref(), Some(fixture.match_id.as_str()));
    assert_eq!(again.status(), proto::MatchStatus::Running);
    // A retry returns the same token; a new call finds the seat claimed.
    let repeated = play.create_rematch(&fixture.angels, request).await.unwrap();
    assert_eq!(repeated.seat_token, angels.seat_token);
    let anew = play.create_rematch(&fixture.angels, rematch(&fixture.match_id)).await.unwrap_err();
    assert_eq!(anew.reason, ErrorReason::SeatTaken);
    let caller = fixture::seat(repeated.seat_token);
    play.submit_move(&caller, fixture::submit(&again.match_id, "1,1", None)).await.unwrap();
}

#[tokio::test]
async fn a_rematch_with_chance_is_not_claimed_before_its_commitment_is_visible() {
    let play = fixture::in_memory().await;
    let (match_id, seats) = started(&play, "ace-exorcist").await;
    resign(&play, &match_id, &seats[0]).await;
    let answer = play.create_rematch(&seats[0], rematch(&match_id)).await.unwrap();
    assert_eq!((answer.seat(), answer.seat_token.as_str()), (1, ""));
    let nobody = play.create_rematch(&Caller::anonymous(), rematch(&match_id)).await.unwrap_err();
    assert_eq!(nobody.reason, ErrorReason::MissingToken);
}

#[tokio::test]
async fn the_forks_of_a_caller_store_a_bounded_number_of_bytes_per_hour() {
    const BYTES: u64 = 4 << 10;
    let capacity = Capacity { fork_bytes_per_hour: BYTES, ..Capacity::default() };
    let play = fixture::with_capacity(capacity).await;
    let (match_id, seats) = started(&play, "ludus-magus").await;
    play_some(&play, &match_id, &seats, 20).await;
    let caller = |number| Caller::anonymous().with_share_holder(Some(ShareHolder::new(number)));
    let forks = async |caller: Caller, request: &proto::ForkMatchRequest| {
        for number in 0..1_000 {
            if let Err(refusal) = play.fork_match(&caller, request.clone()).await {
                return (number, refusal);
            }
        }
        panic!("no fork was refused")
    };
    let (long, refusal) = forks(caller(1), &fork(&match_id, None)).await;
    assert_eq!(refusal.reason, ErrorReason::RateLimited);
    assert_eq!(refusal.metadata["fork_bytes_per_hour"], BYTES.to_string());
    assert!(refusal.retry_after.is_some());
    // What counts is what is stored: a fork from the start has no moves.
    let (short, _) = forks(caller(2), &fork(&match_id, Some(4))).await;
    assert!(long >= 2 && short > 2 * long, "{long} long ones, {short} short ones");

    // A fork that cannot be made costs nothing.
    for _ in 0..100 {
        let refusal = play.fork_match(&caller(3), fork(&match_id, Some(999))).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::UnknownSeq);
    }
    play.fork_match(&caller(3), fork(&match_id, None)).await.unwrap();
}
