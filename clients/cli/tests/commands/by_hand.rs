//! A match played by hand, command by command.

use crate::service::{Service, run};

#[test]
fn a_whole_match() {
    let service = Service::start();
    let id = service.started_match(&["rows=4", "cols=4", "turns=2"]);

    let legal = service.ok(&["legal", &id, "--seat", "angels"]);
    assert!(legal.starts_with("8 legal moves"), "{legal}");
    assert!(legal.contains("1,1") && legal.contains("4,4") && !legal.contains("1,2"), "{legal}");

    // The Angels in a corner cover two spaces, the Demons in the middle four.
    let told = service.ok(&["move", &id, "1,1", "--seat", "angels"]);
    assert!(told.contains("Angels chose 1,1 in secret") && told.contains("@5\n"), "{told}");
    let told = service.ok(&["move", &id, "3,3", "--seat", "demons"]);
    assert!(told.contains("Turn 1: Angels 1,1, Demons 3,3; 6 spaces change; Angels 2, Demons 4"), "{told}");
    assert!(told.contains("[A]") && told.contains("[D]"), "{told}");

    service.turn(&id, "1,1", "1,3");
    let shown = service.ok(&["show", &id]);
    // 1,2 is next to both choices of the last turn and becomes empty.
    assert!(shown.contains("Winner: Demons (Lilith), 5 spaces to 1"), "{shown}");
}

#[test]
fn anybody_lists_the_moves_of_a_game_without_secrets_and_nobody_those_of_another() {
    let service = Service::start();
    let open = service.json(&["new", "ludus-magus", "--seat", "white", "--name", "Ann"])[0].clone();
    let open = open["match"]["matchId"].as_str().unwrap().to_owned();
    service.ok(&["claim", &open, "black", "--name", "Ben"]);
    let hidden = service.started_match(&[]);
    let as_spectator = |arguments: &[&str]| {
        let mut command = service.command(arguments);
        command.env("MATCHBOOK_STATE", service.state().join("of-nobody"));
        run(command)
    };
    let listed = as_spectator(&["legal", &open, "--seat", "0"]);
    assert!(listed.stdout.starts_with("40 legal moves"), "{listed:?}");
    let refused = as_spectator(&["legal", &hidden, "--seat", "0"]);
    assert!(refused.code == 1 && refused.stderr.contains("MISSING_TOKEN"), "{refused:?}");
    let neither = as_spectator(&["legal", &open]);
    assert_eq!(neither.code, 2, "{neither:?}");
    assert!(neither.stderr.contains("--seat 0 or --seat 1"), "{neither:?}");
}

#[test]
fn legal_moves_as_json_and_truncated() {
    let service = Service::start();
    let id = service.started_match(&[]);
    let all = &service.json(&["legal", &id, "--seat", "0"])[0];
    assert_eq!((&all["totalSize"], &all["nextPageToken"]), (&32.into(), &"".into()));
    assert_eq!(all["moves"][0]["notation"], "1,1");
    assert_eq!(all["moves"][0]["move"]["angelsAndDemons"]["row"], 1);
    let suggested = service.ok(&["suggest", &id, "--seat", "0", "--seed", "7"]);
    assert_eq!(service.ok(&["suggest", &id, "--seat", "0", "--seed", "7"]), suggested);
    assert!(service.ok(&["check", &id, suggested.trim(), "--seat", "0"]).starts_with("Legal"), "{suggested}");
    let random = &service.json(&["suggest", &id, "--seat", "0", "--skill", "random"])[0];
    assert_eq!(random["prospects"], "PROSPECTS_UNSPECIFIED");
    let some = service.ok(&["legal", &id, "--seat", "0", "--limit", "3"]);
    assert!(some.contains("The list ends at its limit of 3;"), "{some}");
    service.ok(&["move", &id, "1,1", "--seat", "0"]);
    assert!(service.ok(&["legal", &id, "--seat", "0"]).contains("No legal moves"));
}

#[test]
fn a_check_reports_by_text_and_exit_code() {
    let service = Service::start();
    let id = service.started_match(&[]);
    assert!(service.ok(&["check", &id, "3,5", "--seat", "demons"]).starts_with("Legal at position 4"));
    let white = service.run(&["check", &id, "3,4", "--seat", "demons"]);
    assert_eq!((white.code, white.stderr.as_str()), (1, ""));
    assert!(white.stdout.starts_with("Not legal") && white.stdout.contains("AD-4"), "{}", white.stdout);
    let json = service.run(&["check", &id, "3,4", "--seat", "demons", "--json"]);
    assert_eq!(json.code, 1);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&json["legal"], &json["refusal"]["paragraph"]), (&false.into(), &"AD-4".into()));
}

#[test]
fn a_sealed_choice_is_shown_to_its_seat_alone() {
    let service = Service::start();
    let id = service.started_match(&[]);
    service.ok(&["move", &id, "3,5", "--seat", "demons"]);
    let own = service.ok(&["show", &id, "--seat", "demons"]);
    assert!(own.contains("[D]") && own.contains("Lilith (you), has chosen"), "{own}");
    let near_line = own.lines().last().unwrap();
    assert!(near_line.contains("Demons"), "the Demons see their own edge at the bottom: {own}");
    for others in [service.ok(&["show", &id]), service.ok(&["show", &id, "--seat", "angels"])] {
        assert!(!others.contains("[D]") && others.contains("Lilith, has chosen"), "{others}");
    }
    let turned = service.ok(&["show", &id, "--orientation", "demons"]);
    assert!(turned.lines().last().unwrap().contains("Demons"), "{turned}");
}

#[test]
fn earlier_positions_and_the_open_view() {
    let service = Service::start();
    let id = service.started_match(&["turns=2"]);
    service.turn(&id, "2,2", "7,7");
    service.turn(&id, "4,4", "5,5");
    let early = service.ok(&["show", &id, "--at", "4"]);
    assert!(early.contains("turn 1 of 2") && early.contains("Angels 0"), "{early}");
    assert!(early.contains("Position 4 of 11"), "{early}");
    let open = &service.json(&["show", &id, "--open"])[0];
    assert_eq!(open["view"]["viewer"]["kind"], "KIND_OPEN");
    assert_eq!(open["headSeq"], 11);
}

#[test]
fn a_picture_instead_of_text() {
    let service = Service::start();
    let id = service.started_match(&["turns=2"]);
    service.turn(&id, "2,2", "7,7");
    let shown = service.ok(&["show", &id, "--svg", "-", "--theme", "dark"]);
    assert!(shown.starts_with("<svg ") && shown.ends_with("</svg>\n"), "{shown}");
    assert!(shown.contains("matchbook-dark") && shown.contains("2,2, chosen by the Angels"), "{shown}");

    let file = service.state().with_extension("svg");
    let path = file.to_str().unwrap();
    assert_eq!(service.ok(&["show", &id, "--svg", path, "--orientation", "demons"]), "");
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("matchbook-auto") && written.contains("2,2, chosen by the Angels"), "{written}");

    let early = service.ok(&["show", &id, "--at", "4", "--svg", "-"]);
    assert!(early.contains("turn 1 of 2") && !early.contains("chosen by"), "{early}");

    let both = service.run(&["show", &id, "--svg", "-", "--json"]);
    assert!(both.code == 2 && both.stdout.is_empty(), "{}", both.stderr);
    let nowhere = service.run(&["show", &id, "--svg", "/nowhere/at/all.svg"]);
    assert!(nowhere.code == 4 && nowhere.stderr.contains("/nowhere/at/all.svg"), "{}", nowhere.stderr);
}

#[test]
fn the_log_in_words_and_as_json() {
    let service = Service::start();
    let id = service.started_match(&["turns=1"]);
    service.turn(&id, "2,2", "7,7");
    let text = service.ok(&["events", &id]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8, "{text}");
    assert!(lines[0].contains("8 x 8 spaces, 1 turn"), "{text}");
    assert!(lines[6].contains("Turn 1: Angels 2,2, Demons 7,7"), "{text}");
    assert!(lines[7].contains("The match is over. Draw"), "{text}");
    assert_eq!(service.ok(&["events", &id, "--after", "6"]).lines().count(), 2);

    let page = &service.json(&["events", &id])[0];
    let seqs: Vec<u64> =
        page["events"].as_array().unwrap().iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=8).collect::<Vec<u64>>());
}

#[test]
fn a_log_longer_than_a_page_is_listed_completely() {
    let service = Service::start();
    let created = service.json(&["new", "angels-and-demons", "--option", "turns=200", "--bots", "2"]);
    let id = created[0]["match"]["matchId"].as_str().unwrap();
    let pages = service.json(&["events", id]);
    assert_eq!(pages.len(), 2);
    let seqs: Vec<u64> = pages
        .iter()
        .flat_map(|page| page["events"].as_array().unwrap())
        .map(|event| event["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (1..=605).collect::<Vec<u64>>());
}
