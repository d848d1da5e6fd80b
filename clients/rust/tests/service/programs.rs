//! The programs in `examples/`, run against a real service.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::stage::Service;

#[test]
fn a_match_against_the_services_bot_is_played_to_its_end() {
    let service = Service::start();
    let printed = service.run("play_greedy", &[&service.address, "angels-and-demons"]);
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines.len() > 10 && lines[0].starts_with("match "), "{printed}");
    let last = lines[lines.len() - 1];
    assert!(
        ["you won: ", "the bot won: ", "nobody won: "].iter().any(|start| last.starts_with(start)),
        "{printed}"
    );
}

#[test]
fn two_bots_play_both_seats_and_their_match_can_be_watched_and_kept() {
    let service = Service::start();
    let printed = service.run("two_bots", &[&service.address]);
    assert!(printed.contains(" moves; winner: "), "{printed}");

    let folder = service.home.path().join("logs");
    let keys = service.run("keep_logs", &[text(&folder), &service.address]);
    assert_eq!(keys.lines().count(), 1, "{keys}");
    let files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    let [log] = &files[..] else { panic!("{files:?}") };
    let records: Vec<Value> =
        fs::read_to_string(log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(records[0]["header"].is_object() && records[records.len() - 1]["head"].is_object());

    let match_id = log.file_stem().and_then(|name| name.to_str()).unwrap();
    let watched = service.run("watch_match", &[match_id, &service.address]);
    assert_eq!(watched.lines().count(), records.len() - 2, "{watched}");
    assert!(watched.starts_with("1 the match was created\n2 Gabriel took seat 0\n"), "{watched}");
    assert!(watched.lines().last().is_some_and(|line| line.contains("the match is over: ")), "{watched}");
}

#[test]
fn a_feed_is_read_once_and_goes_on_after_its_cursor() {
    let service = Service::start();
    let cursor = service.home.path().join("cursor");
    let arguments = [text(&cursor), &service.address];
    service.run("two_bots", &[&service.address]);
    let first = service.run("follow_feed", &arguments);
    assert!(first.lines().count() > 3, "{first}");
    assert_eq!(service.run("follow_feed", &arguments), "");
    service.run("two_bots", &[&service.address]);
    let later = service.run("follow_feed", &arguments);
    let is_known = |line: &str| first.lines().any(|known| known == line);
    assert!(later.lines().count() > 3 && !later.lines().any(is_known), "{later}");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a temporary path is UTF-8")
}
