//! The arguments of `completions` and `man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

const COMPLETIONS_AFTER_HELP: &str = "\
Examples:
  matchbookd completions bash > ~/.local/share/bash-completion/completions/matchbookd
  matchbookd completions zsh > ~/.zfunc/_matchbookd     with ~/.zfunc in fpath
  matchbookd completions fish > ~/.config/fish/completions/matchbookd.fish";

const MAN_AFTER_HELP: &str = "\
Examples:
  matchbookd man ~/.local/share/man/man1     then: man matchbookd, man matchbookd-migrate";

/// The arguments of `completions`.
#[derive(Args)]
#[command(after_help = COMPLETIONS_AFTER_HELP)]
pub(crate) struct CompletionsArguments {
    /// Shell that runs the script
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// The arguments of `man`.
#[derive(Args)]
#[command(after_help = MAN_AFTER_HELP)]
pub(crate) struct ManArguments {
    /// Existing folder to write to; it gets one page for the program and one for each command
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}
