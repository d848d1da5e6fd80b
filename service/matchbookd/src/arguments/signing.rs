//! The arguments for signing logs.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use play::{DEFAULT_SERVICE_NAME, KeyName, RetiredKey, Signing};

use super::invalid_setting::InvalidSetting;

const SERVICE_NAME: &str = "service-name";
const RETIRED_KEYS_FILE: &str = "retired-keys-file";

/// The signer's name and its retired keys.
#[derive(Args)]
#[command(next_help_heading = "Signatures")]
pub(super) struct SigningArguments {
    /// Name in the signatures of logs, such as the service's domain. Clients pin it together with the key,
    /// and the first start stores it in the database
    #[arg(long, env = "MATCHBOOK_SERVICE_NAME", value_name = "NAME", default_value = DEFAULT_SERVICE_NAME)]
    service_name: String,

    #[command(flatten)]
    retired_keys: RetiredKeysArgument,
}

/// `--retired-keys-file`.
#[derive(Args)]
struct RetiredKeysArgument {
    /// File with the public keys of retired service keys, so that clients can verify their signatures. One
    /// per line: NAME+ID+KEY FROM UNTIL, with times such as 2026-05-01T00:00:00Z, or - for an unknown FROM;
    /// blank lines and lines that start with # are ignored
    #[arg(long, env = "MATCHBOOK_RETIRED_KEYS_FILE", value_name = "PATH")]
    retired_keys_file: Option<PathBuf>,
}

/// The names and retired keys of a rotation.
#[derive(Args)]
#[command(next_help_heading = "Signatures")]
pub(super) struct RotationSigningArguments {
    /// Expected name of the service; a database with another name is refused
    #[arg(long, env = "MATCHBOOK_SERVICE_NAME", value_name = "NAME")]
    service_name: Option<String>,

    /// New name of the service, for signatures after the rotation; start it with this --service-name
    #[arg(long, value_name = "NAME")]
    rename_to: Option<String>,

    #[command(flatten)]
    retired_keys: RetiredKeysArgument,
}

/// What the arguments of a rotation say.
pub(super) struct RotationSigning {
    pub(super) name: Option<KeyName>,
    pub(super) rename_to: Option<KeyName>,
    pub(super) retired: Vec<RetiredKey>,
    /// The file of retired keys, which does not have to exist yet.
    pub(super) retired_keys_file: Option<PathBuf>,
}

impl SigningArguments {
    /// Returns the signing settings, reading the file of retired keys.
    pub(super) fn read(&self) -> Result<Signing, InvalidSetting> {
        let name = parse_name(&self.service_name, SERVICE_NAME)?;
        Ok(Signing { name, retired: read_retired_keys(self.retired_keys.retired_keys_file.as_deref())? })
    }
}

impl RotationSigningArguments {
    /// Reads the names, and the file of retired keys if it exists.
    pub(super) fn read(self) -> Result<RotationSigning, InvalidSetting> {
        let parse = |name: Option<String>, setting| name.map(|name| parse_name(&name, setting)).transpose();
        let retired_keys_file = self.retired_keys.retired_keys_file;
        let existing = retired_keys_file.as_deref().filter(|path| path.exists());
        Ok(RotationSigning {
            name: parse(self.service_name, SERVICE_NAME)?,
            rename_to: parse(self.rename_to, "rename-to")?,
            retired: read_retired_keys(existing)?,
            retired_keys_file,
        })
    }
}

fn parse_name(name: &str, setting: &'static str) -> Result<KeyName, InvalidSetting> {
    name.parse().map_err(|error| InvalidSetting::new(setting, error))
}

fn read_retired_keys(file: Option<&Path>) -> Result<Vec<RetiredKey>, InvalidSetting> {
    let Some(path) = file else { return Ok(Vec::new()) };
    let context =
        |error: String| InvalidSetting::new(RETIRED_KEYS_FILE, format!("{}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| context(error.to_string()))?;
    parse_retired_keys(&text).map_err(context)
}

fn parse_retired_keys(text: &str) -> Result<Vec<RetiredKey>, String> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| line.parse().map_err(|error| format!("line {number}: {error}"))).collect()
}
