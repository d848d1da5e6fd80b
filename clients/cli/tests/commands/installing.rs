//! Completions, tried in real shells, and manual pages. Neither needs a service.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

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

/// Returns whether a shell is installed; panics without it if all tests must run.
fn installed(shell: &str) -> bool {
    let found = Command::new(shell).arg("--version").output().is_ok();
    if !found {
        assert!(env::var_os("MATCHBOOK_TEST_REQUIRE_ALL").is_none(), "{shell} is not installed");
        println!("SKIPPED: {shell} is not installed");
    }
    found
}

#[test]
fn fish_completes_a_command_and_its_flags() {
    if !installed("fish") {
        return;
    }
    let script = matchbook(&["completions", "fish"]).stdout;
    let complete = |line: &str| {
        let ask = format!("{script}\ncomplete --do-complete '{line}'");
        let output = Command::new("fish").args(["--no-config", "-c", &ask]).output().expect("fish runs");
        String::from_utf8(output.stdout).expect("fish prints UTF-8")
    };
    assert_eq!(complete("matchbook veri"), "verify\tVerify log files, without a service\n");
    assert!(complete("matchbook new --visib").starts_with("--visibility\t"));
}

/// Presses Tab after `$1` in an interactive zsh with the completions of folder `$0`, and prints the line.
const ZSH: &str = r#"
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=(${(q)0} \$fpath); autoload -Uz compinit; compinit -u -D
    matchbook() { print -r -- \"<\$*>\" }; print READ''Y"
zpty -r shell seen '*READY*'
zpty -w -n shell "matchbook $1"$'\t\n'
zpty -r shell seen '*<[a-z]*>*'
print -r -- ${${seen##*<}%%>*}
"#;

#[test]
fn zsh_completes_a_command_its_flags_and_values() {
    if !installed("zsh") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let script = matchbook(&["completions", "zsh"]).stdout;
    fs::write(folder.path().join("_matchbook"), script).expect("the folder can be written");
    let complete = |words: &str| {
        let mut zsh = Command::new("zsh");
        zsh.args(["-f", "-c", ZSH]).arg(folder.path()).arg(words);
        let output = zsh.output().expect("zsh runs");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    assert_eq!(complete("veri"), "verify");
    assert_eq!(complete("new --visib"), "new --visibility");
    assert_eq!(complete("completions fi"), "completions fish");
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
