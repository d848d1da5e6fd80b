//! The command `games`, and matches of a chosen rules version.

use crate::service::Service;

#[test]
fn the_catalog_lists_the_game_with_its_options() {
    let service = Service::start();
    let text = service.ok(&["games"]);
    for expected in ["angels-and-demons", "Angels", "Demons", "rows", "3..26", "default 20", "new matches: 1"]
    {
        assert!(text.contains(expected), "{expected} in {text}");
    }
}

#[test]
fn every_type_of_option_is_listed_and_a_structured_one_is_taken_as_json() {
    let service = Service::start();
    let text = service.ok(&["games", "ludus-magus"]);
    for expected in [
        "option max_turns: 1..10000, default 2000",
        "option pieces: JSON list of Piece, default 26 pieces",
        "option mana: JSON of Mana, default 0 and 0",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    let new = ["new", "ludus-magus", "-o", r#"mana={"white": 7, "black": 2}"#, "-o", "max_turns=9"];
    let made = service.json(&new);
    let options = &made[0]["match"]["options"]["ludusMagus"];
    assert_eq!((&options["mana"]["white"], &options["maxTurns"]), (&7.into(), &9.into()));
    let refused = service.run(&["new", "ludus-magus", "-o", "pieces=3"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("option pieces"), "{}", refused.stderr);
}

#[test]
fn one_game_is_shown_with_its_rules() {
    let service = Service::start();
    let text = service.ok(&["games", "angels-and-demons"]);
    assert!(text.contains("AD-4"), "{text}");
    let json = service.json(&["games", "angels-and-demons"]);
    assert_eq!(json.len(), 1);
    assert_eq!(json[0]["game"]["seatNames"], serde_json::json!(["Angels", "Demons"]));
    assert!(json[0]["game"]["rulesText"].as_str().unwrap().contains("AD-4"));
}

#[test]
fn the_list_as_json_shows_defaults() {
    let service = Service::start();
    let json = service.json(&["games"]);
    let game = &json[0]["games"][0];
    assert_eq!(game["gameId"], "ace-exorcist");
    assert_eq!(game["isSimultaneous"], false);
    assert_eq!(game["rulesText"], "");
}

#[test]
fn a_new_match_takes_a_rules_version_of_the_catalog() {
    let service = Service::start();
    let made = service.json(&["new", "angels-and-demons", "--rules-version", "1"]);
    assert_eq!(made[0]["match"]["rulesVersion"], 1);
    let ran = service.run(&["new", "angels-and-demons", "--rules-version", "9"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("must be a rules version of angels-and-demons in this build: 1"),
        "{}",
        ran.stderr
    );
}
