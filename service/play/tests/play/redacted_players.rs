//! An erased player appears in no answer of any replica, and everything else goes on.

use std::time::Duration;

use futures_util::StreamExt;
use play::{ApiKey, Caller, KeyRing, Play, Role, Settings};
use prost::Message;
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use crate::fixture::{self, Fixture};
use crate::replicas::Database;

const NAME: &str = "Unmistakable Zoë";

/// Replicas with the same API keys.
struct Keyed {
    keys: Vec<ApiKey>,
    app: Caller,
    other_app: Caller,
    audit: Caller,
    admin: Caller,
}

impl Keyed {
    fn new() -> Self {
        let roles = [("app", Role::App), ("other", Role::App), ("audit", Role::Audit), ("boss", Role::Admin)];
        let generated = roles.map(|(name, role)| ApiKey::generate(name, role).unwrap());
        let [app, other_app, audit, admin] = generated.clone().map(|(_, secret)| fixture::app(secret));
        Self { keys: generated.map(|(key, _)| key).to_vec(), app, other_app, audit, admin }
    }

    async fn replica(&self, url: &str) -> Play {
        let keys = KeyRing::new(self.keys.clone()).unwrap();
        let settings = Settings { keys, ..Settings::default() };
        fixture::with_settings(fixture::open(url).await, settings).await
    }

    /// Starts a match of the app in which `NAME` has seat 0.
    async fn start(&self, play: &Play) -> (Fixture, proto::ClaimSeatRequest) {
        let created = play.create_match(&self.app, fixture::create(3)).await.unwrap();
        let match_id = created.r#match.unwrap().match_id;
        let claim = proto::ClaimSeatRequest {
            player: Some(proto::Player::named(NAME)),
            request_id: Some(Uuid::new_v4().to_string()),
            claim_secret: Some(fixture::SECRET.to_owned()),
            ..fixture::claim(&match_id, 0)
        };
        let angels = play.claim_seat(&self.app, claim.clone()).await.unwrap().seat_token;
        let demons = play.claim_seat(&self.app, fixture::claim(&match_id, 1)).await.unwrap().seat_token;
        (Fixture { match_id, angels: fixture::seat(angels), demons: fixture::seat(demons) }, claim)
    }
}

fn redact(match_id: &str) -> proto::RedactPlayerRequest {
    proto::RedactPlayerRequest { match_id: match_id.to_owned(), seat: Some(0) }
}

fn names(message: &impl Message) -> bool {
    message.encode_to_vec().windows(NAME.len()).any(|window| window == NAME.as_bytes())
}

/// Returns which answers name the player.
async fn answers_that_name(play: &Play, caller: &Caller, match_id: &str) -> Vec<&'static str> {
    let match_id = match_id.to_owned();
    let mut found = Vec::new();
    let mut check = |answer, names: bool| found.extend(names.then_some(answer));
    let got = proto::GetMatchRequest { match_id: match_id.clone() };
    check("GetMatch", names(&play.get_match(caller, got).await.unwrap()));
    for at_seq in [None, Some(3)] {
        let view = proto::GetViewRequest { match_id: match_id.clone(), at_seq, ..Default::default() };
        check("GetView", names(&play.get_view(caller, view).await.unwrap()));
    }
    let events =
        proto::ListEventsRequest { match_id: match_id.clone(), page_size: 500, ..Default::default() };
    check("ListEvents", names(&play.list_events(caller, events).await.unwrap()));
    let listed = play.list_matches(caller, proto::ListMatchesRequest::default()).await.unwrap();
    check("ListMatches", names(&listed));
    let by_name = proto::ListMatchesRequest { player: Some(NAME.to_owned()), ..Default::default() };
    check("by name", !play.list_matches(caller, by_name).await.unwrap().matches.is_empty());
    let export = proto::ExportLogRequest { match_id: match_id.clone() };
    let records: Vec<_> = play.export_log(caller, export).await.unwrap().collect().await;
    check("ExportLog", records.iter().any(|record| names(record.as_ref().unwrap())));
    let watch =
        proto::WatchMatchRequest { match_id, after_seq: Some(1), include_view: true, after_hash: None };
    let frames: Vec<_> = play.watch_match(caller, watch).await.unwrap().take(4).collect().await;
    check("WatchMatch", frames.iter().any(|frame| names(frame.as_ref().unwrap())));
    found
}

const EVERY_ANSWER: [&str; 8] =
    ["GetMatch", "GetView", "GetView", "ListEvents", "ListMatches", "by name", "ExportLog", "WatchMatch"];

#[tokio::test]
async fn no_answer_names_an_erased_player_and_the_match_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let keyed = Keyed::new();
    for url in ["memory:".to_owned(), format!("sqlite://{}", dir.path().join("m.db").display())] {
        let play = keyed.replica(&url).await;
        let (table, claim) = keyed.start(&play).await;
        assert_eq!(answers_that_name(&play, &keyed.app, &table.match_id).await, EVERY_ANSWER);
        let watch = proto::WatchMatchRequest {
            match_id: table.match_id.clone(),
            after_seq: None,
            include_view: true,
            after_hash: None,
        };
        let mut watch = play.watch_match(&table.angels, watch).await.unwrap();
        // Sent before the erasure.
        assert!(names(&watch.next().await.unwrap().unwrap()));
        for _ in 0..2 {
            let erased = play.redact_player(&keyed.app, redact(&table.match_id)).await.unwrap();
            let seats = erased.r#match.unwrap().seats;
            assert!(seats[0].claimed && seats[0].player.is_none() && seats[1].player.is_some());
        }
        for caller in [&keyed.app, &keyed.admin, &table.angels, &Caller::anonymous()] {
            assert_eq!(answers_that_name(&play, caller, &table.match_id).await, [""; 0]);
        }
        table.play_turn(&play).await;
        assert!(!names(&watch.next().await.unwrap().unwrap()));
        // A retry of the claim is still recognized, and returns the token.
        let retried = play.claim_seat(&keyed.app, claim).await.unwrap();
        assert!(!names(&retried) && !retried.seat_token.is_empty());
        let resign = proto::ResignRequest { match_id: table.match_id.clone(), request_id: None };
        play.resign(&table.demons, resign).await.unwrap();
        assert_eq!(answers_that_name(&play, &keyed.app, &table.match_id).await, [""; 0]);
        // A rematch does not know the name either: the player claims with one.
        let rematch = proto::CreateRematchRequest { match_id: table.match_id.clone(), ..Default::default() };
        let rematch = play.create_rematch(&table.angels, rematch).await.unwrap();
        assert!(!names(&rematch) && rematch.seat_token.is_empty() && rematch.seat == Some(1));
        play.shut_down();
    }
}

#[tokio::test]
async fn only_the_owner_and_admins_redact_and_only_a_claimed_seat() {
    let keyed = Keyed::new();
    let play = keyed.replica("memory:").await;
    let (table, _) = keyed.start(&play).await;
    for (caller, reason) in [
        (&Caller::anonymous(), ErrorReason::MissingKey),
        (&table.angels, ErrorReason::MissingKey),
        (&keyed.other_app, ErrorReason::NotAllowed),
        (&keyed.audit, ErrorReason::NotAllowed),
    ] {
        let refusal = play.redact_player(caller, redact(&table.match_id)).await.unwrap_err();
        assert_eq!(refusal.reason, reason);
    }
    assert_eq!(answers_that_name(&play, &keyed.app, &table.match_id).await, EVERY_ANSWER);
    let created = play.create_match(&keyed.app, fixture::create(3)).await.unwrap().r#match.unwrap();
    let refusal = play.redact_player(&keyed.app, redact(&created.match_id)).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::SeatNotClaimed);
    let beyond = proto::RedactPlayerRequest { seat: Some(2), ..redact(&table.match_id) };
    let refusal = play.redact_player(&keyed.app, beyond).await.unwrap_err();
    assert_eq!(refusal.reason, ErrorReason::InvalidArgument);
    play.redact_player(&keyed.admin, redact(&table.match_id)).await.unwrap();
    assert_eq!(answers_that_name(&play, &keyed.app, &table.match_id).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_replica_forgets_the_player_and_never_brings_it_back() {
    let Some(database) = Database::create().await else { return };
    let keyed = Keyed::new();
    let [here, there] = [keyed.replica(&database.url()).await, keyed.replica(&database.url()).await];
    let (table, _) = keyed.start(&here).await;
    assert_eq!(answers_that_name(&there, &keyed.app, &table.match_id).await, EVERY_ANSWER);
    here.redact_player(&keyed.app, redact(&table.match_id)).await.unwrap();
    assert_eq!(answers_that_name(&here, &keyed.app, &table.match_id).await, [""; 0]);
    let forgets = async {
        while !answers_that_name(&there, &keyed.app, &table.match_id).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), forgets).await.expect("the other replica forgets");
    // The other replica writes the row of the match again.
    let resign = proto::ResignRequest { match_id: table.match_id.clone(), request_id: None };
    there.resign(&table.demons, resign).await.unwrap();
    for play in [&here, &there] {
        assert_eq!(answers_that_name(play, &keyed.app, &table.match_id).await, [""; 0]);
    }
}

#[tokio::test]
async fn a_name_that_the_log_does_not_commit_to_is_not_shown() {
    let Some(database) = Database::create().await else { return };
    let keyed = Keyed::new();
    let play = keyed.replica(&database.url()).await;
    let (table, _) = keyed.start(&play).await;
    let forge = format!("UPDATE match_seat SET display_name = '{NAME}' WHERE seat = 1");
    crate::replicas::execute(&database.url(), forge).await;
    play.redact_player(&keyed.app, redact(&table.match_id)).await.unwrap();
    // A replica that has the match in memory does not read the directory again.
    let other = keyed.replica(&database.url()).await;
    let got = proto::GetMatchRequest { match_id: table.match_id.clone() };
    let seats = other.get_match(&keyed.app, got).await.unwrap().r#match.unwrap().seats;
    assert!(seats.iter().all(|seat| seat.claimed && seat.player.is_none()));
}
