//! The program `matchbookd`: its help, and starts with given settings.

use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use rustix::process::{Pid, Signal, kill_process};

/// Returns the output of `matchbookd COMMAND --help`.
pub(crate) fn help(command: &[&str]) -> String {
    let output = matchbookd().args(command).arg("--help").output().expect("matchbookd runs");
    assert!(output.status.success(), "matchbookd {command:?} --help fails");
    String::from_utf8(output.stdout).expect("the help is UTF-8")
}

/// Returns the help of all commands that `deploy/` uses.
pub(crate) fn all_help() -> String {
    let commands: [&[&str]; 5] = [&[], &["serve"], &["migrate"], &["key", "new"], &["healthcheck"]];
    commands.map(help).concat()
}

/// Returns a command for the program, without the settings in this process's environment.
pub(crate) fn matchbookd() -> Command {
    let mut command = Command::new(path());
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MATCHBOOK_")) {
        command.env_remove(name);
    }
    command
}

/// Starts the service with these variables, waits until it serves, and stops it. The exit code must be 0.
#[track_caller]
pub(crate) fn starts_with(settings: &BTreeMap<String, String>) {
    let mut service = matchbookd()
        .arg("serve")
        .envs(settings)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("matchbookd starts");
    let mut banner = String::new();
    let out = service.stdout.take().expect("standard output is piped");
    BufReader::new(out).read_line(&mut banner).expect("the banner is UTF-8");
    if !banner.is_empty() {
        kill_process(Pid::from_child(&service), Signal::TERM).expect("matchbookd is running");
    }
    let ended = service.wait_with_output().expect("matchbookd ends");
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(!banner.is_empty() && ended.status.success(), "with {settings:#?}: {}\n{errors}", ended.status);
}

/// Returns the program's path, next to this test's own program; builds it if it does not exist.
pub(crate) fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let test = env::current_exe().expect("a test can find its own program");
        let profile = test.ancestors().nth(2).expect("tests are in target/<profile>/deps");
        let program = profile.join(format!("matchbookd{}", env::consts::EXE_SUFFIX));
        if !program.exists() {
            let mut build = Command::new(env!("CARGO"));
            build
                .args(["build", "--quiet", "--package", "matchbookd"])
                .current_dir(env!("CARGO_MANIFEST_DIR"));
            build.arg("--target-dir").arg(profile.parent().expect("target/<profile> has a parent"));
            if profile.ends_with("release") {
                build.arg("--release");
            }
            assert!(build.status().expect("cargo runs").success(), "matchbookd does not build");
        }
        program
    })
}
