//! The commands `feed` and `keys`.

use std::fs;

use serde_json::Value;

use crate::service::Service;
use crate::watching::Lines;

/// Returns the match of each event in these frames.
fn matches(frames: &[Value]) -> Vec<&str> {
    frames.iter().filter_map(|frame| frame["event"]["matchId"].as_str()).collect()
}

#[test]
fn the_feed_lists_all_events_and_prints_where_to_continue() {
    let service = Service::start();
    assert_eq!(service.ok(&["feed", "--no-follow"]), "There are no events yet.\n");
    let id = service.started_match(&["turns=1"]);
    service.turn(&id, "2,2", "5,7");
    let text = service.ok(&["feed", "--no-follow"]);
    let expected = [
        "angels-and-demons created",
        "seat claimed (seat 0)",
        "seat claimed (seat 1)",
        "match started",
        "move sealed (seat 0)",
        "move sealed (seat 1)",
        "turn revealed",
        "match ended: equal-count",
        "Caught up; continue later with --after ",
    ];
    assert_eq!(text.lines().count(), expected.len(), "{text}");
    for ((line, words), seq) in text.lines().zip(expected).zip(1..) {
        assert!(line.contains(words), "{words} in {line}");
        // A time in whole milliseconds is shorter and has blanks behind it.
        let columns: Vec<&str> = line.split_whitespace().take(3).collect();
        assert!(seq == 9 || columns[1..] == [&*id, &*seq.to_string()], "{line}");
    }
    let cursor = text.split_whitespace().last().unwrap();
    let later = service.started_match(&[]);
    let rest = service.json(&["feed", "--no-follow", "--after", cursor]);
    assert_eq!(matches(&rest), [&*later; 4]);

    let all = service.json(&["feed", "--no-follow"]);
    assert_eq!(all.len(), 8 + 4 + 1);
    for (n, frame) in all.iter().enumerate() {
        let rest = service.json(&["feed", "--no-follow", "--after", frame["cursor"].as_str().unwrap()]);
        assert_eq!(matches(&rest), matches(&all[n + 1..]), "after {frame}");
    }
    let ran = service.run(&["feed", "--after", "nowhere"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("field after"), "{}", ran.stderr);
}

#[test]
fn a_follower_receives_new_events() {
    let service = Service::start();
    let first = service.started_match(&[]);
    for flags in [&["feed", "--json"][..], &["feed", "--json", "--no-follow", "--follow"]] {
        let mut feed = service.command(flags).spawn().expect("the client starts");
        let mut lines = Lines::of(&mut feed);
        assert_eq!(lines.next()["event"]["matchId"], *first);
        assert_eq!(lines.until(|frame| frame["heartbeat"].is_object())["heartbeat"]["caughtUp"], true);
        let later = service.started_match(&[]);
        assert_eq!(lines.next()["event"]["matchId"], *later);
        feed.kill().unwrap();
        feed.wait().unwrap();
    }
}

#[test]
fn an_app_reads_its_own_matches_and_others_are_refused() {
    let (service, key) = Service::with_key();
    let ran = service.run(&["feed", "--no-follow"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("MISSING_KEY"), "{}", ran.stderr);
    let created = service.json(&["new", "ludus-magus", "--visibility", "private", "--token", &key]);
    let told = service.json(&["feed", "--no-follow", "--token", &key]);
    assert_eq!(matches(&told), [created[0]["match"]["matchId"].as_str().unwrap()]);
}

#[test]
fn keys_are_listed_in_a_form_that_verify_takes() {
    let service = Service::start_with(&["--service-name", "play.example"]);
    let text = service.ok(&["keys"]);
    assert!(
        text.starts_with("play.example+") && text.ends_with("  from the beginning until now\n"),
        "{text}"
    );
    let listed = &service.json(&["keys"])[0]["keys"];
    assert_eq!(listed[0]["publicKey"], text.split_whitespace().next().unwrap());
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["untilTime"]), (1, &Value::Null));

    let id = service.started_match(&["turns=1"]);
    service.turn(&id, "2,2", "5,7");
    let [file, keys] =
        ["match.jsonl", "keys.txt"].map(|name| service.state().join(name).display().to_string());
    fs::write(&keys, text).unwrap();
    service.ok(&["export", &id, "-o", &file]);
    service.ok(&["verify", &file, "--key", &keys]);
}
