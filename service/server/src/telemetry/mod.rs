//! What the service tells of itself while it runs. Here: the log, to standard error, as lines for people or as JSON. Traces
//! and metrics go to a collector where somebody says so (`otlp`).

mod courier;
mod line;
mod otlp;
mod sampling;
mod spans;
pub(crate) mod traceparent;

use std::io::{self, IsTerminal};
use std::panic;

use tracing_subscriber::filter::ParseError;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

use line::WithIds;

pub(crate) use otlp::resource;
pub use otlp::{OtlpError, OtlpSettings};
pub use spans::TracePipeline;
pub(crate) use spans::{CALL, bounded, ended};

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Human-readable lines
    Text,
    /// One JSON object per line
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

/// Begins to log what the filter lets through, and to send the spans that are wanted. Once a process.
pub fn init_log(filter: &str, format: LogFormat, traces: &TracePipeline) -> Result<(), FilterError> {
    // The steps of calls are spans for traces; every line would repeat them.
    let filter = EnvFilter::builder()
        .parse(format!("{LIBRARIES},{}=off,{filter}", play::STEPS))
        .map_err(|cause| FilterError { filter: filter.to_owned(), cause })?;
    let lines = if traces.are_sent() { lines_with_ids(format) } else { lines(format) };
    tracing_subscriber::registry().with(lines.with_filter(filter)).with(traces.layer()).init();
    log_panics();
    Ok(())
}

type Lines = Box<dyn Layer<Registry> + Send + Sync>;

fn lines(format: LogFormat) -> Lines {
    match format {
        LogFormat::Text => fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => fmt::layer().with_writer(io::stderr).json().flatten_event(true).boxed(),
    }
}

/// The same, each with the ids of its trace and span.
fn lines_with_ids(format: LogFormat) -> Lines {
    let colours = io::stderr().is_terminal();
    match format {
        LogFormat::Text => fmt::layer()
            .with_writer(io::stderr)
            .with_ansi(colours)
            .map_event_format(|lines| WithIds::new(lines.with_ansi(colours), format))
            .boxed(),
        LogFormat::Json => fmt::layer()
            .with_writer(io::stderr)
            .json()
            .flatten_event(true)
            .map_event_format(|lines| WithIds::new(lines, format))
            .boxed(),
    }
}

/// A panic is caught and answered elsewhere; here it leaves its trace in the same log, with the call that it hit.
fn log_panics() {
    panic::set_hook(Box::new(|info| {
        let location = info.location().map(ToString::to_string).unwrap_or_default();
        // Not its text: it could repeat a secret of the state that it met.
        tracing::error!(panic.location = location, "a panic: this is a bug");
    }));
}
