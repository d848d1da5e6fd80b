//! A service whose key is changed: files from before and after it, checked by the client with the one key and the other.

use std::fs;

use crate::service::Service;

#[test]
fn files_from_before_and_after_a_key_change_verify_with_their_keys() {
    let mut service = Service::start_on_disk();
    let created = service.json(&["new", "angels-and-demons", "--bots", "2"]);
    let id = created[0]["match"]["matchId"].as_str().unwrap().to_owned();
    service.json(&["watch", &id, "--after", "1"]);
    fs::create_dir_all(service.state()).unwrap();
    let file = |name: &str| service.state().join(name).display().to_string();
    let [before, after, keys] = ["before.jsonl", "after.jsonl", "keys.txt"].map(file);
    service.ok(&["export", &id, "-o", &before]);
    // Somebody has the key from the first day.
    service.run(&["verify", &before, "--trust"]);
    let old = service.ok(&["keys"]).split_whitespace().next().unwrap().to_owned();

    let retired = ["--retired-keys-file", "retired.txt"];
    let rotate =
        ["key", "rotate", "--database", "sqlite://matchbook.db", "--key-file", "matchbook.key", "--json"];
    let ran = service.stopped_for(&[&rotate, &retired[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    service.start_again(&retired);
    service.ok(&["export", &id, "-o", &after]);

    // Whoever knows the old key only does not believe the new one, and what was signed before stays good.
    service.ok(&["verify", &before]);
    assert_eq!(service.run(&["verify", &after]).code, 1);
    service.ok(&["verify", &before, "--key", &old]);
    assert_eq!(service.run(&["verify", &after, "--key", &old]).code, 1);

    // The service tells both keys, the one in use first.
    let listed = service.ok(&["keys"]);
    fs::write(&keys, &listed).unwrap();
    let new = listed.split_whitespace().next().unwrap();
    assert!(new != old && listed.contains(&old), "{listed}");
    service.ok(&["verify", &before, &after, "--key", &keys]);
    service.ok(&["verify", &after, "--key", new]);
    assert_eq!(service.run(&["verify", &before, "--key", new]).code, 1);
}
