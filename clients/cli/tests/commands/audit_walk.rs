//! The commands of `docs/audit.md`, one by one as printed there; `audit_page` has its program.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::service::{Ran, Service, run};

const PAGE: &str = include_str!("../../../../docs/audit.md");
/// The beginnings of the parts with commands, which the next heading ends.
const PARTS: [&str; 2] = ["## From an export to a verdict\n", "## The feed of all matches\n"];
/// What the page prints before a command.
const PROMPT: &str = "    $ ";

/// A command of the page, and what it prints there.
struct Step {
    command: String,
    output: Vec<String>,
}

/// Returns the commands of the page.
fn steps() -> Vec<Step> {
    let part = |begin| {
        let rest = PAGE.split_once(begin).expect("the page has this part").1;
        rest.split('\n').take_while(|line| !line.starts_with('#'))
    };
    let mut steps: Vec<Step> = Vec::new();
    for line in PARTS.into_iter().flat_map(part).filter(|line| line.starts_with("    ")) {
        match (line.strip_prefix(PROMPT), steps.last_mut()) {
            (Some(command), _) => steps.push(Step { command: command.to_owned(), output: Vec::new() }),
            (None, Some(step)) => step.output.push(line[4..].to_owned()),
            (None, None) => panic!("the page prints this before any command: {line}"),
        }
    }
    steps
}

/// Returns whether a line is one that the page prints, where `…` stands for anything.
fn is_like(line: &str, printed: &str) -> bool {
    let Some((head, tail)) = printed.split_once('…') else { return line == printed };
    let Some(rest) = line.strip_prefix(head) else { return false };
    rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| is_like(&rest[at..], tail))
}

/// Runs a command in a folder as a reader would, with the client on the path.
fn in_folder(service: &Service, folder: &Path, command: &str) -> Ran {
    let programs = Path::new(env!("CARGO_BIN_EXE_matchbook")).parent().expect("a program is in a folder");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", format!("{}:{}", programs.display(), env::var("PATH").unwrap_or_default()))
        .env("MATCHBOOK_SERVER", format!("http://{}", service.address()))
        .env("MATCHBOOK_STATE", service.state())
        .env_remove("MATCHBOOK_TOKEN");
    run(shell)
}

/// Copies the Python verifier to where the page has it.
fn copy_verifier(folder: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/src/matchbook");
    let to = folder.join("clients/python/src/matchbook");
    for part in ["", "audit"] {
        fs::create_dir_all(to.join(part)).expect("the folder can be created");
        for entry in fs::read_dir(from.join(part)).expect("the folder is there").flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), to.join(part).join(entry.file_name())).expect("it can be copied");
            }
        }
    }
}

/// Plays a match to its end. Returns its id and the receipt of its first move, as the client prints it.
fn played(service: &Service) -> (String, String) {
    let id = service.started_match(&["turns=1"]);
    let told = service.ok(&["move", &id, "2,2", "--seat", "0"]);
    let receipt = told.lines().find_map(|line| line.strip_prefix("Receipt: ")).expect("a receipt is printed");
    service.ok(&["move", &id, "5,7", "--seat", "1"]);
    (id, receipt.to_owned())
}

#[test]
fn the_walk_from_an_export_to_a_verdict_is_as_printed() {
    let service = Service::start_with(&["--service-name", "play.example"]);
    let (id, receipt) = played(&service);
    let folder = tempfile::tempdir().expect("a folder for the test");
    copy_verifier(folder.path());
    let steps = steps();
    assert!(steps.len() > 10, "only {} commands", steps.len());
    for Step { command, output } in steps {
        let ran = in_folder(
            &service,
            folder.path(),
            &command.replace(" MATCH ", &format!(" {id} ")).replace("HASH@SEQ", &receipt),
        );
        if ran.code == 127 {
            let required = env::var_os("MATCHBOOK_TEST_REQUIRE_ALL").is_some();
            assert!(!required, "{command}: {ran:?}");
            println!("SKIPPED: `{command}` does not work here, so the rest of the walk was not tried");
            return;
        }
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command}");
        let lines: Vec<_> = ran.stdout.lines().collect();
        let same = lines.len() == output.len()
            && lines.iter().zip(&output).all(|(line, printed)| is_like(line, printed));
        assert!(same, "{command} printed\n{}\nand not\n{}", ran.stdout, output.join("\n"));
    }
}

#[test]
fn what_the_page_prints_is_compared_exactly() {
    assert!(is_like(
        "match.jsonl: 8 events, 9 bytes, 4 per move",
        "match.jsonl: 8 events, … bytes, … per move"
    ));
    assert!(is_like("  signed by a+b", "  signed by a+…"));
    assert!(!is_like("  signed by b", "  signed by a+…"));
    assert!(!is_like("0", "7"));
    assert!(!is_like("refused", "refuse"));
    assert!(!is_like("8 events, 9 bytes and more", "8 events, … bytes"));
}
