//! Where the log goes: standard error, as lines for people or as JSON. OpenTelemetry's layer will stand beside these.

use std::io::{self, IsTerminal};
use std::panic;

use tracing_subscriber::filter::ParseError;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people
    Text,
    /// One JSON object a line, for programs
    Json,
}

/// The filter does not parse.
#[derive(Debug, thiserror::Error)]
#[error(
    "--log takes a level (error, warn, info, debug, trace) or a filter such as info,play=debug, and not `{filter}`: \
     {cause}"
)]
pub struct FilterError {
    filter: String,
    cause: ParseError,
}

/// At `debug` these would drown everything else; a filter that names one of them still has its way.
const LIBRARIES: &str =
    "h2=info,hyper=info,hyper_util=info,opentelemetry=warn,sqlx=warn,tonic=info,tower=info";

/// Begins to log what the filter lets through. Once a process.
pub fn begin(filter: &str, format: LogFormat) -> Result<(), FilterError> {
    let filter = EnvFilter::builder()
        .parse(format!("{LIBRARIES},{filter}"))
        .map_err(|cause| FilterError { filter: filter.to_owned(), cause })?;
    let lines: Box<dyn Layer<Registry> + Send + Sync> = match format {
        LogFormat::Text => fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => fmt::layer().with_writer(io::stderr).json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
    log_panics();
    Ok(())
}

/// A panic is caught and answered elsewhere; here it leaves its trace in the same log, with the call that it hit.
fn log_panics() {
    panic::set_hook(Box::new(|info| {
        let location = info.location().map(ToString::to_string).unwrap_or_default();
        // Not its text: it could repeat a secret of the state that it met.
        tracing::error!(panic.location = location, "a panic: this is a bug");
    }));
}
