//! Time controls: `--time`, the clocks shown, and endings on time.

use crate::service::Service;

#[test]
fn a_time_control_and_its_clocks_are_shown() {
    let service = Service::start();
    let arguments = ["new", "ludus-magus", "--time", "2h+30s", "--seat", "0", "--name", "Ann"];
    let text = service.ok(&arguments);
    let id = text.lines().find_map(|line| line.strip_prefix("Match ")).unwrap();
    // No clock runs before both seats are claimed.
    assert!(!service.ok(&["show", id]).contains("left"), "no clocks yet");
    service.ok(&["claim", id, "1", "--name", "Bob"]);
    let shown = service.ok(&["show", id, "--seat", "0"]);
    assert!(shown.contains("Ann (you), to move, 1:59:5") && shown.contains("Bob, 2:00:00 left"), "{shown}");
    let events = service.ok(&["events", id]);
    assert!(events.contains("2 h + 30 s per move"), "{events}");
    // The clock of an earlier position does not run on.
    assert!(service.ok(&["show", id, "--at", "4", "--seat", "0"]).contains("left"));
}

#[test]
fn running_out_of_time_loses_and_watchers_receive_the_end() {
    let service = Service::start();
    let created = service.json(&["new", "ludus-magus", "--time", "100ms"]);
    let id = created[0]["match"]["matchId"].as_str().unwrap();
    service.ok(&["claim", id, "0", "--name", "Ann"]);
    service.ok(&["claim", id, "1", "--name", "Bob"]);
    let text = service.ok(&["watch", id]);
    assert!(text.contains("(Bob), out of time"), "{text}");
}

#[test]
fn bots_play_within_their_clocks() {
    let service = Service::start();
    let lines = service.json(&["new", "angels-and-demons", "--bots", "2", "-o", "turns=3", "--time", "10s"]);
    let over = &lines.last().unwrap()["match"];
    assert_eq!(over["timeControl"]["perMove"]["moveTime"], "10s");
    assert!(["count", "equal-count"].contains(&over["result"]["reason"].as_str().unwrap()), "{over}");
}

#[test]
fn a_delayed_bot_stays_within_its_clock() {
    let service = Service::start();
    let arguments = ["new", "angels-and-demons", "--bots", "2", "-o", "turns=1", "--time", "4s"];
    let lines = service.json(&[&arguments[..], &["--delay", "1d"]].concat());
    let over = &lines.last().unwrap()["match"];
    assert!(["count", "equal-count"].contains(&over["result"]["reason"].as_str().unwrap()), "{over}");
}

#[test]
fn an_invalid_time_is_a_usage_error_and_one_out_of_range_is_refused() {
    let service = Service::start();
    for time in ["30", "5m+3", "soon", "1.5x", "5m+3s+1s"] {
        let ran = service.run(&["new", "ludus-magus", "--time", time]);
        assert_eq!(ran.code, 2, "{time}: {}", ran.stderr);
    }
    for time in ["31d", "90d"] {
        let long = service.run(&["new", "ludus-magus", "--time", time]);
        assert_eq!(long.code, 1, "{time}: {}", long.stderr);
        assert!(long.stderr.contains("field time_control.per_move.move_time"), "{}", long.stderr);
    }
}
