//! The folders of this repository, and the cargo that runs this process.

use std::env;
use std::path::{self, Path, PathBuf};
use std::process::Command;

const TARGET_VARIABLE: &str = "CARGO_TARGET_DIR";

/// Returns the folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask is two folders below the root")
}

/// Returns cargo's build folder.
pub(crate) fn target_folder() -> PathBuf {
    given_target_folder().unwrap_or_else(|| root().join("target"))
}

/// Returns the folder of downloaded tools, which `cargo clean` removes.
pub(crate) fn tools_folder() -> PathBuf {
    target_folder().join("tools")
}

/// Returns a command for `cargo`, in the root and in the environment of somebody who types it there.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    if let Some(folder) = given_target_folder() {
        cargo.env(TARGET_VARIABLE, folder);
    }
    clear_package(&mut cargo);
    cargo
}

/// Removes what `cargo run` says about xtask from the environment of a command that runs cargo: build scripts
/// that watch it would run again.
pub(crate) fn clear_package(command: &mut Command) {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
}

/// Returns whether `cargo NAME` exists.
pub(crate) fn has_cargo_command(name: &str) -> bool {
    on_path(&format!("cargo-{name}")).is_some()
}

/// Returns the program `name` from the folders of `PATH`, or from `/usr/sbin`, which Debian adds for root
/// alone.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders = env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// Returns the folder in the environment. Made absolute: a relative one starts from this process's folder.
fn given_target_folder() -> Option<PathBuf> {
    path::absolute(env::var_os(TARGET_VARIABLE)?).ok()
}
