//! A service for one test, and runs of the client against it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::{env, fs, thread};

use serde_json::Value;
use tempfile::TempDir;

/// A running service that ends with the test, and a home for its user.
pub(crate) struct Service {
    daemon: Child,
    address: String,
    home: TempDir,
}

/// The result of a run of the client.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Service {
    /// Starts an empty service.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts an empty service with these flags.
    pub(crate) fn start_with(flags: &[&str]) -> Self {
        let home = tempfile::tempdir().expect("a folder for the test");
        let (daemon, address) = spawn(&home, "memory:", flags);
        Self { daemon, address, home }
    }

    /// Starts a service with a database on disk, in its home.
    pub(crate) fn start_on_disk() -> Self {
        let home = tempfile::tempdir().expect("a folder for the test");
        let (daemon, address) = spawn(&home, ON_DISK, &[]);
        Self { daemon, address, home }
    }

    /// Stops a service on disk and runs its program with these arguments in its home.
    pub(crate) fn stopped_for(&mut self, arguments: &[&str]) -> Ran {
        self.daemon.kill().expect("the service runs");
        self.daemon.wait().expect("the service ends");
        let mut command = Command::new(daemon_path());
        command.args(arguments).current_dir(self.home.path()).stdin(Stdio::null());
        run(command)
    }

    /// Restarts a stopped service with these flags.
    pub(crate) fn start_again(&mut self, flags: &[&str]) {
        (self.daemon, self.address) = spawn(&self.home, ON_DISK, flags);
    }

    /// Restarts a service on disk, and starts another on a copy of its database.
    pub(crate) fn copied(&mut self) -> Self {
        self.daemon.kill().expect("the service runs");
        self.daemon.wait().expect("the service ends");
        let home = tempfile::tempdir().expect("a folder for the test");
        for file in fs::read_dir(self.home.path()).expect("the home exists") {
            let file = file.expect("a file of the home");
            if file.file_type().expect("it has a type").is_file() {
                fs::copy(file.path(), home.path().join(file.file_name())).expect("a file is copied");
            }
        }
        self.start_again(&[]);
        let (daemon, address) = spawn(&home, ON_DISK, &[]);
        Self { daemon, address, home }
    }

    /// Starts a service with one API key of an app; returns both.
    pub(crate) fn with_key() -> (Self, String) {
        let (key, config) = api_key("shop", "app");
        (Self::start_with(&["--api-key", &config]), key)
    }

    /// Returns the service's `HOST:PORT`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Returns the service's URL.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the folder in which the client stores tokens.
    pub(crate) fn state(&self) -> PathBuf {
        self.home.path().join("state")
    }

    /// Returns the stored token of a seat.
    pub(crate) fn token(&self, match_id: &str, seat: usize) -> String {
        let stored = std::fs::read(self.state().join("tokens.json")).expect("tokens are stored");
        let stored: Value = serde_json::from_slice(&stored).expect("it is JSON");
        let token = stored[self.url()][match_id][seat.to_string()].as_str();
        token.expect("the seat's token is stored").to_owned()
    }

    /// Returns the client with these arguments, not started yet.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_matchbook"));
        command
            .args(arguments)
            .env("MATCHBOOK_SERVER", format!("http://{}", self.address))
            .env("MATCHBOOK_STATE", self.state())
            .env_remove("MATCHBOOK_TOKEN")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the client.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        run(self.command(arguments))
    }

    /// Runs the client, which must succeed; returns its output.
    #[track_caller]
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        // A busy machine may take its time.
        let unexpected = ran.stderr.lines().find(|line| !line.starts_with("waiting for an answer"));
        assert_eq!(unexpected, None, "{arguments:?}");
        ran.stdout
    }

    /// Runs the client with `--json`, which must succeed; returns one object per line.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Vec<Value> {
        let arguments = [arguments, &["--json"]].concat();
        objects(&self.ok(&arguments))
    }

    /// Creates a match with these options and claims both seats; returns its id.
    #[track_caller]
    pub(crate) fn started_match(&self, options: &[&str]) -> String {
        let mut arguments = vec!["new", "angels-and-demons"];
        for option in options {
            arguments.extend(["--option", option]);
        }
        let created = self.json(&arguments);
        let id = created[0]["match"]["matchId"].as_str().expect("a match has an id").to_owned();
        self.ok(&["claim", &id, "angels", "--name", "Gabriel"]);
        self.ok(&["claim", &id, "demons", "--name", "Lilith"]);
        id
    }

    /// Plays one turn of a match by hand.
    #[track_caller]
    pub(crate) fn turn(&self, id: &str, angels: &str, demons: &str) {
        self.ok(&["move", id, angels, "--seat", "0"]);
        self.ok(&["move", id, demons, "--seat", "1"]);
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended already; then the test failed and reported why.
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// Database of a service on disk, in its home.
const ON_DISK: &str = "sqlite://matchbook.db";

/// Starts the service's program; returns it with its address once it listens.
fn spawn(home: &TempDir, database: &str, flags: &[&str]) -> (Child, String) {
    let mut daemon = Command::new(daemon_path())
        .args(["--listen", "127.0.0.1:0", "--database", database, "--key-file"])
        .arg(home.path().join("matchbook.key"))
        .args(flags)
        .env("MATCHBOOK_LOG", "warn")
        .current_dir(home.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the service starts");
    let mut lines = BufReader::new(daemon.stdout.take().expect("it is piped")).lines();
    let address = lines
        .find_map(|line| {
            let line = line.expect("the service prints text");
            let mut words = line.split_whitespace();
            (words.next() == Some("gRPC")).then(|| words.next().map(str::to_owned)).flatten()
        })
        .expect("the service prints its address before it ends");
    // Read the rest of the startup banner, so that the service never blocks.
    thread::spawn(move || lines.for_each(drop));
    (daemon, address)
}

/// Makes an API key; returns it and its setting for the service.
pub(crate) fn api_key(name: &str, role: &str) -> (String, String) {
    let mut command = Command::new(daemon_path());
    let output = command.args(["key", "new", "--name", name, "--role", role, "--json"]).output();
    let key: Value =
        serde_json::from_slice(&output.expect("the program starts").stdout).expect("it prints JSON");
    let part = |name: &str| key[name].as_str().expect("it is a string").to_owned();
    (part("key"), part("config"))
}

/// Runs a prepared command.
pub(crate) fn run(mut command: Command) -> Ran {
    let output = command.output().expect("the client starts");
    Ran {
        code: output.status.code().expect("the client exits"),
        stdout: String::from_utf8(output.stdout).expect("the client prints UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("the client prints UTF-8"),
    }
}

/// Waits until these clients succeed; returns their outputs. Reads all at once: a client stops when its pipe
/// is full.
#[track_caller]
pub(crate) fn finished<const N: usize>(clients: [Child; N]) -> [String; N] {
    let readers = clients.map(|client| thread::spawn(move || client.wait_with_output()));
    readers.map(|reader| {
        let output = reader.join().expect("the reader does not panic").expect("the client ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("the client prints UTF-8")
    })
}

/// Parses lines of JSON, each of which must be an object.
#[track_caller]
pub(crate) fn objects(text: &str) -> Vec<Value> {
    let object = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(value.is_object(), "{line}");
        value
    };
    text.lines().map(object).collect()
}

/// Returns the service's program beside this test's own; builds it if it is missing.
fn daemon_path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let test = env::current_exe().expect("a test knows its own program");
        let profile = test.ancestors().nth(2).expect("tests are in target/<profile>/deps");
        let daemon = profile.join(format!("matchbookd{}", env::consts::EXE_SUFFIX));
        if !daemon.exists() {
            let mut build = Command::new(env!("CARGO"));
            build
                .args(["build", "--quiet", "--package", "matchbookd"])
                .current_dir(env!("CARGO_MANIFEST_DIR"));
            build.arg("--target-dir").arg(profile.parent().expect("target/<profile> has a parent"));
            if profile.ends_with("release") {
                build.arg("--release");
            }
            assert!(build.status().expect("cargo runs").success(), "the service does not build");
        }
        daemon
    })
}
