//! The arguments of the log.

use clap::Args;
use server::telemetry::LogFormat;

/// What to log to standard error, and in which format.
#[derive(Args)]
#[command(next_help_heading = "Logging")]
pub(crate) struct LogArguments {
    /// Log filter for standard error: a level, or directives such as info,play=debug
    #[arg(long = "log", env = "MATCHBOOK_LOG", value_name = "FILTER", default_value = "info")]
    pub(crate) filter: String,

    /// Log format
    #[arg(long = "log-format", env = "MATCHBOOK_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub(crate) format: LogFormat,
}
