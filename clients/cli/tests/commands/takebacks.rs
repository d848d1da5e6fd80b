//! The command `takeback`, and what other commands show of a takeback.

use serde_json::{Value, json};

use crate::service::Service;
use crate::watching::Lines;

/// Creates a match of Ludus Magus with both seats claimed by this user; returns its id.
fn started(service: &Service, more: &[&str]) -> String {
    let created = service.json(&[&["new", "ludus-magus"], more].concat());
    let id = created[0]["match"]["matchId"].as_str().expect("a match has an id").to_owned();
    service.ok(&["claim", &id, "0", "--name", "Ann"]);
    service.ok(&["claim", &id, "1", "--name", "Bob"]);
    id
}

#[test]
fn a_takeback_is_asked_for_declined_asked_for_again_and_accepted() {
    let service = Service::start();
    let id = started(&service, &[]);
    let before = service.ok(&["show", &id]);
    service.ok(&["move", &id, "a1-a2", "--seat", "white"]);
    let asked = service.ok(&["takeback", &id, "--seat", "white"]);
    assert!(asked.contains("White asked for a takeback"), "{asked}");
    assert!(service.ok(&["show", &id]).contains("Ann, asks for a takeback"));
    let declined = service.ok(&["takeback", &id, "decline", "--seat", "black"]);
    assert!(declined.contains("Black declined the takeback") && !declined.contains("asks"), "{declined}");
    let again = service.run(&["takeback", &id, "ask", "--seat", "white"]);
    assert!(again.code == 1 && again.stderr.contains("(ALREADY_PROPOSED)"), "{}", again.stderr);

    service.ok(&["move", &id, "h8-h7", "--seat", "black"]);
    service.ok(&["move", &id, "b1-b2", "--seat", "white"]);
    service.ok(&["takeback", &id, "--seat", "black"]);
    let accepted = service.ok(&["takeback", &id, "accept", "--seat", "white"]);
    assert!(accepted.contains("White accepted the takeback: the last 2 moves are taken back"), "{accepted}");
    assert!(accepted.contains("Bob") && accepted.contains("to move"), "{accepted}");
    service.ok(&["takeback", &id, "--seat", "white"]);
    service.ok(&["takeback", &id, "accept", "--seat", "black"]);
    assert_eq!(service.ok(&["show", &id]), before);
    // What was played is still there to be seen, and to be gone through.
    assert!(service.ok(&["show", &id, "--at", "5"]).contains("Ann"));
    let events = service.ok(&["events", &id]);
    assert!(
        events.contains("White played a1-a2") && events.contains("the last move is taken back"),
        "{events}"
    );
}

#[test]
fn a_watch_draws_the_board_after_a_takeback() {
    let service = Service::start();
    let id = started(&service, &[]);
    service.ok(&["move", &id, "a1-a2", "--seat", "white"]);
    service.ok(&["takeback", &id, "--seat", "white"]);
    service.ok(&["takeback", &id, "accept", "--seat", "black"]);
    service.ok(&["resign", &id, "--seat", "black"]);
    let text = service.ok(&["watch", &id, "--after", "6"]);
    let (_, after) = text.split_once("the last move is taken back\n").expect("the answer is printed");
    assert!(after.contains("Ann, to move") && after.contains("The match is over"), "{text}");
}

#[test]
fn a_match_can_be_created_without_takebacks() {
    let service = Service::start();
    let id = started(&service, &["--no-takebacks"]);
    assert!(service.ok(&["events", &id]).contains("; no takebacks"));
    service.ok(&["move", &id, "a1-a2", "--seat", "white"]);
    let refused = service.run(&["takeback", &id, "--seat", "white"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("(TAKEBACK_FORBIDDEN)") && refused.stderr.contains("matchbook fork MATCH")
    );
}

#[test]
fn the_poem_returns_to_what_it_was() {
    let service = Service::start();
    let created = service.json(&["new", "cresnovian-chess"]);
    let id = created[0]["match"]["matchId"].as_str().expect("a match has an id");
    service.ok(&["claim", id, "0", "--name", "Zules"]);
    service.ok(&["claim", id, "1", "--name", "Dzuna"]);
    let place = "place ess@1,1 dua@2,1 cos@3,1 vel@3,4 rad@3,5 cor@3,6 inn@1,9 cap@2,9 cog@3,9";
    service.ok(&["move", id, place, "--seat", "0"]);
    service.ok(&["move", id, "left", "--seat", "1"]);
    service.ok(&["move", id, "document a b c d e f g h i", "--seat", "1"]);
    service.ok(&["takeback", id, "--seat", "1"]);
    service.ok(&["takeback", id, "accept", "--seat", "0"]);
    assert_eq!(service.ok(&["show", id, "--poem"]), "");
    assert_eq!(service.ok(&["show", id, "--poem", "--at", "7"]), "a b c d e f g h i\n");
    service.ok(&["move", id, "document r s t u v w x y z", "--seat", "1"]);
    assert_eq!(service.ok(&["show", id, "--poem"]), "r s t u v w x y z\n");
}

#[test]
fn a_bot_lets_its_opponent_take_back_a_move_and_plays_on() {
    let service = Service::start();
    let arguments =
        ["new", "ludus-magus", "--seat", "0", "--name", "Ann", "--bots", "1", "--watch", "--json"];
    let mut game = service.command(&arguments).spawn().expect("the client starts");
    let mut lines = Lines::of(&mut game);
    let id = lines.next()["match"]["matchId"].as_str().expect("a match has an id").to_owned();
    lines.until(|line| line["match"]["status"] == "MATCH_STATUS_RUNNING");
    let moved = |lines: &mut Lines| lines.until(|line| line["event"]["moveMade"]["seat"] == 1);
    service.ok(&["move", &id, "a1-a2"]);
    moved(&mut lines);
    service.ok(&["takeback", &id]);
    let answered = lines.until(|line| line["event"]["proposalAnswered"].is_object());
    let expected: Value =
        json!({"seat": 1, "kind": "PROPOSAL_KIND_TAKEBACK", "accepted": true, "movesTakenBack": 2});
    assert_eq!(answered["event"]["proposalAnswered"], expected);
    service.ok(&["move", &id, "b1-b2"]);
    moved(&mut lines);
    service.ok(&["resign", &id]);
    assert!(game.wait().unwrap().success());
}
