//! The command `export-all`: files that verify, a manifest, and going on after an interruption.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::service::{Service, objects};

fn manifest(folder: &Path) -> Vec<Value> {
    objects(&fs::read_to_string(folder.join("manifest.ndjson")).expect("it is there"))
}

/// Creates matches of an app and returns their ids, the newest first.
fn created(service: &Service, key: &str, labels: &[&str]) -> Vec<String> {
    let mut ids = Vec::new();
    for label in labels {
        let new = service.json(&["new", "ludus-magus", "--label", label, "--token", key]);
        ids.insert(0, new[0]["match"]["matchId"].as_str().expect("it is there").to_owned());
    }
    ids
}

#[test]
fn an_export_is_complete_verifies_and_goes_on_where_it_stopped() {
    let (service, key) = Service::with_key();
    let ids = created(&service, &key, &["stage=1", "stage=2", "stage=1"]);
    let folder = service.state().join("logs");
    let dir = folder.display().to_string();
    let export = |more: &[&str]| service.run(&[&["export-all", &dir, "--token", &key], more].concat());
    let first = export(&["--since", "1h"]);
    assert_eq!((first.code, first.stderr.as_str()), (0, ""));
    assert!(first.stdout.contains("3 matches, 3 events"), "{}", first.stdout);
    let files: Vec<String> =
        ids.iter().map(|id| folder.join(format!("{id}.jsonl")).display().to_string()).collect();
    let text = fs::read_to_string(&files[0]).expect("it is there");
    let head = objects(text.lines().last().expect("it is there"));
    let signer = head[0]["head"]["publicKey"].as_str().expect("it is there");
    let verify: Vec<&str> =
        ["verify", "--key", signer].into_iter().chain(files.iter().map(String::as_str)).collect();
    // The matches have not ended.
    assert_eq!(service.run(&verify).code, 7);
    let lines = manifest(&folder);
    let named = lines.iter().filter_map(|line| line["file"].as_str()).map(str::to_owned);
    assert_eq!(named.collect::<Vec<_>>(), ids.iter().map(|id| format!("{id}.jsonl")).collect::<Vec<_>>());
    assert_eq!(lines.last().expect("it is there")["complete"], true);
    assert_eq!(export(&["--since", "2h"]).code, 0);
    assert_eq!(manifest(&folder), lines, "nothing is left to do");

    // As an interruption after the first match leaves it.
    let whole = fs::read_to_string(folder.join("manifest.ndjson")).expect("it is there");
    let at = whole.match_indices('\n').nth(1).expect("it is there").0;
    fs::write(folder.join("manifest.ndjson"), &whole[..at + 7]).expect("it is there");
    files[1..].iter().for_each(|file| fs::remove_file(file).expect("it is there"));
    fs::write(&files[0], "untouched").expect("it is there");
    let again = export(&["--since", "1h", "--json"]);
    let summary = &objects(&again.stdout)[0];
    assert_eq!((again.code, &summary["matches"], &summary["complete"]), (0, &3.into(), &true.into()));
    assert_eq!(fs::read_to_string(&files[0]).expect("it is there"), "untouched");
    assert!(files[1..].iter().all(|file| Path::new(file).exists()));
    assert_eq!(manifest(&folder), lines);

    let other = export(&["--since", "1h", "--label", "stage=1"]);
    assert!(other.code == 4 && other.stderr.contains("choose another folder"), "{}", other.stderr);
}

#[test]
fn a_filter_chooses_the_matches_and_a_key_is_needed() {
    let (service, key) = Service::with_key();
    let ids = created(&service, &key, &["stage=1", "stage=2"]);
    let folder = service.state().join("logs");
    let dir = folder.display().to_string();
    let refused = service.run(&["export-all", &dir]);
    assert!(refused.code == 1 && refused.stderr.contains("MISSING_KEY"), "{}", refused.stderr);
    assert!(!folder.exists(), "a refused export leaves nothing");
    let told = service.ok(&["export-all", &dir, "--label", "stage=1", "--binary", "--token", &key]);
    assert!(told.contains("1 matches"), "{told}");
    assert!(folder.join(format!("{}.log", ids[1])).exists());
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 2);
}
