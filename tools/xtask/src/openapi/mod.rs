//! The OpenAPI document of a running service: redocly lints it, and schemathesis calls the service by it,
//! and clients generated from it play matches.

pub(crate) mod clients;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::programs::Programs;
use crate::service::RunningService;
use crate::steps::Steps;
use crate::{child, repository, tools};

/// How long schemathesis generates calls, in seconds.
const FUZZING_SECONDS: &str = "60";

/// What every response is checked for: no server error, and a documented status, media type and schema.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance";

/// Checks the document, then the service against it.
pub(crate) fn check(steps: &mut Steps, programs: &Programs) {
    let Some(described) = steps.step("OpenAPI: service", || DescribedService::start(programs)) else {
        return;
    };
    steps.step("OpenAPI: redocly", || described.lint());
    steps.step("OpenAPI: schemathesis", || described.fuzz());
}

/// A running service and its OpenAPI document.
struct DescribedService {
    service: RunningService,
    folder: TempDir,
}

impl DescribedService {
    fn start(programs: &Programs) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let service = RunningService::start(programs, folder.path(), "memory:")?;
        let described = Self { service, folder };
        let url = format!("{}/openapi.json", described.service.url());
        child::run(Command::new("curl").args(["-sSf", "-o"]).arg(described.document()).arg(url))?;
        Ok(described)
    }

    fn lint(&self) -> Result<()> {
        let configuration = repository::root().join("tools/xtask/tools/openapi/redocly.yaml");
        let mut redocly = tools::REDOCLY.command()?;
        redocly.arg("lint").arg(self.document()).arg("--config").arg(configuration);
        // By default it contacts its maker.
        redocly.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
        child::run(&mut redocly)
    }

    fn fuzz(&self) -> Result<()> {
        let url = self.service.url();
        let hooks = repository::root().join("tools/xtask/tools/openapi");
        let mut schemathesis = tools::SCHEMATHESIS.command()?;
        schemathesis
            .arg("run")
            .arg(self.document())
            .args(["--url", &url, "--checks", CHECKS, "--phases", "examples,fuzzing"])
            .args(["--max-time", FUZZING_SECONDS, "--request-timeout", "20", "--max-examples", "25"])
            .args(["--seed", "1", "--generation-database", "none", "--suppress-health-check", "all"])
            .args(["--warnings", "off", "--no-color"])
            .current_dir(self.folder.path())
            .env("SCHEMATHESIS_HOOKS", "hooks")
            .env("PYTHONPATH", hooks)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("MATCHBOOK_SERVER", &url);
        child::run(&mut schemathesis).with_context(|| self.service.log())
    }

    fn document(&self) -> PathBuf {
        self.folder.path().join("openapi.json")
    }
}
