//! The command line of `matchbookd`. Each flag has an environment variable.

mod access;
mod check_rules;
mod config_file;
mod key;
mod print_config;
#[cfg(test)]
mod reference;
mod signing;
mod url_file;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use journal::{Migrations, Statements};
use server::telemetry::LogFormat;
use server::{Config, CorsOrigins, Database, Limits, Question, Security};

use access::{AccessArguments, TlsCertArgument};
use check_rules::StatementsFlag;
use config_file::{ConfigArgument, ConfigFile};
use print_config::PrintFormat;
use signing::SigningArguments;

pub(crate) use check_rules::CheckRulesArguments;
pub(crate) use key::{KeyCommand, NewKeyArguments, RotateKeyArguments};

/// Matchbook: a service that plays two-player games over gRPC
///
/// Without a command it serves. Matches are kept in a SQLite file in the current folder unless --database says
/// otherwise. The service listens on this machine only, unless --listen says otherwise and there are API keys and TLS.
#[derive(Parser)]
#[command(name = "matchbookd", version, args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    serve: ServeArguments,
}

const EXAMPLES: &str = "\
Examples:
  matchbookd                                                serve on 127.0.0.1:7420, matches in ./matchbook.db
  matchbookd --listen 127.0.0.1:0 --database memory:        a free port, and nothing is kept
  matchbookd migrate --database postgres://me@db/matchbook  create or update the tables
  matchbookd check-rules --database postgres://me@db/matchbook  does this build replay all that is stored?
  matchbookd key new --name shop --role app                 an API key, and the line that configures it
  matchbookd healthcheck                                    exit code 0 if the service serves

Signals:
  SIGINT and SIGTERM stop the service: calls may end, watches are told, the database is closed. A second one stops it
  at once. Moves that were acknowledged are kept in either case, and after kill -9.
  SIGHUP has the TLS certificate read again.

Telemetry:
  OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 sends traces and metrics to an OpenTelemetry collector. The other
  standard OTEL_* variables are heeded as well.

Exit codes:
  0   it did what it was asked, or was asked to stop
  1   something else went wrong
  2   the command line or the environment is wrong
  3   the address can't be listened on
  4   the database can't be opened: locked by another process, not reachable, of another version
  5   the key file is wrong, or not the one that the database was made with
  6   the service had to stop by itself; start it again
  7   healthcheck: the service does not serve
  8   the TLS certificate or its key is wrong
  9   check-rules: a stored match does not replay by this build
  10  key rotate: the service serves, and must be stopped first";

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve (what is done without a command)
    Serve(Box<ServeArguments>),
    /// Create the tables of a database or bring them up to date, and end
    Migrate(MigrateArguments),
    /// Replay every stored match by the rules of this build, and name what differs; before an upgrade
    CheckRules(CheckRulesArguments),
    /// Make API keys, change the service key
    #[command(subcommand)]
    Key(KeyCommand),
    /// Ask a running service whether it serves; for containers and scripts
    Healthcheck(HealthcheckArguments),
}

/// The flags of `serve`.
#[derive(Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    config: ConfigArgument,

    /// Print the configuration that would be used, as a file for --config, with where each value comes from, and end
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "toml"
    )]
    print_config: Option<PrintFormat>,

    #[command(flatten)]
    listen: Listen,

    #[command(flatten)]
    pub(crate) database: DatabaseArgument,

    // A text for the same reason as --database.
    /// A streaming replica of the Postgres of --database, for reads that may be old: past events, the feed, the directory.
    /// It may lag or be away; nothing is decided by what it says
    #[arg(long, env = "MATCHBOOK_READ_DATABASE_URL", hide_env_values = true, value_name = "URL")]
    read_database: Option<String>,

    /// What a start does with tables of another version: apply brings them up to date, require refuses to start (for a
    /// role that may not change them; run `matchbookd migrate` as the owner)
    #[arg(long, env = "MATCHBOOK_MIGRATIONS", value_name = "HOW", value_enum, default_value = "apply")]
    migrations: MigrationsArgument,

    #[command(flatten)]
    statements: StatementsFlag,

    #[command(flatten)]
    silence: SilenceArgument,

    #[command(flatten)]
    key_file: KeyFileArgument,

    #[command(flatten)]
    access: AccessArguments,

    /// Web pages of which origins may call the service: https://play.example,http://localhost:5173, or * for all
    #[arg(long, env = "MATCHBOOK_CORS_ORIGINS", value_name = "ORIGINS", default_value = "")]
    cors_origins: CorsOrigins,

    #[command(flatten)]
    signing: SigningArguments,

    #[command(flatten)]
    pub(crate) log: LogArguments,

    #[command(flatten)]
    limits: Limits,
}

/// The flags of `migrate`.
#[derive(Args)]
pub(crate) struct MigrateArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    pub(crate) database: DatabaseArgument,

    /// On Postgres: let this role serve the database with --migrations require. It can add to the log and read it, and
    /// no more
    #[arg(long, value_name = "ROLE")]
    pub(crate) grant_to: Option<String>,

    #[command(flatten)]
    pub(crate) log: LogArguments,
}

/// The flags of `healthcheck`.
#[derive(Args)]
pub(crate) struct HealthcheckArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    listen: Listen,

    #[command(flatten)]
    tls: TlsCertArgument,

    /// Ask only whether the process answers, not whether its database does: for what restarts it if it does not
    #[arg(long)]
    live: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum MigrationsArgument {
    Apply,
    Require,
}

#[derive(Clone, Copy, ValueEnum)]
enum StatementsArgument {
    Prepared,
    Unnamed,
}

#[derive(Args)]
struct Listen {
    /// Where the service listens; port 0 takes a free one
    #[arg(long, env = "MATCHBOOK_LISTEN", value_name = "HOST:PORT", default_value = "127.0.0.1:7420")]
    listen: String,
}

/// Which database.
#[derive(Args)]
pub(crate) struct DatabaseArgument {
    // A text and not yet a `Database`: clap repeats what it can't parse, and a URL may have a password.
    /// The database: sqlite://PATH, postgres://USER:PASSWORD@HOST/NAME, or memory: (nothing is kept)
    #[arg(
        long,
        env = "MATCHBOOK_DATABASE_URL",
        hide_env_values = true,
        value_name = "URL",
        default_value = "sqlite://matchbook.db"
    )]
    database: String,

    /// A file with that URL instead, so that its password stands in no command line and no environment
    #[arg(long, env = "MATCHBOOK_DATABASE_URL_FILE", value_name = "PATH", conflicts_with = "database")]
    database_url_file: Option<PathBuf>,
}

/// Where the service key is.
#[derive(Args)]
pub(crate) struct KeyFileArgument {
    /// The service's key, 32 random bytes, made at the first start; tokens derive from it. Default: matchbook.key
    /// beside the SQLite file, in the current folder with Postgres
    #[arg(long, env = "MATCHBOOK_KEY_FILE", value_name = "PATH")]
    key_file: Option<PathBuf>,
}

/// When a replica counts as dead.
#[derive(Args)]
struct SilenceArgument {
    /// A replica that has written nothing for so long is taken for dead by the others, which close its lanes; it says
    /// that it lives every third of that. The same on all replicas
    #[arg(
        long,
        env = "MATCHBOOK_REPLICA_SILENCE_MS",
        value_name = "MS",
        value_parser = clap::value_parser!(u64).range(3_000..=3_600_000),
        default_value_t = 60_000
    )]
    replica_silence_ms: u64,
}

impl SilenceArgument {
    fn read(&self) -> Duration {
        Duration::from_millis(self.replica_silence_ms)
    }
}

/// What is logged, and how.
#[derive(Args)]
pub(crate) struct LogArguments {
    /// What is logged to standard error: a level, or a filter such as info,play=debug
    #[arg(long = "log", env = "MATCHBOOK_LOG", value_name = "FILTER", default_value = "info")]
    pub(crate) filter: String,

    /// How it is written
    #[arg(long = "log-format", env = "MATCHBOOK_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub(crate) format: LogFormat,
}

/// What the command line asks for.
pub(crate) enum Asked {
    /// To do this.
    Command(Command),
    /// To print this and end.
    Print(String),
}

/// Reads the command line, the environment, and the file that they name. What clap finds wrong ends the process.
pub(crate) fn read() -> Result<Asked, String> {
    let given: Vec<_> = std::env::args_os().collect();
    let command = Arguments::command();
    let first_look = config_file::first_look(&command, &given);
    let mut file = ConfigFile::default();
    if let Some(first_look) = &first_look
        && let Some(path) = config_file::named(first_look)
    {
        file = ConfigFile::read(&path, &command)?;
        file.yield_to(first_look);
    }
    let command = file.apply(command);
    let matches = command.clone().get_matches_from(given);
    let asked = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match asked.into_command() {
        Command::Serve(serve) if serve.print_config.is_some() => {
            let format = serve.print_config.unwrap_or(PrintFormat::Toml);
            let serving = matches.subcommand_matches("serve").unwrap_or(&matches);
            let shown = print_config::shown(&command, serving, &file, format);
            // What would not start is not printed as if it would.
            serve.config().map(|_| Asked::Print(shown))
        }
        command => Ok(Asked::Command(command)),
    }
}

impl Arguments {
    /// The command, `serve` if none is named.
    fn into_command(self) -> Command {
        self.command.unwrap_or(Command::Serve(Box::new(self.serve)))
    }
}

impl ServeArguments {
    /// The server that they describe.
    pub(crate) fn config(self) -> Result<Config, String> {
        let migrations = match self.migrations {
            MigrationsArgument::Apply => Migrations::Apply,
            MigrationsArgument::Require => Migrations::Require,
        };
        let database = self.database.read()?.migrations(migrations).statements(self.statements.read());
        let database = database.replica_silence(self.silence.read());
        let database = match &self.read_database {
            None => database,
            Some(url) => database
                .read_from(url)
                .map_err(|error| format!("--read-database (MATCHBOOK_READ_DATABASE_URL): {error}"))?,
        };
        let config = Config::new(self.listen.listen, database);
        let (key_file, limits, cors_origins) = (self.key_file.key_file, self.limits, self.cors_origins);
        let signing = self.signing.read()?;
        self.access.configure(Config { key_file, limits, cors_origins, signing, ..config })
    }
}

impl StatementsFlag {
    fn read(&self) -> Statements {
        match self.statements {
            StatementsArgument::Prepared => Statements::Prepared,
            StatementsArgument::Unnamed => Statements::Unnamed,
        }
    }
}

impl HealthcheckArguments {
    /// Where to ask.
    pub(crate) fn listen(&self) -> &str {
        &self.listen.listen
    }

    /// What to ask.
    pub(crate) fn question(&self) -> Question {
        if self.live { Question::Alive } else { Question::Ready }
    }

    /// How to ask.
    pub(crate) fn security(&self) -> Security {
        self.tls.security()
    }
}

impl DatabaseArgument {
    /// The database that is meant.
    pub(crate) fn read(&self) -> Result<Database, String> {
        let (url, from) = match &self.database_url_file {
            Some(path) => (url_file::read(path)?, "--database-url-file (MATCHBOOK_DATABASE_URL_FILE)"),
            None => (self.database.clone(), "--database (MATCHBOOK_DATABASE_URL)"),
        };
        url.parse().map_err(|error| format!("{from}: {error}"))
    }
}
