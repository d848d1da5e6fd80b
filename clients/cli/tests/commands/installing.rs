//! Completions, tried in a real shell, and manual pages. Neither needs a service.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::service::{Ran, run};

fn matchbook(arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_matchbook"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    run(command)
}

#[test]
fn bash_completes_a_command_and_its_flags() {
    let script = matchbook(&["completions", "bash"]).stdout;
    let complete = |words: &str, last: usize| {
        let ask = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD={last}\n\
             _matchbook matchbook \"${{COMP_WORDS[$COMP_CWORD]}}\" \"${{COMP_WORDS[$COMP_CWORD-1]}}\"\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let output = Command::new("bash").args(["-c", &ask]).output().expect("bash runs");
        String::from_utf8(output.stdout).expect("bash prints UTF-8")
    };
    assert_eq!(complete("matchbook veri", 1), "verify\n");
    assert_eq!(complete("matchbook new --visib", 2), "--visibility\n");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let ran = matchbook(&["man", &folder.path().to_string_lossy()]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let help = matchbook(&["--help"]).stdout;
    let list = help.split_once("Commands:").and_then(|(_, rest)| rest.split_once("\n\n")).expect("a list").0;
    let commands: Vec<_> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"verify"), "{help}");
    for command in commands.iter().filter(|command| **command != "help") {
        let page = folder.path().join(format!("matchbook-{command}.1"));
        assert!(fs::read_to_string(&page).is_ok_and(|text| text.contains(".SH NAME")), "{}", page.display());
    }
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let folder = "/no/such/folder";
    assert!(!Path::new(folder).exists());
    let ran = matchbook(&["man", folder]);
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.contains(folder), "{}", ran.stderr);
}
