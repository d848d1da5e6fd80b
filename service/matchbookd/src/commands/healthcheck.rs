//! `matchbookd healthcheck`: checks the service on this machine.

use super::print;
use crate::arguments::HealthcheckArguments;
use crate::exit_status::{CommandFailure, ExitStatus};
use crate::health_client::{self, HealthError, HealthProbe};

/// Fails unless the service responds as healthy.
pub(crate) async fn healthcheck(arguments: &HealthcheckArguments) -> Result<(), CommandFailure> {
    let probe = arguments.probe();
    let address =
        health_client::check(arguments.listen(), arguments.transport(), probe).await.map_err(|error| {
            let setting = matches!(error, HealthError::Address(_)).then(|| arguments.listen_setting());
            CommandFailure::new(ExitStatus::NotServing, &error).caused_by(setting)
        })?;
    let state = match probe {
        HealthProbe::Readiness => "serving",
        HealthProbe::Liveness => "alive",
    };
    // The exit code answers too.
    let _ = print(&format!("{state} at {address}\n"));
    Ok(())
}
