//! Flags, variables, ports and exit codes: the program has all that `deploy/` names.

use crate::files::{all, number, read, value};
use crate::program::{all_help, help};

/// Prefixes of variables that only compose.yaml and HAProxy's configuration use.
const OTHERS: [&str; 6] = [
    "MATCHBOOK_VERSION",
    "MATCHBOOK_UID",
    "MATCHBOOK_GID",
    "MATCHBOOK_PUBLISH",
    "MATCHBOOK_BALANCER",
    "MATCHBOOK_REPLICA_",
];

#[test]
fn the_program_has_every_variable() {
    let help = all_help();
    for (path, text) in all() {
        for word in words(&text).filter(|word| word.starts_with("MATCHBOOK_")) {
            let known = help.contains(&format!("[env: {word}=")) || help.contains(&format!("[env: {word}]"));
            let other = OTHERS.iter().any(|prefix| word.starts_with(prefix));
            assert!(known || other, "{}: the program has no variable {word}", path.display());
        }
    }
}

#[test]
fn the_program_has_every_flag() {
    let help = all_help();
    let mut seen = 0;
    for (path, text) in all() {
        for line in text.lines().filter_map(command_line) {
            for flag in line
                .split(|c: char| !c.is_ascii_lowercase() && c != '-')
                .filter(|word| word.starts_with("--"))
            {
                seen += 1;
                let known = help.contains(&format!("{flag} ")) || help.contains(&format!("{flag}\n"));
                assert!(known, "{}: the program has no flag {flag}", path.display());
            }
        }
    }
    assert!(seen > 3, "only {seen} flags were found");
}

#[test]
fn the_port_is_the_programs_default_everywhere() {
    let listen = value(&help(&["serve"]), "[default: 127.0.0.1:");
    let port = listen.trim_end_matches(']');
    for (path, key) in [
        ("deploy/Dockerfile", "EXPOSE "),
        ("deploy/Dockerfile", "ENV MATCHBOOK_LISTEN=0.0.0.0:"),
        ("deploy/kubernetes/base/kustomization.yaml", "MATCHBOOK_LISTEN=0.0.0.0:"),
        ("deploy/kubernetes/base/deployment.yaml", "containerPort: "),
        ("deploy/kubernetes/base/service.yaml", "port: "),
        ("deploy/systemd/matchbookd.env.example", "MATCHBOOK_LISTEN=127.0.0.1:"),
        ("deploy/compose.yaml", "MATCHBOOK_LISTEN: 0.0.0.0:"),
    ] {
        assert_eq!(value(&read(path), key), port, "{path}, {key}");
    }
}

/// The unit restarts only after failures that a restart may fix.
#[test]
fn exit_codes_have_the_meanings_that_the_unit_assumes() {
    let help = help(&[]);
    let meaning = |code: &str| {
        value(help.split("Exit codes:").nth(1).expect("the help lists exit codes"), &format!("{code}  "))
    };
    let codes = value(&read("deploy/systemd/matchbookd.service"), "RestartPreventExitStatus=");
    let meanings: Vec<String> = codes.split(' ').map(meaning).collect();
    assert_eq!(meanings.len(), 3);
    for (meaning, about) in meanings.iter().zip(["command line", "key file", "TLS"]) {
        assert!(meaning.contains(about), "{meaning}");
    }
    assert!(meaning("4").contains("database"), "the Kubernetes job and deploy/README.md mention exit code 4");
}

#[test]
fn the_limit_of_descriptors_covers_all_connections() {
    let help = help(&["serve"]);
    let connections =
        number(&help[help.find("--max-connections").expect("the help lists the flag")..], "[default:");
    for (path, key) in
        [("deploy/systemd/matchbookd.service", "LimitNOFILE="), ("deploy/compose.yaml", "ulimits: {nofile:")]
    {
        let descriptors = number(&read(path), key);
        assert!(descriptors > connections + 1000, "{path}: {descriptors} for {connections} connections");
    }
}

/// Returns the part of a line that is a command line of the program.
fn command_line(line: &str) -> Option<&str> {
    let places = ["matchbookd serve", "matchbookd migrate", "matchbookd key", "matchbookd healthcheck"];
    let lists = ["command: [serve", "command: [migrate", "args: [serve", "args: [migrate"];
    let start = places.iter().chain(&lists).find_map(|place| line.find(place))?;
    Some(&line[start..])
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}
