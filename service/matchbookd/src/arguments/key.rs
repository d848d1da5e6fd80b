//! The arguments of `key new` and `key rotate`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use play::Role;
use server::{KeyRotation, ServingReplicas};

use super::config_file::ConfigArgument;
use super::database::{DatabaseArgument, ReplicaSilenceArgument, StatementsArgument};
use super::invalid_setting::InvalidSetting;
use super::log::LogArguments;
use super::signing::RotationSigningArguments;

/// A command about keys.
#[derive(Subcommand)]
pub(crate) enum KeyCommand {
    /// Create an API key and print it, with the line that configures it; the key is not shown again
    New(NewKeyArguments),
    /// Replace the service key of a database with a new one; signatures of the old key stay verifiable
    Rotate(Box<RotateKeyArguments>),
}

const NEW_AFTER_HELP: &str = "\
Examples:
  matchbookd key new --name shop --role app
  matchbookd key new --name ledger --role audit --json

Give the key to the app, and the line to the service: --api-key, MATCHBOOK_API_KEYS, or
a line of --api-keys-file. The line contains a hash of the key, not the key.";

const ROTATE_AFTER_HELP: &str = "\
Stop the service, run this command as a role that may UPDATE service_key (the
tables' owner), copy the new key file to every replica, and start the service.
Moves, seats and tokens stay valid. To resume an interrupted rotation, run the
command again. See docs/keys.md.

Examples:
  matchbookd key rotate --database postgres://owner@db/matchbook --key-file matchbook.key
  matchbookd key rotate --retired-keys-file retired.keys

Exit codes:
  0   the key is rotated
  2   invalid command line, environment or configuration file
  4   cannot open the database, or lost the connection to it; run the command again
  5   invalid service key file, or not the key of this database
  10  replicas are serving; stop them, or use --fence";

/// `--key-file`.
#[derive(Args)]
pub(super) struct KeyFileArgument {
    /// Service key file: 32 random bytes, created at the first start, from which tokens are derived. Default:
    /// matchbook.key next to the database's file, or in the current directory if the database is a server
    #[arg(long, env = "MATCHBOOK_KEY_FILE", value_name = "PATH")]
    pub(super) key_file: Option<PathBuf>,
}

/// The arguments of `key rotate`.
#[derive(Args)]
#[command(after_help = ROTATE_AFTER_HELP)]
pub(crate) struct RotateKeyArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    database: DatabaseArgument,

    #[command(flatten)]
    statements: StatementsArgument,

    #[command(flatten)]
    silence: ReplicaSilenceArgument,

    #[command(flatten)]
    key_file: KeyFileArgument,

    /// Rotate even if replicas are serving: they can no longer write, and stop within seconds
    #[arg(long)]
    fence: bool,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    signing: RotationSigningArguments,

    #[command(flatten)]
    pub(crate) log: LogArguments,
}

impl RotateKeyArguments {
    /// Builds the rotation, reading the files that the arguments name.
    pub(crate) fn rotation(self) -> Result<KeyRotation, InvalidSetting> {
        let database = self.database.read()?.statements(self.statements.read());
        let database = database.replica_silence(self.silence.read());
        let signing = self.signing.read()?;
        let serving_replicas = if self.fence { ServingReplicas::Fence } else { ServingReplicas::Reject };
        let key_file = self.key_file.key_file;
        Ok(KeyRotation {
            database,
            key_file,
            name: signing.name,
            rename_to: signing.rename_to,
            retired: signing.retired,
            retired_keys_file: signing.retired_keys_file,
            serving_replicas,
        })
    }
}

/// The arguments of `key new`.
#[derive(Args)]
#[command(after_help = NEW_AFTER_HELP)]
pub(crate) struct NewKeyArguments {
    /// Name of the app that owns the key's matches; keys with the same name own the same matches
    #[arg(long, value_name = "NAME")]
    pub(crate) name: String,

    /// Rights of the key: app creates and owns matches, audit reads all matches, admin does both
    #[arg(long, value_name = "ROLE", value_parser = role_parser())]
    pub(crate) role: Role,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

fn role_parser() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::ALL.map(Role::as_str)).try_map(|word| word.parse())
}
