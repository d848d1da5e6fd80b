//! Where things are in this repository, and the cargo that runs us.

use std::env;
use std::path::{self, Path, PathBuf};
use std::process::Command;

const TARGET_VARIABLE: &str = "CARGO_TARGET_DIR";

/// The folder with the workspace's `Cargo.toml`.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask lives two folders below the root")
}

/// Where cargo puts what it builds.
pub(crate) fn target_folder() -> PathBuf {
    given_target_folder().unwrap_or_else(|| root().join("target"))
}

/// Where downloaded tools are kept between runs; `cargo clean` removes them.
pub(crate) fn tools_folder() -> PathBuf {
    target_folder().join("tools")
}

/// `cargo`, in the root and with the environment of somebody who typed it there.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    if let Some(folder) = given_target_folder() {
        cargo.env(TARGET_VARIABLE, folder);
    }
    // `cargo run` describes xtask in these; build scripts that watch them would run again for nothing.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(&name);
        }
    }
    cargo
}

/// Whether `cargo NAME` exists.
pub(crate) fn has_cargo_command(name: &str) -> bool {
    on_path(&format!("cargo-{name}")).is_some()
}

/// The program called `name`, if one of the folders of PATH has it.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// Absolute, since a relative one is meant from the folder that we were called in.
fn given_target_folder() -> Option<PathBuf> {
    path::absolute(env::var_os(TARGET_VARIABLE)?).ok()
}
