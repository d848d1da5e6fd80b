//! Clients that three generators make from the OpenAPI document of a running service, and one from the
//! protos. Each plays a whole match through the generated code.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::DescribedService;
use crate::programs::Programs;
use crate::steps::Steps;
use crate::tools::{self, Tool};
use crate::{child, repository};

/// How long a generator or a match may take, in seconds. Each takes a few.
const TIMEOUT_SECONDS: &str = "180";

/// Generates the clients and plays.
pub(crate) fn check(steps: &mut Steps, programs: &Programs) {
    let Some(described) = steps.step("Clients: service", || DescribedService::start(programs)) else {
        return;
    };
    steps.step("Clients: openapi-generator", || openapi_generator(&described));
    steps.step("Clients: openapi-python-client", || openapi_python_client(&described));
    steps.step("Clients: openapi-typescript", || openapi_typescript(&described));
    steps.step("Clients: grpcio-tools", || grpcio_tools(&described));
}

/// Generates the Python client of openapi-generator, a Java program.
fn openapi_generator(described: &DescribedService) -> Result<()> {
    let client = described.folder.path().join("openapi-generator");
    let generator = tools::OPENAPI_GENERATOR.path()?;
    // The generator finds it on `PATH`.
    tools::JAVA.path()?;
    let mut generate = bounded(&generator);
    generate.args(["generate", "--generator-name", "python", "--input-spec"]).arg(described.document());
    // Its greeting and a line for each file would hide the rest.
    generate.env("JAVA_OPTS", "-Dlog.level=warn");
    child::run(generate.arg("--output").arg(&client))?;
    let python = generator.with_file_name("python");
    let mut play = bounded(&python);
    play.arg(program("play_openapi_generator.py")).arg(described.service.url()).env("PYTHONPATH", client);
    run(&mut play, described)
}

/// Generates the Python client of openapi-python-client.
fn openapi_python_client(described: &DescribedService) -> Result<()> {
    let client = described.folder.path().join("openapi-python-client");
    let generator = tools::OPENAPI_PYTHON_CLIENT.path()?;
    let mut generate = bounded(&generator);
    generate.args(["generate", "--fail-on-warning", "--path"]).arg(described.document());
    generate.arg("--config").arg(program("openapi_python_client.yaml")).arg("--output-path").arg(&client);
    child::run(&mut generate)?;
    let python = generator.with_file_name("python");
    let mut play = bounded(&python);
    play.arg(program("play_openapi_python_client.py")).arg(described.service.url()).env("PYTHONPATH", client);
    run(&mut play, described)
}

/// Generates TypeScript types, checks a program against them, and runs it.
fn openapi_typescript(described: &DescribedService) -> Result<()> {
    let folder = described.folder.path().join("openapi-typescript");
    let generator = tools::OPENAPI_TYPESCRIPT.path()?;
    let programs = generator.parent().context("openapi-typescript is in no folder")?;
    let modules = programs.parent().context("npm's programs are in no package folder")?;
    fs::create_dir(&folder)
        .and_then(|()| symlink(modules, folder.join("node_modules")))
        .and_then(|()| fs::write(folder.join("package.json"), "{\"type\": \"module\"}\n"))
        .and_then(|()| fs::copy(program("play.ts"), folder.join("play.ts")).map(drop))
        .with_context(|| format!("cannot write in {}", folder.display()))?;
    let mut generate = bounded(&generator);
    child::run(generate.arg(described.document()).arg("--output").arg(folder.join("matchbook.d.ts")))?;
    let mut check = bounded(&programs.join("tsc"));
    check.args(["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"]);
    check.args(["--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "--noEmitOnError"]);
    child::run(check.arg("play.ts").current_dir(&folder))?;
    let mut play = bounded(Path::new("node"));
    run(play.arg(folder.join("play.js")).arg(described.service.url()), described)
}

/// Generates a Python client over gRPC as proto/README.md says: Google's protos come from their package.
fn grpcio_tools(described: &DescribedService) -> Result<()> {
    let client = described.folder.path().join("grpcio-tools");
    fs::create_dir(&client).with_context(|| format!("cannot create {}", client.display()))?;
    let python = tools::GRPCIO_TOOLS.path()?;
    let mut generate = bounded(Path::new("bash"));
    generate.arg(program("generate_grpcio.sh")).arg(&python).arg(&client);
    child::run(generate.current_dir(repository::root()))?;
    let mut play = bounded(&python);
    play.arg(program("play_grpcio.py")).arg(described.service.url()).env("PYTHONPATH", client);
    run(&mut play, described)
}

fn run(play: &mut Command, described: &DescribedService) -> Result<()> {
    play.env("PYTHONDONTWRITEBYTECODE", "1");
    child::run(play).with_context(|| described.service.log())
}

/// Returns a command for a program that is ended after a while.
fn bounded(program: &Path) -> Command {
    let mut command = Command::new("timeout");
    command.arg(TIMEOUT_SECONDS).arg(program);
    command
}

/// Returns the path of a program that plays, or of a generator's configuration.
fn program(name: &str) -> PathBuf {
    repository::root().join("tools/xtask/tools/openapi/clients").join(name)
}

/// The tools that the clients need.
pub(crate) const TOOLS: [&Tool; 5] = [
    &tools::GRPCIO_TOOLS,
    &tools::JAVA,
    &tools::OPENAPI_GENERATOR,
    &tools::OPENAPI_PYTHON_CLIENT,
    &tools::OPENAPI_TYPESCRIPT,
];
