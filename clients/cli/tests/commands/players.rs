//! Players on the command line: an app's ids of them, and erasing them.

use serde_json::{Value, json};

use crate::service::{Service, objects};

const PLAYER: [&str; 4] = ["--name", "Gabriel", "--player-id", "user-17"];

#[test]
fn an_app_gives_its_players_ids_that_only_it_sees() {
    let (service, key) = Service::with_key();
    let app = ["--token", &*key];
    let new = ["new", "angels-and-demons", "--seat", "angels"];
    let created = service.json(&[&new[..], &PLAYER, &app].concat());
    let id = created[0]["match"]["matchId"].as_str().expect("a match has an id").to_owned();
    let gabriel = json!({"displayName": "Gabriel", "playerId": "user-17"});
    assert_eq!(created[1]["match"]["seats"][0]["player"], gabriel);

    let claim = ["claim", &*id, "demons", "--name", "Lilith", "--player-id", "user 9"];
    let error = |arguments: &[&str]| {
        let ran = service.run(&[arguments, &["--json"]].concat());
        let error: Value = serde_json::from_str(&ran.stderr).expect("the error is JSON");
        (ran.code, error["error"]["reason"].as_str().expect("it has a reason").to_owned())
    };
    assert_eq!(error(&[&claim[..], &app].concat()), (1, "INVALID_ARGUMENT".to_owned()));
    let claim = ["claim", &*id, "demons", "--name", "Lilith", "--player-id", "user-9"];
    assert_eq!(error(&claim), (1, "MISSING_KEY".to_owned()));
    let text = service.ok(&[&claim[..], &app].concat());
    assert!(text.contains("You are Demons"), "{text}");

    let listed = service.ok(&["matches", "--token", &key]);
    assert!(listed.contains("Angels Gabriel <user-17>, Demons Lilith <user-9>\n"), "{listed}");
    let shown = service.ok(&["show", &id, "--token", &key]);
    assert!(shown.ends_with("\nAngels: player id user-17\nDemons: player id user-9\n"), "{shown}");
    for arguments in [&["matches"][..], &["show", &id, "--seat", "angels"], &["events", &id]] {
        let text = service.ok(arguments);
        assert!(text.contains("Gabriel") && !text.contains("user-"), "{text}");
    }
}

#[test]
fn a_redacted_player_is_gone_and_the_exported_log_verifies() {
    let (service, key) = Service::with_key();
    let app = ["--token", &*key];
    let new = ["new", "angels-and-demons", "--seat", "angels"];
    let created = service.json(&[&new[..], &PLAYER, &app].concat());
    let id = created[0]["match"]["matchId"].as_str().expect("a match has an id").to_owned();
    let redact = ["redact-player", &*id];
    let refused = service.run(&[&redact[..], &["demons"], &app].concat());
    assert!(refused.code == 1 && refused.stderr.contains("not claimed"), "{refused:?}");
    service.ok(&[&["claim", &*id, "demons", "--name", "Lilith"][..], &app].concat());
    for who in [&["angels"][..], &["angels", "--token", "mbk_not-a-key"]] {
        assert_ne!(service.run(&[&redact[..], who].concat()).code, 0, "{who:?}");
    }
    assert!(service.ok(&["show", &id]).contains("Gabriel"));

    let told = service.ok(&[&redact[..], &["angels"], &app].concat());
    assert_eq!(told, "The player of Angels is erased.\n");
    let again = service.json(&[&redact[..], &["0"], &app].concat());
    let seats = &again[0]["match"]["seats"];
    assert_eq!((&seats[0]["claimed"], seats[0].get("player")), (&json!(true), None));
    assert_eq!(seats[1]["player"], json!({"displayName": "Lilith"}));
    for arguments in [&["matches"][..], &["show", &id], &["show", &id, "--json"], &["events", &id]] {
        let text = service.ok(&[arguments, &app].concat());
        assert!(!text.contains("Gabriel") && !text.contains("user-17"), "{text}");
    }
    assert!(service.ok(&[&["matches"][..], &app].concat()).contains("Angels (redacted), Demons Lilith"));
    // The token still plays, and the log verifies without the name.
    service.turn(&id, "1,1", "3,3");
    service.ok(&["resign", &id, "--seat", "angels"]);
    let file = service.state().join("match.jsonl").display().to_string();
    service.ok(&[&["export", &*id, "-o", &file][..], &app].concat());
    let ran = service.run(&["verify", &file, "--trust", "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let report = objects(&ran.stdout).remove(0);
    assert_eq!(report["verdict"], "verified", "{report}");
    assert_eq!(report["remarks"], json!([{"remark": "player_withheld", "seq": 2}]), "{report}");
}
