//! OpenAPI against the truth: a linter reads the document of a running service, and schemathesis calls that service
//! with what the document allows.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::programs::{deafen, read_address};
use crate::{child, repository, tools};

/// How long schemathesis makes up calls.
const FUZZING_SECONDS: &str = "60";

/// What an answer must not be: a fault, an undocumented status or media type, or outside its schema.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance";

/// A service that is checked, and its description; killed when dropped.
pub(crate) struct Described {
    service: Child,
    address: String,
    folder: TempDir,
}

impl Described {
    /// Builds the service, starts it on a free port, and asks for its description.
    pub(crate) fn start() -> Result<Self> {
        child::run(repository::cargo().args(["build", "--package", "server"]))?;
        let folder = tempfile::tempdir().context("cannot make a folder")?;
        let program = repository::target_folder().join("debug/matchbookd");
        let mut command = Command::new(program);
        deafen(&mut command);
        let log = File::create(folder.path().join("log")).context("cannot write the service's log")?;
        let mut service = command
            .args(["--listen", "127.0.0.1:0", "--database", "memory:", "--key-file"])
            .arg(folder.path().join("matchbook.key"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .context("cannot start matchbookd")?;
        let mut greeting = BufReader::new(service.stdout.take().expect("it was piped"));
        let mut described = Self { service, address: String::new(), folder };
        let Some(address) = read_address(&mut greeting)? else {
            bail!("matchbookd ended before it was up; {}", described.logged())
        };
        described.address = format!("http://{address}");
        // Read on, so that the service never waits for a reader.
        thread::spawn(move || io::copy(&mut greeting, &mut io::sink()));
        let document = format!("{}/openapi.json", described.address);
        child::run(Command::new("curl").args(["-sSf", "-o"]).arg(described.document()).arg(document))?;
        Ok(described)
    }

    /// Lets the linter read the description.
    pub(crate) fn lint(&self) -> Result<()> {
        let configuration = repository::root().join("tools/xtask/tools/openapi/redocly.yaml");
        let mut redocly = Command::new(tools::redocly()?);
        redocly.arg("lint").arg(self.document()).arg("--config").arg(configuration);
        // It would ask its maker for newer versions, and tell of its use.
        redocly.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
        child::run(&mut redocly)
    }

    /// Calls the service with what the description allows.
    pub(crate) fn fuzz(&self) -> Result<()> {
        let hooks = repository::root().join("tools/xtask/tools/openapi");
        let mut schemathesis = Command::new(tools::schemathesis()?);
        schemathesis
            .arg("run")
            .arg(self.document())
            .args(["--url", &self.address, "--checks", CHECKS, "--phases", "examples,fuzzing"])
            .args(["--max-time", FUZZING_SECONDS, "--request-timeout", "20", "--max-examples", "25"])
            .args(["--seed", "1", "--generation-database", "none", "--suppress-health-check", "all"])
            .args(["--warnings", "off", "--no-color"])
            .current_dir(self.folder.path())
            .env("SCHEMATHESIS_HOOKS", "hooks")
            .env("PYTHONPATH", hooks)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("MATCHBOOK_SERVER", &self.address);
        child::run(&mut schemathesis).with_context(|| self.logged())
    }

    fn document(&self) -> std::path::PathBuf {
        self.folder.path().join("openapi.json")
    }

    fn logged(&self) -> String {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        format!("matchbookd's log says:\n{log}")
    }
}

impl Drop for Described {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing to lose.
        let _ = self.service.kill();
        let _ = self.service.wait();
    }
}
