//! Bots, in `new` and as the command `bot`.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::service::{Service, finished, objects, run};
use crate::watching::Lines;

#[test]
fn two_watched_bots_play_a_whole_match() {
    let service = Service::start();
    let text = service.ok(&["new", "--bots", "2", "--watch", "angels-and-demons"]);
    for turn in 1..=20 {
        assert!(text.contains(&format!("\nTurn {turn}: Angels ")), "turn {turn} in {text}");
        assert!(
            text.contains(&format!("Angels and Demons, after turn {turn} of 20")),
            "turn {turn} in {text}"
        );
    }
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("The match is over. Winner: ") || last.starts_with("The match is over. Draw, "),
        "{last}"
    );
    assert!(!text.contains('\u{1b}'), "no colours into a pipe");
}

#[test]
fn the_bots_of_one_program_share_a_stream_of_moves() {
    let service = Service::start();
    service.ok(&["new", "--bots", "2", "angels-and-demons", "-o", "turns=3"]);
    let mut socket = TcpStream::connect(service.address()).unwrap();
    socket.write_all(b"GET /metrics HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n").unwrap();
    let mut metrics = String::new();
    socket.read_to_string(&mut metrics).unwrap();
    let calls = |method: &str| -> Vec<&str> {
        let method = format!("method=\"MatchService/{method}\"");
        let counts = metrics.lines().filter(|line| line.starts_with("matchbook_rpc_duration_seconds_count"));
        counts.filter(|line| line.contains(&method)).filter_map(|line| line.split(' ').next_back()).collect()
    };
    assert_eq!((calls("SubmitMoves"), calls("SubmitMove")), (vec!["1"], vec!["6"]), "{metrics}");
}

#[test]
fn json_output_is_one_object_per_line() {
    let service = Service::start();
    let lines = service.json(&["new", "--bots", "2", "--watch", "angels-and-demons", "-o", "turns=3"]);
    assert!(lines[0]["match"]["matchId"].is_string());
    assert!(lines[1]["seatToken"].is_string() && lines[2]["seatToken"].is_string());
    assert!(lines[3]["start"].is_object() && lines[3]["view"].is_object());
    let seqs: Vec<u64> = lines.iter().filter_map(|line| line["event"]["seq"].as_u64()).collect();
    assert_eq!(seqs, (2..=14).collect::<Vec<u64>>());
    assert!(lines.last().unwrap()["event"]["matchEnded"].is_object());
}

#[test]
fn a_seed_makes_the_moves_repeatable() {
    let service = Service::start();
    let turns = |seed: &str| {
        let text = service.ok(&["new", "--bots", "2", "--watch", "angels-and-demons", "--seed", seed]);
        let turns: Vec<String> =
            text.lines().filter(|line| line.starts_with("Turn ")).map(str::to_owned).collect();
        assert_eq!(turns.len(), 20);
        turns
    };
    assert_eq!(turns("7"), turns("7"));
    assert_ne!(turns("7"), turns("8"));
}

#[test]
fn bots_of_each_skill_play_every_game_to_its_end() {
    let service = Service::start();
    // A bot that gets stuck fails the test; who wins does not matter.
    let games: [(&str, &[&str]); 4] = [
        ("ace-exorcist", &[]),
        ("angels-and-demons", &["-o", "turns=3"]),
        ("cresnovian-chess", &["-o", "max_turns=8"]),
        ("ludus-magus", &["-o", "max_turns=8"]),
    ];
    for (game, options) in games {
        for skills in ["greedy", "random", "greedy,random"] {
            let arguments =
                [&["new", game, "--bots", "2", "--seed", "3", "--skill", skills], options].concat();
            let lines = service.json(&arguments);
            assert_eq!(lines.last().unwrap()["match"]["status"], "MATCH_STATUS_OVER", "{game}, {skills}");
        }
    }
}

#[test]
fn greedy_bots_repeat_a_match_without_secrets() {
    let service = Service::start();
    let moves = |seed: &str| {
        let arguments = ["new", "--bots", "2", "--watch", "ludus-magus", "-o", "max_turns=8", "--seed", seed];
        let text = service.ok(&arguments);
        let moves: Vec<String> =
            text.lines().filter(|line| line.contains(" played ")).map(str::to_owned).collect();
        assert_eq!(moves.len(), 8, "{text}");
        moves
    };
    assert_eq!(moves("7"), moves("7"));
    assert_ne!(moves("7"), moves("8"));
}

#[test]
fn invalid_skills_are_usage_errors() {
    let service = Service::start();
    for arguments in [
        &["new", "ludus-magus", "--bots", "2", "--skill", "brilliant"][..],
        &["new", "ludus-magus", "--bots", "1", "--skill", "greedy,random"],
        &["new", "ludus-magus", "--bots", "2", "--skill", "greedy,random,random"],
    ] {
        let ran = service.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert!(ran.stderr.contains("--skill"), "{}", ran.stderr);
    }
}

#[test]
fn bots_without_watch_end_with_the_match() {
    let service = Service::start();
    let lines = service.json(&["new", "--bots", "2", "angels-and-demons", "-o", "turns=2"]);
    assert_eq!(lines.last().unwrap()["match"]["status"], "MATCH_STATUS_OVER");
}

#[test]
fn two_bot_commands_play_a_match() {
    let service = Service::start();
    let id = service.started_match(&["turns=4"]);
    let start = |seat: &str| {
        service
            .command(&["bot", &id, "--seat", seat, "--seed", "1", "--json"])
            .spawn()
            .expect("the client starts")
    };
    for printed in finished([start("angels"), start("demons")]) {
        let moves = objects(&printed);
        assert_eq!(moves.len(), 4);
        assert!(moves.iter().all(|moved| moved["events"][0]["moveSealed"].is_object()));
    }
    assert!(service.ok(&["show", &id]).contains("over in turn 4 of 4"));
}

#[test]
fn a_person_plays_against_a_bot() {
    let service = Service::start();
    let arguments =
        ["new", "angels-and-demons", "--seat", "angels", "--name", "Ann", "--bots", "1", "--watch", "--json"];
    let mut game = service.command(&arguments).args(["-o", "turns=2"]).spawn().expect("the client starts");
    let mut lines = Lines::of(&mut game);
    let id = lines.next()["match"]["matchId"].as_str().unwrap().to_owned();
    // The person's claim, then the bot's: the match has started.
    assert_eq!(lines.next()["match"]["status"], "MATCH_STATUS_OPEN");
    assert_eq!(lines.next()["match"]["status"], "MATCH_STATUS_RUNNING");
    for _ in 1..=2 {
        // Only one token is stored, so --seat is not needed.
        service.ok(&["move", &id, "2,2"]);
        lines.until(|line| line["event"]["turnRevealed"].is_object());
    }
    lines.until(|line| line["event"]["matchEnded"].is_object());
    assert!(game.wait().unwrap().success());
}

#[test]
fn a_bot_without_a_seat_is_a_usage_error() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let mut command = service.command(&["bot", &id]);
    command.env("MATCHBOOK_STATE", service.state().join("another-user"));
    let ran = run(command);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("claim one first"), "{}", ran.stderr);
}
