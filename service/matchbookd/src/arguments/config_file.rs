//! The argument that names the configuration file.

use std::path::PathBuf;

use clap::Args;

/// `--config`. `configuration` reads it before the other arguments are parsed.
#[derive(Args)]
pub(super) struct ConfigArgument {
    /// TOML file with settings, whose keys are the flags of serve (docs/configuration.md); flags and
    /// environment variables take precedence
    #[arg(long, env = "MATCHBOOK_CONFIG", value_name = "PATH")]
    config: Option<PathBuf>,
}
