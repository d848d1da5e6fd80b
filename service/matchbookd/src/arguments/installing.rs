//! The arguments of `completions` and `man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// The arguments of `completions`.
#[derive(Args)]
pub(crate) struct CompletionsArguments {
    /// Shell to complete in
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// The arguments of `man`.
#[derive(Args)]
pub(crate) struct ManArguments {
    /// Folder to write to, which must exist: a page of the program and one of each command
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}
