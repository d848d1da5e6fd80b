//! A real service for a test, and runs of the examples against it.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;

use tempfile::TempDir;

/// A running service that ends with the test.
pub(crate) struct Service {
    process: Child,
    pub(crate) address: String,
    pub(crate) home: TempDir,
}

impl Service {
    pub(crate) fn start() -> Self {
        let home = tempfile::tempdir().expect("a folder for the test");
        let mut process = Command::new(built("matchbookd", &["--package", "matchbookd"]))
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
