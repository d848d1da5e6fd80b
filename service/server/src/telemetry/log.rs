//! The log: to standard error, as text or JSON.

use std::io::{self, IsTerminal};
use std::panic;

use tracing_subscriber::filter::ParseError;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

use super::log_format::LogFormat;
use super::trace_ids::WithTraceIds;
use super::traces::TracePipeline;

/// An invalid log filter.
#[derive(Debug, thiserror::Error)]
#[error(
    "--log `{filter}` is invalid: {cause}; pass a level (error, warn, info, debug, trace) or directives such \
     as info,play=debug"
)]
pub struct LogFilterError {
    filter: String,
    cause: ParseError,
}

/// Keeps libraries quiet at `debug`; directives of the user's filter override these.
const LIBRARY_DIRECTIVES: &str =
    "h2=info,hyper=info,hyper_util=info,opentelemetry=warn,sqlx=warn,tonic=info,tower=info";

/// Installs the global subscriber: logs the filtered events and exports spans through `traces`. Call it once
/// per process.
pub fn init_log(filter: &str, format: LogFormat, traces: &TracePipeline) -> Result<(), LogFilterError> {
    // The spans of a call's steps are only for traces; as log context they would repeat on every line.
    let filter = EnvFilter::builder()
        .parse(format!("{LIBRARY_DIRECTIVES},{}=off,{filter}", play::STEPS))
        .map_err(|cause| LogFilterError { filter: filter.to_owned(), cause })?;
    let lines = if traces.is_enabled() { lines_with_ids(format) } else { lines(format) };
    tracing_subscriber::registry().with(lines.with_filter(filter)).with(traces.layer()).init();
    log_panics();
    Ok(())
}

type Lines = Box<dyn Layer<Registry> + Send + Sync>;

/// Returns the layer that writes log lines.
fn lines(format: LogFormat) -> Lines {
    match format {
        LogFormat::Text => fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => fmt::layer().with_writer(io::stderr).json().flatten_event(true).boxed(),
    }
}

/// Returns the layer that writes lines with trace and span ids.
fn lines_with_ids(format: LogFormat) -> Lines {
    let colours = io::stderr().is_terminal();
    match format {
        LogFormat::Text => fmt::layer()
            .with_writer(io::stderr)
            .with_ansi(colours)
            .map_event_format(|lines| WithTraceIds::new(lines.with_ansi(colours), format))
            .boxed(),
        LogFormat::Json => fmt::layer()
            .with_writer(io::stderr)
            .json()
            .flatten_event(true)
            .map_event_format(|lines| WithTraceIds::new(lines, format))
            .boxed(),
    }
}

/// Logs panics in the context of their call. Other code catches them and responds.
fn log_panics() {
    panic::set_hook(Box::new(|info| {
        let location = info.location().map(ToString::to_string).unwrap_or_default();
        // Omits the message, which could repeat a secret of the state.
        tracing::error!(panic.location = location, "panicked; this is a bug");
    }));
}
