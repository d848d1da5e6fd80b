//! The arguments that name a database and how to talk to it.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use server::{Database, Statements, duration_between};

use super::invalid_setting::InvalidSetting;
use super::url_file;

/// The database, by its URL or by a file that contains it.
#[derive(Args)]
pub(crate) struct DatabaseArgument {
    // A string, as clap repeats what it cannot parse and a URL may contain a password.
    #[arg(
        long,
        help = url_help(),
        env = "MATCHBOOK_DATABASE_URL",
        hide_env_values = true,
        value_name = "URL",
        default_value = "sqlite://matchbook.db"
    )]
    database: String,

    /// File with the database URL, to keep its password out of command line and environment
    #[arg(long, env = "MATCHBOOK_DATABASE_URL_FILE", value_name = "PATH", conflicts_with = "database")]
    database_url_file: Option<PathBuf>,
}

fn url_help() -> String {
    let forms: Vec<_> = Database::url_forms().collect();
    format!("Database URL, in one of these forms: {}", forms.join(", "))
}

impl DatabaseArgument {
    /// Parses the URL.
    pub(crate) fn read(&self) -> Result<Database, InvalidSetting> {
        let (url, setting) = match &self.database_url_file {
            Some(path) => {
                let setting = "database-url-file";
                (url_file::read(path).map_err(|error| InvalidSetting::new(setting, error))?, setting)
            }
            None => (self.database.clone(), "database"),
        };
        // A text without a colon has no password.
        let is_path = !url.is_empty() && !url.contains(':');
        let hint = if is_path { format!("; for a SQLite file, write sqlite://{url}") } else { String::new() };
        url.parse().map_err(|error| InvalidSetting::new(setting, format!("{error}{hint}")))
    }
}

/// `--statements`.
#[derive(Args)]
pub(super) struct StatementsArgument {
    /// Kind of statements sent to Postgres; use unnamed behind a transaction pooler such as PgBouncer
    #[arg(long, env = "MATCHBOOK_STATEMENTS", value_name = "HOW", value_enum, default_value = "prepared")]
    statements: StatementsChoice,
}

#[derive(Clone, Copy, ValueEnum)]
enum StatementsChoice {
    Prepared,
    Unnamed,
}

impl StatementsArgument {
    /// Returns the choice in the journal's terms.
    pub(super) fn read(&self) -> Statements {
        match self.statements {
            StatementsChoice::Prepared => Statements::Prepared,
            StatementsChoice::Unnamed => Statements::Unnamed,
        }
    }
}

/// `--replica-silence`.
#[derive(Args)]
pub(super) struct ReplicaSilenceArgument {
    /// Time without writes after which the other replicas consider a replica dead and close its writers. A
    /// replica writes a keep-alive at intervals of a third of this. Must be equal on all replicas
    #[arg(
        long,
        env = "MATCHBOOK_REPLICA_SILENCE",
        value_name = "DURATION",
        value_parser = duration_between("3s", "1h"),
        default_value = "1m"
    )]
    replica_silence: Duration,
}

impl ReplicaSilenceArgument {
    /// Returns the silence.
    pub(super) fn read(&self) -> Duration {
        self.replica_silence
    }
}
