//! Bots and draw offers, and bots when a match ends outside the rules.

use serde_json::json;

use crate::service::Service;
use crate::watching::Lines;

/// Starts a match with a person in seat 0 and a bot of this skill in seat 1.
fn against_a_bot(service: &Service, more: &[&str]) -> (std::process::Child, Lines, String) {
    let arguments =
        ["new", "angels-and-demons", "--seat", "0", "--name", "Ann", "--bots", "1", "--watch", "--json"];
    let mut game = service.command(&[&arguments[..], more].concat()).spawn().expect("the client starts");
    let mut lines = Lines::of(&mut game);
    let id = lines.next()["match"]["matchId"].as_str().expect("a match has an id").to_owned();
    lines.until(|line| line["match"]["status"] == "MATCH_STATUS_RUNNING");
    (game, lines, id)
}

#[test]
fn a_bot_that_is_not_behind_declines_a_draw() {
    let service = Service::start();
    for skill in ["greedy", "random"] {
        let (mut game, mut lines, id) = against_a_bot(&service, &["--skill", skill]);
        service.ok(&["draw", &id]);
        let declined = lines.until(|line| line["event"]["proposalAnswered"].is_object());
        let expected =
            json!({"seat": 1, "kind": "PROPOSAL_KIND_DRAW", "accepted": false, "movesTakenBack": 0});
        assert_eq!(declined["event"]["proposalAnswered"], expected);
        service.ok(&["resign", &id]);
        let ended = lines.until(|line| line["event"]["matchEnded"].is_object());
        assert_eq!(ended["event"]["matchEnded"]["result"]["reason"], "resignation");
        assert!(game.wait().unwrap().success(), "{skill}");
    }
}

#[test]
fn a_greedy_bot_that_is_behind_accepts_a_draw() {
    let service = Service::start();
    // The bot's delay is long, but it must answer the offer at once.
    let id = service.started_match(&["rows=3", "cols=3"]);
    // The Angels gain two spaces; the Demons' two are contested.
    service.turn(&id, "2,2", "1,1");
    let view = &service.json(&["show", &id])[0]["view"]["gameView"]["angelsAndDemons"];
    assert!(view["angels"].as_u64() > view["demons"].as_u64(), "{view}");
    let arguments = ["bot", &id, "--seat", "1", "--delay", "1d", "--json"];
    let mut bot = service.command(&arguments).spawn().expect("the client starts");
    service.ok(&["draw", &id, "--seat", "0"]);
    let mut lines = Lines::of(&mut bot);
    assert_eq!(lines.next()["view"]["result"]["reason"], "agreement");
    assert!(bot.wait().unwrap().success());
}

#[test]
fn a_waiting_bot_ends_with_the_match_however_it_ends() {
    let service = Service::start();
    for ending in ["resign", "abort"] {
        let (mut game, mut lines, id) = against_a_bot(&service, &["--delay", "1d"]);
        service.ok(&[ending, &id]);
        lines.until(|line| line["event"]["matchEnded"].is_object());
        assert!(game.wait().unwrap().success(), "{ending}");
    }
}

#[test]
fn a_bot_ends_when_its_opponent_runs_out_of_time() {
    let service = Service::start();
    let arguments = ["new", "ludus-magus", "--seat", "0", "--name", "Ann", "--bots", "1", "--time", "100ms"];
    let lines = service.json(&arguments);
    let result = &lines.last().unwrap()["match"]["result"];
    assert_eq!((&result["standings"][1]["rank"], &result["reason"]), (&1.into(), &"time".into()));
}
