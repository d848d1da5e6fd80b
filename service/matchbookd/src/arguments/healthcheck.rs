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
    /// Returns the `--listen` value of the service.
    pub(crate) fn listen(&self) -> &str {
        &self.listen.listen
    }

    /// Returns the property to check.
    pub(crate) fn probe(&self) -> HealthProbe {
        if self.live { HealthProbe::Liveness } else { HealthProbe::Readiness }
    }

    /// Returns the transport to connect with.
    pub(crate) fn transport(&self) -> HealthTransport {
        if self.tls_cert.is_some() { HealthTransport::Tls } else { HealthTransport::Plaintext }
    }
}
