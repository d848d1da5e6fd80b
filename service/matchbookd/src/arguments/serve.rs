//! The arguments of `serve`, which are all settings of the service.

use clap::{Args, ValueEnum};
use server::{Config, CorsOrigins, Migrations, ServiceLimits, WebhookConfig};

use super::access::AccessArguments;
use super::archive::ArchiveReadArguments;
use super::config_file::ConfigArgument;
use super::database::{DatabaseArgument, ReplicaSilenceArgument, StatementsArgument};
use super::invalid_setting::InvalidSetting;
use super::key::KeyFileArgument;
use super::listen::ListenArgument;
use super::log::LogArguments;
use super::signing::SigningArguments;
use crate::configuration::PrintFormat;

/// The arguments of `serve`.
#[derive(Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    config: ConfigArgument,

    /// Print the effective configuration as a file for --config, with the source of each value, and exit
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "toml"
    )]
    pub(super) print_config: Option<PrintFormat>,

    #[command(flatten)]
    listen: ListenArgument,

    #[command(flatten)]
    database: DatabaseArgument,

    // A string, as clap repeats what it cannot parse and a URL may contain a password.
    /// URL of a streaming replica of the Postgres database, for reads that tolerate lag: past events, the
    /// feed, the directory. It may lag or be down; no decision depends on it
    #[arg(long, env = "MATCHBOOK_READ_DATABASE_URL", hide_env_values = true, value_name = "URL")]
    read_database: Option<String>,

    /// What to do at startup if the database needs a newer schema
    #[arg(long, env = "MATCHBOOK_MIGRATIONS", value_name = "HOW", value_enum, default_value = "apply")]
    migrations: MigrationsChoice,

    #[command(flatten)]
    statements: StatementsArgument,

    #[command(flatten)]
    silence: ReplicaSilenceArgument,

    #[command(flatten)]
    key_file: KeyFileArgument,

    #[command(flatten)]
    archive: ArchiveReadArguments,

    #[command(flatten)]
    access: AccessArguments,

    /// Web origins allowed to call the service from a browser: https://play.example,http://localhost:5173, or
    /// * for all
    #[arg(long, env = "MATCHBOOK_CORS_ORIGINS", value_name = "ORIGINS", default_value = "")]
    cors_origins: CorsOrigins,

    #[command(flatten)]
    signing: SigningArguments,

    #[command(flatten)]
    pub(crate) log: LogArguments,

    #[command(flatten)]
    webhooks: WebhookConfig,

    #[command(flatten)]
    limits: ServiceLimits,
}

#[derive(Clone, Copy, ValueEnum)]
enum MigrationsChoice {
    /// Upgrade it
    Apply,
    /// Refuse to start, for a role that may not alter tables; their owner runs `matchbookd migrate`
    Require,
}

impl ServeArguments {
    /// Builds the server's configuration, reading the files that it names.
    pub(crate) fn config(self) -> Result<Config, InvalidSetting> {
        let migrations = match self.migrations {
            MigrationsChoice::Apply => Migrations::Apply,
            MigrationsChoice::Require => Migrations::Require,
        };
        let database = self.database.read()?.migrations(migrations).statements(self.statements.read());
        let database = database.replica_silence(self.silence.read());
        let database = match &self.read_database {
            None => database,
            Some(url) => {
                database.read_from(url).map_err(|error| InvalidSetting::new("read-database", error))?
            }
        };
        let ListenArgument { listen, health_listen } = self.listen;
        let config = Config { health_listen, ..Config::new(listen, database) };
        let (key_file, limits, cors_origins) = (self.key_file.key_file, self.limits, self.cors_origins);
        let (signing, webhooks, archive) = (self.signing.read()?, self.webhooks, self.archive.read());
        let config = Config { key_file, limits, cors_origins, signing, webhooks, archive, ..config };
        self.access.configure(config)
    }
}
