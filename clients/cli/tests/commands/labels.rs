//! Labels and external ids on the command line.

use serde_json::{Value, json};

use crate::service::Service;

#[test]
fn an_app_labels_its_matches_and_finds_them_again() {
    let (service, key) = Service::with_key();
    let with_key = |arguments: &[&str]| service.json(&[arguments, &["--token", &key]].concat());
    let created = with_key(&[
        "new",
        "ludus-magus",
        "--label",
        "tenant=acme",
        "--label",
        "round=1",
        "--external-id",
        "g 7",
    ]);
    let id = created[0]["match"]["matchId"].as_str().unwrap();
    assert_eq!(created[0]["match"]["labels"], json!({"tenant": "acme", "round": "1"}));
    assert_eq!(created[0]["match"]["externalId"], "g 7");

    let labels = |arguments: &[&str]| service.ok(&[&["labels", id, "--token", &key], arguments].concat());
    assert_eq!(labels(&[]), "round=1\ntenant=acme\n");
    assert_eq!(labels(&["tenant=b=c"]), "tenant=b=c\n");
    let listed = service.ok(&["matches", "--token", &key]);
    assert!(listed.contains("; id g 7; tenant=b=c\n"), "{listed}");
    let found = |filter: &[&str]| {
        let listed = with_key(&[&["matches"], filter].concat());
        listed[0]["matches"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(found(&["--label", "tenant=b=c", "--external-id", "g 7"]), 1);
    assert_eq!(found(&["--label", "tenant=b=c", "--label", "round=1"]), 0);
    assert_eq!((found(&["--to-act", "0"]), found(&["--player-id", "user-1", "--my-turn"])), (0, 0));
    for seat in ["0", "1"] {
        let player_id = format!("user-{seat}");
        service.ok(&["claim", id, seat, "--name", "Ann", "--player-id", &player_id, "--token", &key]);
    }
    assert_eq!((found(&["--to-act", "0"]), found(&["--to-act", "1"])), (1, 0));
    let turn = |player: &str| found(&["--player-id", player, "--my-turn"]);
    assert_eq!((turn("user-0"), turn("user-1"), found(&["--player-id", "user-1"])), (1, 0, 1));
    let without_key = service.run(&["matches", "--to-act", "0"]);
    assert!(without_key.code == 1 && without_key.stderr.contains("seat_to_act"), "{without_key:?}");
    for wrong in [&["--label", "tenant"][..], &["--my-turn"], &["--to-act", "9"]] {
        assert_eq!(service.run(&[&["matches"], wrong].concat()).code, 2, "{wrong:?}");
    }
    assert!(labels(&["--clear"]).starts_with("No labels"));

    let taken = service.run(&["new", "ludus-magus", "--external-id", "g 7", "--token", &key, "--json"]);
    let error: Value = serde_json::from_str(&taken.stderr).expect("the error is JSON");
    assert_eq!((taken.code, error["error"]["reason"].as_str()), (1, Some("EXTERNAL_ID_TAKEN")));
    assert!(taken.stderr.contains(id), "{}", taken.stderr);
    for wrong in [&["--label", "tenant"][..], &["--label", "a=1", "--label", "a=2"]] {
        assert_eq!(service.run(&[&["new", "ludus-magus"], wrong].concat()).code, 2, "{wrong:?}");
    }
    assert_eq!(service.run(&["labels", id, "a=1"]).code, 1);
}
