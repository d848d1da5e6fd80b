//! The arguments for signing logs.

use std::path::PathBuf;

use clap::Args;
use play::{DEFAULT_SERVICE_NAME, RetiredKey, Signing};

/// The signer's name and its retired keys.
#[derive(Args)]
#[command(next_help_heading = "Signatures")]
pub(super) struct SigningArguments {
    /// Name that logs are signed under, such as the service's domain; clients that pin the key pin the name
    /// too
    #[arg(long, env = "MATCHBOOK_SERVICE_NAME", value_name = "NAME", default_value = DEFAULT_SERVICE_NAME)]
    service_name: String,

    /// File with the public keys of retired service keys, so that clients can verify their signatures. One
    /// per line: NAME+ID+KEY FROM UNTIL, with times such as 2026-05-01T00:00:00Z, or - for an unknown FROM;
    /// blank lines and lines that start with # are ignored
    #[arg(long, env = "MATCHBOOK_RETIRED_KEYS_FILE", value_name = "PATH")]
    retired_keys_file: Option<PathBuf>,
}

impl SigningArguments {
    /// Returns the signing settings and the file of retired keys, which does not have to exist yet.
    pub(super) fn read_for_rotation(mut self) -> Result<(Signing, Option<PathBuf>), String> {
        let file = self.retired_keys_file.clone();
        self.retired_keys_file = self.retired_keys_file.filter(|path| path.exists());
        Ok((self.read()?, file))
    }

    /// Returns the signing settings, reading the file of retired keys.
    pub(super) fn read(&self) -> Result<Signing, String> {
        let name = self.service_name.parse();
        let name = name.map_err(|error| format!("--service-name (MATCHBOOK_SERVICE_NAME): {error}"))?;
        let retired = match &self.retired_keys_file {
            None => Vec::new(),
            Some(path) => {
                let context = |error: String| format!("--retired-keys-file {}: {error}", path.display());
                let text = std::fs::read_to_string(path).map_err(|error| context(error.to_string()))?;
                parse_retired_keys(&text).map_err(context)?
            }
        };
        Ok(Signing { name, retired })
    }
}

fn parse_retired_keys(text: &str) -> Result<Vec<RetiredKey>, String> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| line.parse().map_err(|error| format!("line {number}: {error}"))).collect()
}
