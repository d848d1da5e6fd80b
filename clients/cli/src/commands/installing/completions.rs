//! `matchbook completions`: prints the completion script of a shell.

use clap::Args;
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output::Output;

const AFTER_HELP: &str = "\
Examples:
  matchbook completions bash > ~/.local/share/bash-completion/completions/matchbook
  matchbook completions zsh > ~/.zfunc/_matchbook     with ~/.zfunc in fpath
  matchbook completions fish > ~/.config/fish/completions/matchbook.fish";

/// Arguments of `matchbook completions`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Completions {
    /// Shell that runs the script
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, mut program: clap::Command, output: Output) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "matchbook", &mut script);
        output.bytes(&script)
    }
}
