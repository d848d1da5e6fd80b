//! The flags of `matchbookd key`.

use clap::{Args, Subcommand};
use play::Role;

/// What to do with keys.
#[derive(Subcommand)]
pub(crate) enum KeyCommand {
    /// Make an API key: shows the key once, and the line that `serve` is configured with
    New(NewKeyArguments),
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
