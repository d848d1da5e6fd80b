//! A real service for a test, and runs of the examples against it.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

/// A running service that ends with the test.
pub(crate) struct Service {
    process: Child,
    flags: Vec<String>,
    pub(crate) address: String,
    pub(crate) home: TempDir,
}

impl Service {
    /// Starts a service on a database in memory.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a service on a database in memory with these flags.
    pub(crate) fn start_with(flags: &[&str]) -> Self {
        Self::on("memory:", flags)
    }

    /// Starts a service whose database outlives it, for a test that restarts it.
    pub(crate) fn start_on_disk() -> Self {
        Self::on("sqlite://matchbook.db", &[])
    }

    /// Starts a service that requires API keys to own a match; returns it with the key of an app.
    pub(crate) fn with_key() -> (Self, String) {
        let (key, config) = api_key("app", "app");
        (Self::start_with(&["--api-key", &config]), key)
    }

    fn on(database: &str, flags: &[&str]) -> Self {
        let home = tempfile::tempdir().expect("a folder for the test");
        let flags = [&["--database", database], flags].concat();
        let flags: Vec<String> = flags.into_iter().map(str::to_owned).collect();
        let (process, address) = spawn(&home, &flags);
        Self { process, flags, address, home }
    }

    /// Kills the service and starts it again.
    pub(crate) fn restart(&mut self) {
        self.kill();
        self.start_again();
    }

    /// Starts a killed service. It has another address then.
    pub(crate) fn start_again(&mut self) {
        (self.process, self.address) = spawn(&self.home, &self.flags);
    }

    /// Kills the service as a crash does.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("the service runs");
        self.process.wait().expect("the service ends");
    }

    /// Runs an example, which must succeed; returns its output.
    #[track_caller]
    pub(crate) fn run(&self, example: &str, arguments: &[&str]) -> String {
        let program = built(&format!("examples/{example}"), &["--package", "matchbook-client", "--examples"]);
        let output = Command::new(program).args(arguments).output().expect("the example starts");
        assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it prints UTF-8")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended already; then the test failed and reported why.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts the service's program; returns it with its address once it listens.
fn spawn(home: &TempDir, flags: &[String]) -> (Child, String) {
    let mut process = Command::new(daemon())
        .args(["--listen", "127.0.0.1:0", "--key-file", "matchbook.key"])
        .args(flags)
        .current_dir(home.path())
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
    (process, address)
}

/// Returns the service's program.
fn daemon() -> PathBuf {
    built("matchbookd", &["--package", "matchbookd"])
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().to_owned()
}

/// Returns a program of this test's build; builds it if it is missing.
fn built(name: &str, packages: &[&str]) -> PathBuf {
    let test = env::current_exe().expect("a test knows its own program");
    let profile = test.ancestors().nth(2).expect("tests are in target/<profile>/deps");
    let program = profile.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    if !program.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet"]).args(packages).current_dir(env!("CARGO_MANIFEST_DIR"));
        build.arg("--target-dir").arg(profile.parent().expect("target/<profile> has a parent"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "{name} does not build");
    }
    program
}

/// Makes an API key; returns it and its setting for the service.
pub(crate) fn api_key(name: &str, role: &str) -> (String, String) {
    let output =
        Command::new(daemon()).args(["key", "new", "--name", name, "--role", role, "--json"]).output();
    let output = output.expect("the service's program starts");
    let key: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    let part = |name: &str| key[name].as_str().expect("it is a string").to_owned();
    (part("key"), part("config"))
}
