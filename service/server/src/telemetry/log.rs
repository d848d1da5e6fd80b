//! The log: to standard error, as text or JSON.

use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::panic;

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

use super::last_fields::LastFields;
use super::log_format::LogFormat;
use super::trace_ids::WithTraceIds;
use super::traces::TracePipeline;

/// An invalid log filter.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{filter}` is not a log filter: {cause}; pass a level (off, error, warn, info, debug, trace) or \
     directives such as info,play=debug"
)]
pub struct LogFilterError {
    filter: String,
    cause: String,
}

impl LogFilterError {
    fn new(filter: &str, cause: impl Display) -> Self {
        Self { filter: filter.to_owned(), cause: cause.to_string() }
    }
}

/// Keeps libraries quiet at `debug`; directives of the user's filter override these. `h2` warns of what a
/// caller's frames do wrong, so that anyone who connects could fill the log.
const LIBRARY_DIRECTIVES: &str =
    "h2=error,hyper=info,hyper_util=info,opentelemetry=warn,sqlx=warn,tonic=info,tower=info";

/// Installs the global subscriber: logs the filtered events and exports spans through `traces`. Call it once
/// per process.
pub fn init_log(filter: &str, format: LogFormat, traces: &TracePipeline) -> Result<(), LogFilterError> {
    if let Some(word) = unknown_level(filter) {
        return Err(LogFilterError::new(filter, format_args!("there is no level `{word}`")));
    }
    // The spans of a call's steps are only for traces; as log context they would repeat on every line.
    let filter = EnvFilter::builder()
        .parse(format!("{LIBRARY_DIRECTIVES},{}=off,{filter}", play::STEPS))
        .map_err(|cause| LogFilterError::new(filter, cause))?;
    if traces.is_enabled() {
        let lines = lines_with_ids(format).with_filter(filter);
        tracing_subscriber::registry().with(lines).with(traces.layer()).init();
    } else {
        // A filter of everything, not of a layer: spans that no line shows are then never made.
        tracing_subscriber::registry().with(lines(format).and_then(filter)).init();
    }
    log_panics();
    Ok(())
}

/// Returns a directive that is a word alone and not a level. The filter's parser takes it for a target and
/// would log all of it and nothing else: a mistyped level would silence the log.
fn unknown_level(filter: &str) -> Option<&str> {
    // The commas of a span's fields separate no directives.
    if filter.contains(['[', '{']) {
        return None;
    }
    let words = filter.split(',').map(str::trim);
    let mut words = words.filter(|word| !word.is_empty() && !word.contains('='));
    words.find(|word| word.parse::<LevelFilter>().is_err())
}

type Lines = Box<dyn Layer<Registry> + Send + Sync>;

/// Returns the layer that writes log lines.
fn lines(format: LogFormat) -> Lines {
    match format {
        LogFormat::Text => fmt::layer()
            .fmt_fields(LastFields::default())
            .with_writer(io::stderr)
            .with_ansi(io::stderr().is_terminal())
            .boxed(),
        LogFormat::Json => fmt::layer().with_writer(io::stderr).json().flatten_event(true).boxed(),
    }
}

/// Returns the layer that writes lines with trace and span ids.
fn lines_with_ids(format: LogFormat) -> Lines {
    let colours = io::stderr().is_terminal();
    match format {
        LogFormat::Text => fmt::layer()
            .fmt_fields(LastFields::default())
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

#[cfg(test)]
mod tests {
    use super::unknown_level;

    #[test]
    fn a_word_alone_is_a_level() {
        for filter in ["info", "OFF", "", "info,play=debug", "play=debug, warn", "[call{a=1,b}]=trace"] {
            assert_eq!(unknown_level(filter), None, "{filter}");
        }
        for (filter, word) in [("inof", "inof"), ("info,play", "play"), ("play=debug, wran", "wran")] {
            assert_eq!(unknown_level(filter), Some(word), "{filter}");
        }
    }
}
