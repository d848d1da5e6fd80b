//! Log files: exported, converted, verified and replayed by the real programs.

use std::fs;
use std::path::PathBuf;

use crate::service::{Service, objects};

/// Plays a match to its end and returns it with a folder for files.
fn played(service: &Service, game: &str) -> String {
    let created = service.json(&["new", game, "--bots", "2"]);
    let id = created[0]["match"]["matchId"].as_str().expect("a match has an id").to_owned();
    service.json(&["watch", &id, "--after", "1"]);
    id
}

fn path(service: &Service, name: &str) -> String {
    let folder = service.state();
    fs::create_dir_all(&folder).expect("the folder can be created");
    folder.join(name).display().to_string()
}

/// Counts moves and sealed choices by the numbers of their kinds.
fn moves_in(file: &str) -> u64 {
    let text = fs::read_to_string(file).expect("the file can be read");
    let kinds = text.lines().map(|line| objects(line)[0]["event"]["kind"].as_u64());
    kinds.filter(|kind| matches!(kind, Some(6 | 7))).count() as u64
}

/// Returns the key that signed a file, from its last line.
fn key_in(file: &str) -> String {
    let text = fs::read_to_string(file).expect("the file can be read");
    let head = objects(text.lines().last().expect("a last line"));
    head[0]["head"]["publicKey"].as_str().expect("a key").to_owned()
}

#[test]
fn a_finished_match_verifies_in_both_forms_and_fails_when_changed() {
    let service = Service::start();
    for game in ["angels-and-demons", "ace-exorcist"] {
        let id = played(&service, game);
        let [json, binary, back] =
            ["match.jsonl", "match.log", "back.jsonl"].map(|name| path(&service, name));
        let told = service.ok(&["export", &id, "-o", &json]);
        let moves = moves_in(&json);
        let per_move = fs::metadata(&json).unwrap().len() / moves;
        assert!(told.contains(&format!(" bytes, {per_move} bytes per move")), "{moves} moves: {told}");
        service.ok(&["export", &id, "-o", &binary, "--binary"]);
        service.ok(&["convert", &binary, &back]);
        assert_eq!(fs::read(&json).unwrap(), fs::read(&back).unwrap(), "{game}");

        let key = key_in(&json);
        let reports = service.json(&["verify", &json, &binary, "--key", &key]);
        assert_eq!(reports.len(), 2);
        for report in reports {
            assert_eq!(report["verdict"], "verified", "{report}");
            assert_eq!(report["checks"]["moves"]["outcome"], "ok");
        }
        let mut changed = fs::read(&binary).unwrap();
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        fs::write(&binary, changed).unwrap();
        let ran = service.run(&["verify", &json, &binary, "--key", &key]);
        assert!([1, 5].contains(&ran.code), "{ran:?}");
        assert!(ran.stdout.contains("match.jsonl: verified"), "{ran:?}");
    }
}

#[test]
fn a_key_is_unknown_until_it_is_given_or_trusted() {
    let service = Service::start();
    let file = path(&service, "match.jsonl");
    service.ok(&["export", &played(&service, "angels-and-demons"), "-o", &file]);
    let ran = service.run(&["verify", &file]);
    assert_eq!(ran.code, 6, "{ran:?}");
    assert!(ran.stdout.contains("key_unknown"), "{ran:?}");

    let other = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    assert_eq!(service.run(&["verify", &file, "--key", other]).code, 1);

    let ran = service.run(&["verify", &file, "--trust"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains("trusting"), "{ran:?}");
    service.ok(&["verify", &file]);

    // Another service of the same name has another key.
    let impostor = Service::start();
    let forged = path(&impostor, "match.jsonl");
    impostor.ok(&["export", &played(&impostor, "angels-and-demons"), "-o", &forged]);
    assert_eq!(service.run(&["verify", &forged]).code, 1);
}

#[test]
fn a_running_match_is_incomplete_and_a_seat_sees_its_own_choice() {
    let service = Service::start_with(&["--service-name", "play.example"]);
    let id = service.started_match(&["turns=2"]);
    service.ok(&["move", &id, "2,2", "--seat", "0"]);
    let [own, other] = ["own.jsonl", "other.jsonl"].map(|name| path(&service, name));
    service.ok(&["export", &id, "-o", &own, "--seat", "0"]);
    service.ok(&["export", &id, "-o", &other, "--seat", "1"]);
    let opened =
        |file: &str| fs::read_to_string(file).expect("the file can be read").matches("\"opened\"").count();
    assert_eq!((opened(&own), opened(&other)), (3, 2), "two names, and the seat's own choice");
    let key = key_in(&own);
    assert!(key.starts_with("play.example+"), "{key}");
    for file in [&own, &other] {
        assert_eq!(service.run(&["verify", file, "--key", &key]).code, 7);
    }
}

#[test]
fn receipts_are_verified_against_the_log() {
    let service = Service::start();
    let id = service.started_match(&["turns=1"]);
    let moved = service.json(&["move", &id, "2,2", "--seat", "0"]);
    let note = path(&service, "head.txt");
    fs::write(&note, service.ok(&["sign", &id])).unwrap();
    service.ok(&["move", &id, "1,1", "--seat", "1"]);
    let file = path(&service, "match.jsonl");
    service.ok(&["export", &id, "-o", &file]);
    let key = key_in(&file);

    let event = &moved[0]["events"][0];
    let events = fs::read_to_string(&file).unwrap();
    let stored = objects(events.lines().nth(5).unwrap());
    assert_eq!(stored[0]["event"]["hash"], event["hash"], "the response has the hash of the log");
    service.ok(&["verify", &file, "--key", &key, "--receipt", &note]);
    let report = &service.json(&["verify", &file, "--key", &key, "--receipt", &note])[0];
    let head = report["headHash"].as_str().unwrap();
    service.ok(&["verify", &file, "--key", &key, "--receipt", &format!("{head}@8")]);
    let ran = service.run(&["verify", &file, "--key", &key, "--receipt", &format!("{head}@5")]);
    assert_eq!(ran.code, 1, "{ran:?}");
}

#[test]
fn a_replay_is_the_same_from_file_and_from_service() {
    let service = Service::start();
    for game in ["angels-and-demons", "ace-exorcist"] {
        let id = played(&service, game);
        let file = path(&service, "match.log");
        service.ok(&["export", &id, "--binary", "-o", &file]);
        for flags in [&[][..], &["--open"], &["--from", "7"]] {
            let shown = |what: &str, json: &[&str]| service.ok(&[&["replay", what], flags, json].concat());
            assert_eq!(shown(&file, &[]), shown(&id, &[]), "{game} {flags:?}");
            assert_eq!(shown(&file, &["--json"]), shown(&id, &["--json"]), "{game} {flags:?}");
        }
        assert!(service.ok(&["replay", &file]).lines().count() > 20);
    }
}

#[test]
fn a_file_that_is_not_a_log_has_its_own_exit_code() {
    let service = Service::start();
    let file = path(&service, "none.jsonl");
    fs::write(&file, "hello\n").unwrap();
    assert_eq!(service.run(&["verify", &file]).code, 5);
    assert_eq!(service.run(&["convert", &file]).code, 5);
    assert_eq!(service.run(&["replay", &file]).code, 5);
    let missing = PathBuf::from(&file).with_file_name("missing.jsonl").display().to_string();
    let ran = service.run(&["verify", &missing]);
    assert_eq!(ran.code, 4);
    let expected = format!(
        "{missing}: No such file or directory (os error 2)\n  not_read\n  next: check the path: there is no \
         such file or folder\n"
    );
    assert_eq!(ran.stdout, expected);
    let ran = service.run(&["verify", &file, &missing, "--json"]);
    assert_eq!(ran.code, 5);
    let reports = objects(&ran.stdout);
    assert_eq!((&reports[0]["verdict"], &reports[1]["verdict"]), (&"unreadable".into(), &"not_read".into()));
    assert_eq!(reports[0]["advice"], "export the log again with `matchbook export`");
    assert_eq!(reports[1]["advice"], "check the path: there is no such file or folder");
}

#[test]
fn a_missing_file_of_keys_or_of_a_receipt_is_named_as_missing() {
    let service = Service::start();
    let missing = path(&service, "missing.txt");
    for option in ["--key", "--receipt"] {
        let ran = service.run(&["verify", "log.jsonl", option, &missing]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(option) && ran.stderr.contains("No such file"), "{}", ran.stderr);
    }
}

/// Returns a file of the forged logs that `audit` keeps for verifiers' tests.
fn forged(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../service/audit/tests/forged");
    folder.join(name).display().to_string()
}

#[test]
fn forged_logs_are_refused_at_the_first_wrong_event() {
    let service = Service::start();
    let table = objects(&fs::read_to_string(forged("expected.jsonl")).unwrap());
    let key = key_in(&forged("control-abort.jsonl"));
    let files: Vec<_> = table.iter().map(|row| forged(row["file"].as_str().unwrap())).collect();
    let arguments = ["verify", "--json", "--key", &key];
    let files = files.iter().map(String::as_str);
    let ran = service.run(&arguments.into_iter().chain(files).collect::<Vec<_>>());
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let reports = objects(&ran.stdout);
    assert_eq!(reports.len(), table.len());
    for (report, row) in reports.iter().zip(&table) {
        let expected = &row["withRules"];
        assert_eq!((&report["verdict"], &report["failure"]), (&expected["verdict"], &expected["failure"]));
        let Some(seq) = expected["failure"]["seq"].as_u64() else { continue };
        let checks = report["checks"].as_object().unwrap();
        let failed = expected["failure"]["check"].as_str().unwrap();
        for (_, outcome) in checks.iter().filter(|(check, _)| *check != failed) {
            let untold = serde_json::json!({ "outcome": "not_reached", "afterSeq": seq - 1 });
            assert_eq!(*outcome, untold, "{report}");
        }
    }
}

#[test]
fn invisible_characters_of_a_forged_name_are_replaced() {
    let service = Service::start();
    let text = service.ok(&["replay", &forged("control-invisible-name.jsonl")]);
    assert!(text.contains("A\u{fffd}d\u{fffd}a\u{fffd}[2J\u{fffd}"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{200b}', '\u{202e}']), "{text}");
    let ran = service.run(&["replay", &forged("name-too-long.jsonl")]);
    assert!(format!("{ran:?}").contains("cannot replay event 2 and later ones"), "{ran:?}");
    assert!(!ran.stdout.contains("aaaa"), "{ran:?}");
}

#[test]
fn a_fork_is_compared_with_its_parent_s_file() {
    let service = Service::start();
    let (parent, other) = (played(&service, "ludus-magus"), played(&service, "ludus-magus"));
    let forked = service.json(&["fork", &parent, "--at", "8"]);
    let fork = forked[0]["match"]["matchId"].as_str().expect("a fork is a match").to_owned();
    let file = |id: &str, name: &str| {
        let path = path(&service, name);
        service.ok(&["export", id, "-o", &path]);
        path
    };
    let (parent, other) = (file(&parent, "parent.jsonl"), file(&other, "other.jsonl"));
    let fork = file(&fork, "fork.jsonl");
    let key = key_in(&fork);
    let verify = |parent: &str| service.run(&["verify", &fork, "--parent", parent, "--key", &key]);

    let ran = verify(&parent);
    // The fork is still running; its parent is verified as well.
    assert_eq!(ran.code, 7, "{ran:?}");
    assert!(ran.stdout.contains("continues ") && ran.stdout.contains("parent.jsonl: verified"), "{ran:?}");
    let reports = service.run(&["verify", &fork, "--parent", &parent, "--key", &key, "--json"]);
    let reports = objects(&reports.stdout);
    assert_eq!((&reports[0]["parent"]["outcome"], &reports[1]["parent"]), (&"ok".into(), &().into()));

    let ran = verify(&other);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stdout.contains("failed (parent)") && ran.stdout.contains("another match"), "{ran:?}");
    let ran = service.run(&["verify", &parent, "--parent", &other, "--key", &key]);
    assert!(ran.code == 0 && ran.stderr.contains("no file is a fork"), "{ran:?}");
}
