//! The command line of `matchbookd`. Every setting is a flag of `serve`, an environment variable, and a key
//! of the configuration file.

mod access;
mod archive;
mod check_rules;
mod config_file;
mod database;
mod healthcheck;
mod installing;
mod invalid_setting;
mod key;
mod listen;
mod log;
mod migrate;
mod serve;
mod signing;
mod url_file;
mod variables;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::configuration::{self, ConfigFile, GivenSettings, PrintFormat, SettingPlaces};

pub(crate) use archive::ArchiveArguments;
pub(crate) use check_rules::CheckRulesArguments;
pub(crate) use healthcheck::HealthcheckArguments;
pub(crate) use installing::{CompletionsArguments, ManArguments};
pub(crate) use invalid_setting::InvalidSetting;
pub(crate) use key::{KeyCommand, NewKeyArguments, RotateKeyArguments};
pub(crate) use log::LogArguments;
pub(crate) use migrate::MigrateArguments;
pub(crate) use serve::ServeArguments;
pub(crate) use variables::MistypedVariable;

/// Matchbook: a service for two-player games over gRPC and REST
///
/// Without a command, matchbookd serves. By default it stores matches in a SQLite file in the current
/// directory and listens on loopback only; to listen on other addresses, configure API keys and TLS.
#[derive(Parser)]
#[command(name = "matchbookd", version, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    serve: ServeArguments,
}

const AFTER_HELP: &str = "\
Examples:
  matchbookd                                          serve on 127.0.0.1:7420 from ./matchbook.db
  matchbookd --listen 127.0.0.1:0 --database memory:  pick a free port, store nothing
  matchbookd --database postgres://me@db/matchbook    store matches in Postgres
  matchbookd key new --name shop --role app           create an API key
  matchbookd healthcheck                              exit with 0 if the service is serving

Signals:
  SIGINT and SIGTERM stop the service gracefully: running calls finish, watches end, the
  database closes. A second signal stops it immediately. Acknowledged moves survive both,
  and kill -9. SIGHUP reloads the TLS certificate.

Telemetry:
  OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 sends traces and metrics to an
  OpenTelemetry collector. The other standard OTEL_* variables apply too.

Exit codes:
  0   success, including a requested stop
  1   other failure
  2   invalid command line, environment or configuration file
  3   cannot listen on the address
  4   cannot open the database: in use by another process, unreachable, or another schema
  5   invalid service key file, or not the key of this database
  6   the running service could not continue; start it again
  7   healthcheck: not serving
  8   invalid TLS certificate or private key
  9   check-rules: a stored match does not replay with this build
  10  key rotate: replicas are serving; stop them first
  11  cannot use the archive";

/// A command with its arguments.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve matches (the default command)
    #[command(after_help = AFTER_HELP)]
    Serve(Box<ServeArguments>),
    /// Create or upgrade the database schema
    Migrate(MigrateArguments),
    /// Replay all stored matches with the rules of this build and report differences, before an upgrade
    CheckRules(Box<CheckRulesArguments>),
    /// Move finished matches out of the database, into an archive
    Archive(Box<ArchiveArguments>),
    /// Create API keys and rotate the service key
    #[command(subcommand)]
    Key(KeyCommand),
    /// Check that the local service is serving; for containers and scripts
    Healthcheck(HealthcheckArguments),
    /// Print a shell script that completes commands and flags
    Completions(CompletionsArguments),
    /// Write the manual pages
    Man(ManArguments),
}

/// What an invocation of the program asks for.
pub(crate) enum Invocation {
    Run(Command),
    /// `--print-config`: print this text if the configuration is valid.
    Print(Box<ServeArguments>, String),
}

/// Reads the command line, the environment, and the configuration file they name. On an invalid command line,
/// clap exits the process.
pub(crate) fn read() -> Result<(Invocation, SettingPlaces), String> {
    let arguments: Vec<_> = std::env::args_os().collect();
    let command = Arguments::command();
    let mut file = ConfigFile::default();
    if let Some(given) = GivenSettings::parse(&command, &arguments)
        && let Some(path) = given.config_path()
    {
        file = ConfigFile::read(&path, &command)?;
        file.yield_database_to(&given);
    }
    let command = file.apply(command);
    let matches = command.clone().try_get_matches_from(&arguments);
    let matches = matches.unwrap_or_else(|error| variables::named(error, &command, &arguments).exit());
    let places = SettingPlaces::new(&command, &matches, &file);
    let parsed = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let invocation = match parsed.into_command() {
        Command::Serve(serve) if serve.print_config.is_some() => {
            let format = serve.print_config.unwrap_or(PrintFormat::Toml);
            let serve_matches = matches.subcommand_matches("serve").unwrap_or(&matches);
            let text = configuration::effective(&command, serve_matches, &file, format);
            Invocation::Print(serve, text)
        }
        command => Invocation::Run(command),
    };
    Ok((invocation, places))
}

/// Returns the environment variables that resemble a setting's but are not read.
pub(crate) fn mistyped_variables() -> Vec<MistypedVariable> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    variables::mistyped(&Arguments::command(), names)
}

impl Arguments {
    /// Returns the command, `serve` if none is named.
    fn into_command(self) -> Command {
        self.command.unwrap_or(Command::Serve(Box::new(self.serve)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `check` with every command that runs, by its whole name.
    fn for_each(command: &clap::Command, name: &str, check: &mut impl FnMut(&clap::Command, &str)) {
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            for_each(inner, &format!("{name} {}", inner.get_name()), check);
        }
        if !command.has_subcommands() {
            check(command, name);
        }
    }

    #[test]
    fn help_texts_keep_the_house_style() {
        let mut checked = 0;
        for_each(&Arguments::command(), "matchbookd", &mut |command, name| {
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.starts_with("Examples:\n") || examples.contains("\nExamples:\n"), "{name}");
            let called = name.trim_end_matches(" serve");
            assert!(examples.contains(&format!("\n  {called}")), "{name}");
            assert!(examples.lines().all(|line| line.chars().count() <= 98), "{name}: {examples}");
            let about = command.get_about().map(ToString::to_string);
            let helps = command.get_arguments().map(|argument| argument.get_help().map(ToString::to_string));
            for help in std::iter::once(about).chain(helps) {
                let help = help.unwrap_or_else(|| panic!("{name} has a flag without a help text"));
                let begins = help.starts_with(|first: char| first.is_ascii_uppercase());
                assert!(begins && !help.ends_with('.'), "{name}: {help}");
                checked += 1;
            }
        });
        assert!(checked > 50, "{checked}");
    }
}
