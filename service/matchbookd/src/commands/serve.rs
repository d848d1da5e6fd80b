//! `matchbookd serve`: starts the service, and serves until a signal or a failure stops it.

use std::io::Write;

use sd_notify::NotifyState;
use server::telemetry::{OtlpSettings, TracePipeline};
use server::{Config, Server};

use super::init_log;
use crate::arguments::{self, MistypedVariable, ServeArguments};
use crate::exit_status::{CommandFailure, ExitStatus};
use crate::signals::StopSignals;
use crate::startup_banner::StartupBanner;

/// Serves until a signal arrives or the service cannot continue.
pub(crate) async fn serve(arguments: ServeArguments) -> Result<(), CommandFailure> {
    let otlp = OtlpSettings::from_environment().map_err(|error| CommandFailure::usage(&error))?;
    let traces = TracePipeline::new(&otlp).map_err(|error| CommandFailure::usage(&error))?;
    init_log(&arguments.log, &traces)?;
    for MistypedVariable { name, similar } in arguments::mistyped_variables() {
        tracing::warn!(name, "this variable is not a setting and has no effect; did you mean {similar}?");
    }
    // Installed before the start, so that a signal during it is not lost.
    let signals =
        StopSignals::install().map_err(|error| CommandFailure::new(ExitStatus::OtherFailure, &error))?;
    let config = arguments.config()?;
    let server = Server::start(Config { otlp, ..config }).await?;
    print_banner(&server);
    // The socket already listens: connections made before `serve` runs wait in its backlog.
    notify_systemd(NotifyState::Ready);
    let stop = async {
        signals.first().await;
        notify_systemd(NotifyState::Stopping);
    };
    let served = server.serve(stop).await;
    if served.is_ok() {
        tracing::info!("stopped");
    }
    traces.shut_down().await;
    served.map_err(|error| CommandFailure::new(ExitStatus::Stopped, &error))
}

fn print_banner(server: &Server) {
    let mut out = std::io::stdout().lock();
    // The parent may have closed the pipe; serve anyway.
    let _ = writeln!(out, "{}", StartupBanner(server)).and_then(|()| out.flush());
}

/// Notifies systemd if it started the process (`NOTIFY_SOCKET`). A failure does not stop the service.
fn notify_systemd(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "cannot notify systemd");
    }
}
