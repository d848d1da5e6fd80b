//! The service starts with each set of settings under `deploy/`; mounted databases and keys are replaced by
//! the test's own.

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;

use crate::files::{read, value};
use crate::program::{matchbookd, starts_with};

type Settings = BTreeMap<String, String>;

#[test]
fn kubernetes_production() {
    let mut settings = literals("deploy/kubernetes/base/kustomization.yaml");
    settings.extend(literals("deploy/kubernetes/overlays/production/kustomization.yaml"));
    assert_eq!(settings["MATCHBOOK_MIGRATIONS"], "require");
    start(settings);
}

#[test]
fn kubernetes_single_node() {
    let mut settings = literals("deploy/kubernetes/base/kustomization.yaml");
    let overlay = literals("deploy/kubernetes/overlays/single-node/kustomization.yaml");
    let folder = TempDir::new().unwrap();
    let url =
        overlay["MATCHBOOK_DATABASE_URL"].replace("/var/lib/matchbook", folder.path().to_str().unwrap());
    settings.insert("MATCHBOOK_DATABASE_URL".to_owned(), url);
    start(settings);
    assert!(folder.path().join("matchbook.db").exists());
}

#[test]
fn compose_replica() {
    let compose = read("deploy/compose.yaml");
    let (_, replica) = compose.split_once("x-replica:").unwrap();
    let replica = replica.split("\n  secrets:").next().unwrap();
    let settings = replica.lines().filter_map(|line| line.trim().split_once(": "));
    let settings = settings.filter(|(name, _)| name.starts_with("MATCHBOOK_"));
    let plain =
        |value: &str| value.trim_matches('"').replace("${MATCHBOOK_SERVICE_NAME:-matchbook}", "matchbook");
    let settings: Settings = settings.map(|(name, value)| (name.to_owned(), plain(value))).collect();
    assert!(settings.len() > 8, "{settings:?}");
    start(settings);
}

#[test]
fn systemd_unit() {
    let mut settings = assignments(&read("deploy/systemd/matchbookd.env.example"), "");
    settings.extend(assignments(&read("deploy/systemd/matchbookd.service"), "Environment="));
    assert!(settings["MATCHBOOK_KEY_FILE"].starts_with("%d/"));
    start(settings);
}

/// Settings name the credentials that the unit loads.
#[test]
fn units_load_the_credentials_that_their_settings_name() {
    for unit in ["matchbookd.service", "matchbookd-migrate.service"] {
        let text = read(&format!("deploy/systemd/{unit}"));
        let read = assignments(&text, "Environment=");
        assert!(!read.is_empty());
        for (variable, path) in read {
            let name = path.strip_prefix("%d/").unwrap_or_else(|| panic!("{unit}: {variable}={path}"));
            assert!(text.contains(&format!("\nLoadCredential={name}:/etc/matchbook/")), "{unit}: {name}");
        }
    }
}

/// Starts the service with these settings on a free port, with existing files in place of mounted ones.
fn start(mut settings: Settings) {
    let folder = TempDir::new().expect("a folder can be created");
    let made = matchbookd()
        .args(["key", "new", "--name", "app", "--role", "app", "--json"])
        .output()
        .expect("matchbookd runs");
    let made: serde_json::Value = serde_json::from_slice(&made.stdout).expect("the output is JSON");
    let files = [
        ("MATCHBOOK_DATABASE_URL_FILE", "memory:\n".into()),
        ("MATCHBOOK_KEY_FILE", vec![7; 32]),
        (
            "MATCHBOOK_API_KEYS_FILE",
            made["config"].as_str().expect("the output has a line for the configuration").into(),
        ),
    ];
    for (name, content) in files {
        if let Some(path) = settings.get_mut(name) {
            let file = folder.path().join(name);
            fs::write(&file, content).expect("the folder is writable");
            *path = file.to_str().expect("the path is UTF-8").to_owned();
        }
    }
    let listen = settings.get_mut("MATCHBOOK_LISTEN").expect("the settings have a listen address");
    *listen = listen.replace("7420", "0");
    if let Some(listen) = settings.get_mut("MATCHBOOK_HEALTH_LISTEN") {
        *listen = listen.replace("7421", "0");
    }
    starts_with(&settings);
}

/// Returns the literals in a kustomization's settings.
fn literals(path: &str) -> Settings {
    assert_eq!(value(&read(path), "kind: "), "Kustomization");
    let settings = assignments(&read(path).replace("      - ", ""), "");
    assert!(!settings.is_empty(), "{path} has no settings");
    settings
}

/// Returns the variables that lines with this prefix set.
fn assignments(text: &str, prefix: &str) -> Settings {
    let lines = text.lines().filter_map(|line| line.strip_prefix(prefix)?.split_once('='));
    let ours = lines.filter(|(name, _)| name.starts_with("MATCHBOOK_"));
    ours.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
