//! The verifier of log files, compiled to WebAssembly by a cargo of its own.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const TARGET: &str = "wasm32-unknown-unknown";

/// What the verifier is made of, relative to the repository.
const SOURCES: [&str; 8] = [
    "Cargo.lock",
    "Cargo.toml",
    "clients/web/verifier",
    "service/audit",
    "service/event",
    "service/replay",
    "service/rules",
    "service/wire",
];

/// Variables that describe the build of the service and would change this one.
const OF_OTHER_BUILD: [&str; 6] = [
    "CARGO_BUILD_TARGET",
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
];

/// Builds the verifier, leaves it in `out` and returns it.
pub(crate) fn build(out: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..").canonicalize()?;
    for source in SOURCES {
        println!("cargo:rerun-if-changed={}", root.join(source).display());
    }
    check_target()?;
    let (target_folder, messages) = (out.join("target"), env::var("DEP_MATCHBOOK_WIRE_GENERATED")?);
    let mut cargo = Command::new(env::var("CARGO")?);
    // The folder is this build's own: cargo holds a lock on the service's.
    cargo.args(["build", "--frozen", "--profile", "verifier", "--package", "verifier", "--target", TARGET]);
    cargo.arg("--target-dir").arg(&target_folder).current_dir(&root);
    // The messages are generated already, by a build script whose dependencies take longer than the verifier.
    let instead = format!("target.{TARGET}.matchbook_wire.rustc-env.MATCHBOOK_WIRE={messages:?}");
    cargo.arg("--config").arg(instead);
    for variable in OF_OTHER_BUILD {
        cargo.env_remove(variable);
    }
    // Names of this machine's folders would end up in messages of panics, and in every browser.
    let hidden = [(root.as_path(), "/matchbook"), (out, "/build"), (Path::new(&messages), "/messages")];
    let cargo_home =
        env::var_os("CARGO_HOME").map(PathBuf::from).or(env::home_dir().map(|home| home.join(".cargo")));
    let hidden = hidden.into_iter().chain(cargo_home.as_deref().map(|home| (home, "/cargo")));
    let flags = hidden.map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()));
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.collect::<Vec<_>>().join("\u{1f}"));
    let output = cargo.output()?;
    if !output.status.success() {
        return Err(
            format!("the verifier does not build:\n{}", String::from_utf8_lossy(&output.stderr)).into()
        );
    }
    let built = fs::read(target_folder.join(TARGET).join("verifier/verifier.wasm"))?;
    fs::write(out.join("verifier.wasm"), &built)?;
    Ok(built)
}

/// Reports that the target is not installed, in words that help more than the compiler's.
fn check_target() -> Result<(), Box<dyn Error>> {
    let output =
        Command::new(env::var("RUSTC")?).args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let folder = String::from_utf8(output.stdout)?;
    if output.status.success() && Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    Err(format!("the target {TARGET} is not installed; `rustup target add {TARGET}` installs it").into())
}
