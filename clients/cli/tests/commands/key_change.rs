//! A rotated service key: files from before and after the rotation, verified with either key.

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
    // A user stores the first key.
    service.run(&["verify", &before, "--trust"]);
    let old = service.ok(&["keys"]).split_whitespace().next().unwrap().to_owned();

    let retired = ["--retired-keys-file", "retired.txt"];
    let rotate =
        ["key", "rotate", "--database", "sqlite://matchbook.db", "--key-file", "matchbook.key", "--json"];
    let ran = service.stopped_for(&[&rotate, &retired[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    service.start_again(&retired);
    service.ok(&["export", &id, "-o", &after]);

    // With only the old key, earlier files still verify and later ones do not.
    service.ok(&["verify", &before]);
    assert_eq!(service.run(&["verify", &after]).code, 1);
    service.ok(&["verify", &before, "--key", &old]);
    assert_eq!(service.run(&["verify", &after, "--key", &old]).code, 1);

    // The service lists both keys, the current one first.
    let listed = service.ok(&["keys"]);
    fs::write(&keys, &listed).unwrap();
    let new = listed.split_whitespace().next().unwrap();
    assert!(new != old && listed.contains(&old), "{listed}");
    service.ok(&["verify", &before, &after, "--key", &keys]);
    service.ok(&["verify", &after, "--key", new]);
    assert_eq!(service.run(&["verify", &before, "--key", new]).code, 1);
}
