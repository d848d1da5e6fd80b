//! The flags about what logs are signed as.

use std::path::PathBuf;

use clap::Args;
use play::{DEFAULT_SERVICE_NAME, RetiredKey, Signing};

/// What logs are signed as.
#[derive(Args)]
#[command(next_help_heading = "Signatures")]
pub(crate) struct SigningArguments {
    /// The name that logs are signed under, for example the service's domain. Whoever has pinned the key has pinned
    /// the name with it
    #[arg(long, env = "MATCHBOOK_SERVICE_NAME", value_name = "NAME", default_value = DEFAULT_SERVICE_NAME)]
    service_name: String,

    /// A file with the public keys of service keys that were replaced, so that clients can check what they signed: a
    /// line each, NAME+ID+KEY FROM UNTIL, with times such as 2026-05-01T00:00:00Z and - for an unknown FROM; empty
    /// lines and those that begin with # don't count
    #[arg(long, env = "MATCHBOOK_RETIRED_KEYS_FILE", value_name = "PATH")]
    retired_keys_file: Option<PathBuf>,
}

impl SigningArguments {
    /// The same before there is any retired key: the file may be missing yet. And the file.
    pub(super) fn read_or_begin(mut self) -> Result<(Signing, Option<PathBuf>), String> {
        let file = self.retired_keys_file.clone();
        self.retired_keys_file = self.retired_keys_file.filter(|path| path.exists());
        Ok((self.read()?, file))
    }

    /// What they say.
    pub(crate) fn read(&self) -> Result<Signing, String> {
        let name = self.service_name.parse();
        let name = name.map_err(|error| format!("--service-name (MATCHBOOK_SERVICE_NAME): {error}"))?;
        let retired = match &self.retired_keys_file {
            None => Vec::new(),
            Some(path) => {
                let wrong = |error: String| format!("--retired-keys-file {}: {error}", path.display());
                let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
                read_keys(&text).map_err(wrong)?
            }
        };
        Ok(Signing { name, retired })
    }
}

fn read_keys(text: &str) -> Result<Vec<RetiredKey>, String> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(at, line)| line.parse().map_err(|error| format!("line {at}: {error}"))).collect()
}
