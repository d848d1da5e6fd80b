//! Mistyped games, ids, options and values: refused everywhere, with the word and what is known instead.

use crate::service::Service;

const GAMES: &str = "ace-exorcist, ludus-magus, angels-and-demons, cresnovian-chess";
const NO_MATCH: &str = "01900000-0000-7000-8000-000000000000";

/// Asserts that each command fails with its code, and that the error has each of its pieces.
#[track_caller]
fn assert_refused(service: &Service, cases: &[(&[&str], i32, &[&str])]) {
    for (arguments, code, pieces) in cases {
        let ran = service.run(arguments);
        assert_eq!(ran.code, *code, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        for piece in *pieces {
            assert!(ran.stderr.contains(piece), "{arguments:?} lacks {piece}: {}", ran.stderr);
        }
    }
}

#[test]
fn unknown_games_are_named_with_the_known_ones() {
    let service = Service::start();
    let folder = service.state().join("logs");
    let dir = folder.display().to_string();
    let known = &["unknown game \"ludus-magsu\"", GAMES][..];
    assert_refused(
        &service,
        &[
            (&["games", "ludus-magsu"], 1, known),
            (&["new", "ludus-magsu"], 1, known),
            (&["new", "ludus-magsu", "--seat", "white", "--name", "Ann"], 1, known),
            (&["new", "ludus-magsu", "--option", "max_turns=3"], 1, known),
            (&["new", "ludus-magsu", "--bots", "2", "--watch"], 1, known),
            (&["matches", "--game", "ludus-magsu"], 1, known),
            (&["export-all", &dir, "--game", "ludus-magsu"], 1, known),
        ],
    );
    assert!(!folder.exists(), "a refused export leaves nothing that would stand in the way of the next");
}

#[test]
fn unknown_words_of_a_game_are_named_with_the_known_ones() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let seats = &["no seat `demosn`; the seats are 0 (angels), 1 (demons)"][..];
    assert_refused(
        &service,
        &[
            (&["new", "ludus-magus", "-o", "max_tunrs=3"], 2, &["`max_tunrs`", "it has pieces, mana"]),
            (&["new", "ludus-magus", "--rules-version", "9"], 1, &["this build: 1"]),
            (&["new", "angels-and-demons", "--seat", "demosn", "--name", "Ann"], 2, seats),
            (&["claim", &id, "demosn", "--name", "Ann"], 2, seats),
            (&["show", &id, "--orientation", "demosn"], 2, seats),
            (&["show", &id, "--seat", "demosn"], 2, seats),
            (&["replay", &id, "--seat", "demosn"], 2, seats),
            (&["legal", &id, "--seat", "demosn"], 2, seats),
            (&["move", &id, "3,5", "--seat", "demosn"], 2, seats),
            (&["bot", &id, "--seat", "demosn"], 2, seats),
            (&["rotate", &id, "demosn"], 2, seats),
            (&["redact-player", &id, "demosn"], 2, seats),
        ],
    );
}

#[test]
fn matches_and_events_that_do_not_exist_are_refused() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let unknown = &["match not found", "check the match's id"][..];
    assert_refused(
        &service,
        &[
            (&["show", NO_MATCH], 1, unknown),
            (&["matches", &id, NO_MATCH], 1, &["match_id: 01900000-0000-7000-8000-000000000000"]),
            (&["labels", NO_MATCH], 1, unknown),
            (&["export", NO_MATCH], 1, unknown),
            (&["replay", NO_MATCH], 1, unknown),
            (&["sign", NO_MATCH], 1, unknown),
            (&["fork", NO_MATCH], 1, unknown),
            (&["matches", "0190"], 2, &["'0190'", "is a UUID"]),
            (&["show", "0190"], 2, &["'0190'", "is a UUID"]),
            (&["show", &id, "--at", "99"], 1, &["no event 99", "newest is 4"]),
            (&["watch", &id, "--after", "99"], 1, &["no event 99", "newest is 4"]),
            (&["replay", &id, "--from", "99"], 2, &["--from 99", "newest is 4"]),
            (&["replay", &id, "--from", "0"], 2, &["'0'", "--from"]),
        ],
    );
    let events = service.ok(&["events", &id, "--after", "99"]);
    assert_eq!(events, "No events after event 99; the newest is 4.\n");
}

#[test]
fn mistyped_values_get_a_suggestion() {
    let service = Service::start();
    let id = service.started_match(&[]);
    assert_refused(
        &service,
        &[
            (&["matches", "--status", "ovr"], 2, &["'ovr'", "open, running, over"]),
            (&["export-all", "logs", "--status", "ovr"], 2, &["'ovr'", "open, running, over"]),
            (&["new", "ludus-magus", "--visibility", "publc"], 2, &["'publc'", "'public'"]),
            (&["new", "ludus-magus", "--bots", "2", "--skill", "greddy"], 2, &["'greddy'", "'greedy'"]),
            (&["draw", &id, "acept"], 2, &["'acept'", "'accept'"]),
            (&["show", &id, "--theme", "drak"], 2, &["'drak'", "'dark'"]),
            (&["completions", "bsh"], 2, &["'bsh'", "'bash'"]),
            (&["shwo", &id], 2, &["'shwo'", "'show'"]),
            (&["show", &id, "--opne"], 2, &["'--opne'", "'--open'"]),
            (&["webhook", "lst"], 2, &["'lst'", "'list'"]),
            (&["webhook", "show", "hook"], 1, &["webhook_id"]),
            (&["feed", "--no-follow", "--after", "start"], 1, &["field after"]),
            (&["verify", "match.jsnl"], 4, &[]),
            (&["convert", "match.jsnl"], 4, &["match.jsnl"]),
            (&["replay", "match.jsnl"], 4, &["match.jsnl"]),
        ],
    );
}
