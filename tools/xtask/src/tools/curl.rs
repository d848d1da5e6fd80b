//! curl, which is on nearly every machine: from PATH, as the tests' people have it.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::repository;

/// The path of curl.
pub(crate) fn curl() -> Result<PathBuf> {
    let program = repository::on_path("curl").context("curl is not on PATH: please install it")?;
    println!("using {}", program.display());
    Ok(program)
}
