//! The worked example of `docs/audit.md`, run as printed there.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::service::{Ran, Service, run};

const PAGE: &str = include_str!("../../../../docs/audit.md");

/// Writes the program on the page to a file.
fn program(service: &Service) -> String {
    let from_there = PAGE.lines().skip_while(|line| !line.starts_with("    # chains.py"));
    let indented = from_there.take_while(|line| line.is_empty() || line.starts_with("    "));
    let text: String = indented.map(|line| line.get(4..).unwrap_or_default().to_owned() + "\n").collect();
    assert!(text.contains("json.dump(state"), "the page has the whole program: {text}");
    fs::create_dir_all(service.state()).expect("the folder can be created");
    let path = service.state().join("chains.py");
    fs::write(&path, text).expect("the file can be written");
    path.display().to_string()
}

fn checked(service: &Service, program: &str, state: &str) -> Ran {
    let mut python = Command::new("python3");
    let server = format!("http://{}", service.address());
    python.args([program, &server, state]).env_remove("MATCHBOOK_TOKEN");
    run(python)
}

#[test]
fn the_program_on_the_page_verifies_all_matches_and_resumes() {
    let service = Service::start();
    let program = program(&service);
    let state = service.state().join("state.json").display().to_string();
    let id = service.started_match(&["turns=1"]);
    service.turn(&id, "2,2", "5,7");
    let ran = checked(&service, &program, &state);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("8 events verified, 1 matches in all\n", ""));
    service.started_match(&[]);
    let ran = checked(&service, &program, &state);
    assert_eq!(ran.stdout, "4 events verified, 2 matches in all\n", "{ran:?}");
    assert_eq!(checked(&service, &program, &state).stdout, "0 events verified, 2 matches in all\n");

    // Its stored cursor and hash are a receipt for a later file.
    let kept: Value = serde_json::from_str(&fs::read_to_string(&state).unwrap()).unwrap();
    let head = &kept["heads"][&id];
    let receipt = format!("{}@{}", head[1].as_str().unwrap(), head[0]);
    let [file, keys] =
        ["match.jsonl", "keys.txt"].map(|name| service.state().join(name).display().to_string());
    fs::write(&keys, service.ok(&["keys"])).unwrap();
    service.ok(&["export", &id, "-o", &file]);
    service.ok(&["verify", &file, "--key", &keys, "--receipt", &receipt]);
}

#[test]
fn the_program_on_the_page_detects_a_history_that_changed() {
    let service = Service::start();
    let program = program(&service);
    let state = service.state().join("state.json").display().to_string();
    let id = service.started_match(&[]);
    assert_eq!(checked(&service, &program, &state).stdout, "4 events verified, 1 matches in all\n");
    let kept: Value = serde_json::from_str(&fs::read_to_string(&state).unwrap()).unwrap();
    let checked_with = |change: &dyn Fn(&mut Value)| {
        let mut changed = kept.clone();
        change(&mut changed);
        fs::write(&state, changed.to_string()).unwrap();
        checked(&service, &program, &state)
    };
    let again = |state: &mut Value| state["cursor"] = "".into();
    assert_eq!(checked_with(&again).stdout, "4 events verified, 1 matches in all\n");

    let refused = |problem: &str, change: &dyn Fn(&mut Value)| {
        let ran = checked_with(change);
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains(problem) && !ran.stderr.contains("Traceback"), "{ran:?}");
    };
    let other_hash = || Value::from("ab".repeat(32));
    refused("after: must be the cursor of a frame", &|state| state["cursor"] = "mbc_x".into());
    refused("event 4 or an earlier one was replaced", &|state| {
        again(state);
        state["heads"][&id][1] = other_hash();
    });
    refused("event 5 is gone", &|state| {
        again(state);
        state["heads"][&id][0] = 5.into();
    });
    refused("0190: event 1 is gone", &|state| {
        again(state);
        state["heads"]["0190"] = Value::from(vec![Value::from(1), other_hash()]);
    });
    service.turn(&id, "2,2", "5,7");
    refused("event 5 does not follow event 4", &|state| state["heads"][&id][1] = other_hash());
}
