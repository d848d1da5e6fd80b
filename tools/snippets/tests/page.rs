//! The programs of docs/clients.md run against a real service, and what each saves is verified. Those for
//! Python and TypeScript are tested with their packages.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use tempfile::TempDir;

const GRPCURL: &str = include_str!(concat!(env!("OUT_DIR"), "/grpcurl.sh"));
const CURL: &str = include_str!(concat!(env!("OUT_DIR"), "/curl.sh"));
const MATCHBOOK: &str = include_str!(concat!(env!("OUT_DIR"), "/matchbook.sh"));
const VERIFYING: &str = include_str!(concat!(env!("OUT_DIR"), "/Whichever.sh"));

#[test]
fn the_steps_with_grpcurl() {
    let Some(grpcurl) = program("grpcurl", "MATCHBOOK_GRPCURL") else { return };
    run_script(GRPCURL, &[grpcurl]);
}

#[test]
fn the_steps_with_curl() {
    let Some(curl) = program("curl", "MATCHBOOK_CURL") else { return };
    run_script(CURL, &[curl]);
}

#[test]
fn the_steps_with_matchbook() {
    run_script(MATCHBOOK, &[]);
}

#[test]
fn the_steps_in_rust() {
    let service = Service::start();
    let mut program = Command::new(env!("CARGO_BIN_EXE_snippets"));
    let output = program.arg(&service.address).current_dir(service.home.path()).output();
    service.check(&output.expect("the program starts"));
}

/// Runs a script of the page with the folders of these programs on its `PATH`.
#[track_caller]
fn run_script(script: &str, programs: &[PathBuf]) {
    if program("jq", "MATCHBOOK_JQ").is_none() {
        return;
    }
    let service = Service::start();
    let output = service.bash(script, programs);
    service.check(&output);
}

/// Returns the program that a variable names or, without it, the one on `PATH`. `None` if there is none: then
/// the test is skipped, or fails if no test may be skipped.
fn program(name: &str, variable: &str) -> Option<PathBuf> {
    let on_path = || {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
    };
    let found = env::var_os(variable).map(PathBuf::from).or_else(on_path);
    if found.is_none() {
        assert!(env::var_os("MATCHBOOK_TEST_REQUIRE_ALL").is_none(), "{name} is not installed");
        println!("SKIPPED: {name} is not installed");
    }
    found
}

/// A running service that ends with the test, and the folder that a program runs in.
struct Service {
    process: Child,
    address: String,
    home: TempDir,
}

impl Service {
    fn start() -> Self {
        let home = tempfile::tempdir().expect("a folder for the test");
        let mut process = Command::new(built("matchbookd", "matchbookd"))
            .args(["--listen", "127.0.0.1:0", "--database", "memory:", "--key-file"])
            .arg(home.path().join("matchbook.key"))
            .env("MATCHBOOK_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the service starts");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let address = lines
            .find_map(|line| line.expect("it prints text").trim().strip_prefix("gRPC").map(first_word))
            .expect("the service prints its address before it ends");
        // Read the rest of the startup banner, so that the service never blocks.
        thread::spawn(move || lines.for_each(drop));
        Self { process, address, home }
    }

    /// Runs a script of the page, whose service is this one.
    fn bash(&self, script: &str, programs: &[PathBuf]) -> Output {
        let matchbook = built("matchbook", "cli");
        let folders = programs.iter().chain([&matchbook]).filter_map(|program| program.parent());
        Command::new("bash")
            .args(["-euc", &script.replace("127.0.0.1:7420", &self.address)])
            .current_dir(self.home.path())
            .env("PATH", before_path(folders))
            .env("MATCHBOOK_SERVER", format!("http://{}", self.address))
            .env("MATCHBOOK_STATE", self.home.path().join("state"))
            .env_remove("MATCHBOOK_TOKEN")
            .output()
            .expect("bash is installed")
    }

    /// Checks what a program printed, and the log that it saved.
    #[track_caller]
    fn check(&self, output: &Output) {
        let printed = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat();
        assert!(output.status.success(), "{printed}");
        for wanted in ["ludus-magus", "cresnovian-chess", "b1-c2", "ILLEGAL_MOVE", "LM-6"] {
            assert!(printed.contains(wanted), "{wanted} is missing:\n{printed}");
        }
        let verified = self.bash(VERIFYING, &[]);
        let report = String::from_utf8_lossy(&verified.stdout);
        assert!(verified.status.success(), "{report}{}", String::from_utf8_lossy(&verified.stderr));
        assert!(report.contains("7 events, 2 moves"), "{report}");
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended already; then the test failed and reported why.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().to_owned()
}

/// Returns the `PATH` with these folders before the others.
fn before_path<'a>(folders: impl Iterator<Item = &'a Path>) -> OsString {
    let others = env::var_os("PATH").unwrap_or_default();
    let all = folders.map(Path::to_path_buf).chain(env::split_paths(&others));
    env::join_paths(all).expect("no folder has the separator in its name")
}

/// Returns a program of this test's build; builds it if it is missing.
fn built(name: &str, package: &str) -> PathBuf {
    let test = env::current_exe().expect("a test knows its own program");
    let profile = test.ancestors().nth(2).expect("tests are in target/<profile>/deps");
    let program = profile.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    if !program.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", package]).current_dir(env!("CARGO_MANIFEST_DIR"));
        build.arg("--target-dir").arg(profile.parent().expect("target/<profile> has a parent"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "{name} does not build");
    }
    program
}
