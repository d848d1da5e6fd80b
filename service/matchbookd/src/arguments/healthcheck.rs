//! The arguments of `healthcheck`.

use std::path::PathBuf;

use clap::Args;

use super::config_file::ConfigArgument;
use super::listen::ListenArgument;
use crate::health_client::{HealthProbe, HealthTransport};

/// The arguments of `healthcheck`.
#[derive(Args)]
pub(crate) struct HealthcheckArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    listen: ListenArgument,

    /// TLS certificate that the service was started with; only its presence matters: the check then connects
    /// over TLS
    #[arg(long, env = "MATCHBOOK_TLS_CERT", value_name = "PATH")]
    tls_cert: Option<PathBuf>,

    /// Check only that the process responds, not that its database does; for liveness probes
    #[arg(long)]
    live: bool,
}

impl HealthcheckArguments {
    /// Returns the service's address for health checks.
    pub(crate) fn listen(&self) -> &str {
        self.listen.health_listen.as_ref().unwrap_or(&self.listen.listen)
    }

    /// Returns the property to check.
    pub(crate) fn probe(&self) -> HealthProbe {
        if self.live { HealthProbe::Liveness } else { HealthProbe::Readiness }
    }

    /// Returns the transport to connect with.
    pub(crate) fn transport(&self) -> HealthTransport {
        match (&self.listen.health_listen, &self.tls_cert) {
            (None, Some(_)) => HealthTransport::Tls,
            (Some(_), _) | (None, None) => HealthTransport::Plaintext,
        }
    }
}
