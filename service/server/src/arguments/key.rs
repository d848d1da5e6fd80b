//! The flags of `matchbookd key`: API keys, and the service key.

use clap::{Args, Subcommand};
use play::Role;
use server::{KeyRotation, Serving};

use super::signing::SigningArguments;
use super::{
    ConfigArgument, DatabaseArgument, KeyFileArgument, LogArguments, SilenceArgument, StatementsFlag,
};

/// What to do with keys.
#[derive(Subcommand)]
pub(crate) enum KeyCommand {
    /// Make an API key: shows the key once, and the line that `serve` is configured with
    New(NewKeyArguments),
    /// Change the service key of a database: a new key file, the old one kept aside, its signatures still checkable
    Rotate(Box<RotateKeyArguments>),
}

const ROTATE_AFTER_HELP: &str = "\
Stop the service, run this as a role that may UPDATE service_key (the tables' owner), copy the new key file to every
replica, start. Moves, seats and tokens stay. docs/operating.md tells the whole of it. An attempt that was interrupted goes
on when it is run again.

Exit codes:
  0   the key is changed
  2   the command line or the environment is wrong
  4   the database can't be opened, or was lost on the way: run it again
  5   a key file is wrong, or not the one that the database is bound to
  10  the service serves: stop it, or say --fence";

/// The flags of `key rotate`.
#[derive(Args)]
#[command(after_help = ROTATE_AFTER_HELP)]
pub(crate) struct RotateKeyArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    database: DatabaseArgument,

    #[command(flatten)]
    statements: StatementsFlag,

    #[command(flatten)]
    silence: SilenceArgument,

    #[command(flatten)]
    key_file: KeyFileArgument,

    #[command(flatten)]
    signing: SigningArguments,

    /// Change it though replicas serve: they can write nothing more and stop by themselves, within seconds
    #[arg(long)]
    fence: bool,

    /// As one JSON object, for programs
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) log: LogArguments,
}

impl RotateKeyArguments {
    /// What they ask for.
    pub(crate) fn rotation(self) -> Result<KeyRotation, String> {
        let database = self.database.read()?.statements(self.statements.read());
        let database = database.replica_silence(self.silence.read());
        let (signing, retired_keys_file) = self.signing.read_or_begin()?;
        let serving = if self.fence { Serving::Fenced } else { Serving::Refused };
        Ok(KeyRotation { database, key_file: self.key_file.key_file, signing, retired_keys_file, serving })
    }
}

/// The flags of `key new`.
#[derive(Args)]
pub(crate) struct NewKeyArguments {
    /// Who will use it. Matches belong to the name: another key of the same name owns them too
    #[arg(long, value_name = "NAME")]
    pub(crate) name: String,

    /// app creates matches and owns them, audit sees all of them, admin does both
    #[arg(long, value_name = "ROLE", value_parser = role())]
    pub(crate) role: Role,

    /// As one JSON object, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

fn role() -> impl clap::builder::TypedValueParser<Value = Role> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Role::ALL.map(Role::as_str)).try_map(|word| word.parse())
}
