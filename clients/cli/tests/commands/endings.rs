//! The commands `resign`, `draw`, `abort`, `rematch` and `fork`.

use serde_json::{Value, json};

use crate::service::{Ran, Service};

#[track_caller]
fn reason(ran: &Ran) -> (i32, String) {
    let error: Value = serde_json::from_str(&ran.stderr).expect("the error is JSON");
    (ran.code, error["error"]["reason"].as_str().expect("it has a reason").to_owned())
}

fn refused(word: &str) -> (i32, String) {
    (1, word.to_owned())
}

/// Creates a match with both seats claimed by this user; returns its id.
#[track_caller]
fn started(service: &Service, game: &str) -> String {
    let created = service.json(&["new", game]);
    let id = created[0]["match"]["matchId"].as_str().expect("a match has an id").to_owned();
    service.ok(&["claim", &id, "0", "--name", "Ann"]);
    service.ok(&["claim", &id, "1", "--name", "Bob"]);
    id
}

#[test]
fn resigning_loses() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let text = service.ok(&["resign", &id, "--seat", "angels"]);
    assert!(text.contains("Winner: Demons (Lilith), the other side gave up"), "{text}");
    assert!(text.contains("Receipt: ") && text.contains("@5\n"), "{text}");
    assert_eq!(reason(&service.run(&["resign", &id, "--seat", "demons", "--json"])), refused("MATCH_OVER"));
}

#[test]
fn a_draw_is_offered_declined_offered_again_and_accepted() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let draw = |more: &[&str]| service.run(&[&["draw", id.as_str()], more, &["--json"]].concat());

    assert_eq!(reason(&draw(&["accept", "--seat", "1"])), refused("NO_PROPOSAL"));
    let offered = service.ok(&["draw", &id, "--seat", "0"]);
    assert!(offered.contains("Angels offered a draw") && offered.contains("Gabriel (you), to move, offers"));
    assert!(service.ok(&["show", &id]).contains("Gabriel, to move, offers a draw"));
    assert_eq!(reason(&draw(&["offer", "--seat", "0"])), refused("ALREADY_PROPOSED"));

    let declined = service.ok(&["draw", &id, "decline", "--seat", "1"]);
    assert!(declined.contains("Demons declined the draw") && !declined.contains("offers"), "{declined}");
    // A seat may offer once between its own moves.
    assert_eq!(reason(&draw(&["--seat", "0"])), refused("ALREADY_PROPOSED"));
    let answer = draw(&["--seat", "1"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let answer: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(answer["view"]["proposals"], json!([{"kind": "PROPOSAL_KIND_DRAW", "seat": 1}]));
    let accepted = service.ok(&["draw", &id, "accept", "--seat", "0"]);
    assert!(accepted.contains("Draw, by agreement"), "{accepted}");
}

#[test]
fn a_match_is_aborted_only_before_it_has_begun() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let text = service.ok(&["abort", &id, "--seat", "0"]);
    assert!(text.contains("Nobody wins: called off before it had begun"), "{text}");

    let id = service.started_match(&[]);
    service.turn(&id, "2,2", "5,5");
    let late = service.run(&["abort", &id, "--seat", "0"]);
    assert_eq!(late.code, 1);
    assert!(late.stderr.contains("(TOO_LATE_TO_ABORT)") && late.stderr.contains("matchbook resign MATCH"));
}

#[test]
fn a_rematch_swaps_seats_and_stores_the_tokens() {
    let service = Service::start();
    let id = started(&service, "ludus-magus");
    assert_eq!(reason(&service.run(&["rematch", &id, "--seat", "0", "--json"])), refused("MATCH_NOT_OVER"));
    service.ok(&["resign", &id, "--seat", "0"]);

    let first = &service.json(&["rematch", &id, "--seat", "0"])[0];
    assert_eq!(first["seat"], 1);
    assert_eq!(first["match"]["rematchOf"], Value::String(id.clone()));
    let again = first["match"]["matchId"].as_str().unwrap();
    let text = service.ok(&["rematch", &id, "--seat", "1"]);
    assert!(text.contains(&format!("Match {again}\n")) && text.contains("the match has started"), "{text}");
    // Ann, who was White, is Black now, with the stored token.
    let shown = service.ok(&["show", again, "--seat", "1"]);
    assert!(shown.contains("Ann (you)"), "{shown}");
    let events = service.ok(&["events", again]);
    assert!(events.contains(&format!("rematch of match {id}")), "{events}");
}

#[test]
fn with_chance_a_rematch_shows_the_commitment_before_it_claims() {
    let service = Service::start();
    let id = started(&service, "ace-exorcist");
    service.ok(&["resign", &id, "--seat", "1"]);
    let text = service.ok(&["rematch", &id, "--seat", "1"]);
    let rematch = text.split_whitespace().nth(1).unwrap().to_owned();
    let stranger = service.run(&["claim", &rematch, "1", "--name", "Eve"]);
    assert_eq!(stranger.code, 1);
    assert!(
        stranger.stderr.contains("(MISSING_TOKEN)") && stranger.stderr.contains(&id),
        "{}",
        stranger.stderr
    );
    assert!(stranger.stderr.contains("matchbook rematch MATCH"), "{}", stranger.stderr);
    let (commitment, seat) = (text.find("commitment to its part").unwrap(), text.find("You are ").unwrap());
    assert!(commitment < seat && text.contains("Token: "), "{text}");
    let answers = service.json(&["rematch", &id, "--seat", "0"]);
    assert_eq!((&answers[0]["seat"], &answers[0]["seatToken"]), (&1.into(), &"".into()));
    assert_eq!(answers[1]["match"]["status"], "MATCH_STATUS_RUNNING");
    // A repetition changes nothing: the seat's token is stored.
    let text = service.ok(&["rematch", &id, "--seat", "0"]);
    assert!(text.contains("already"), "{text}");
}

#[test]
fn a_fork_continues_from_an_earlier_position() {
    let service = Service::start();
    let id = service.started_match(&["turns=2"]);
    assert_eq!(reason(&service.run(&["fork", &id, "--json"])), refused("NOT_FORKABLE"));
    service.turn(&id, "2,2", "7,7");
    service.turn(&id, "4,4", "5,5");

    let fork = &service.json(&["fork", &id, "--at", "7", "--time", "1h+0", "--visibility", "unlisted"])[0];
    let fork = &fork["match"];
    assert_eq!(
        (&fork["forkedFrom"]["seq"], &fork["openInformation"], &fork["visibility"]),
        (&7.into(), &true.into(), &"VISIBILITY_UNLISTED".into())
    );
    assert_eq!(fork["timeControl"]["bank"]["budget"], "3600s");
    let fork = fork["matchId"].as_str().unwrap();
    service.ok(&["claim", fork, "0", "--name", "Ann"]);
    service.ok(&["claim", fork, "1", "--name", "Bob"]);
    let shown = service.ok(&["show", fork]);
    assert!(shown.contains(&format!("Forked from match {id}, position 7. Open information")), "{shown}");
    assert!(shown.contains("turn 2 of 2") && shown.contains("to move, 59:5"), "{shown}");

    let text = service.ok(&["fork", &id]);
    assert!(
        text.contains(&format!("match {id} from position 7")) && text.contains("matchbook claim "),
        "{text}"
    );
}
