//! The arguments of `healthcheck`.

use std::path::PathBuf;

use clap::Args;

use super::config_file::ConfigArgument;
use super::listen::ListenArgument;
use crate::health_client::{HealthProbe, HealthTransport};

/// Help texts of the flags that mean something else here than for `serve`.
const LISTEN: &str = "Address that the service listens on";
const HEALTH_LISTEN: &str = "Address of its health checks, to check instead of --listen";

const AFTER_HELP: &str = "\
Examples:
  matchbookd healthcheck
  matchbookd healthcheck --health-listen 127.0.0.1:7421 --live

Exit codes:
  0  serving
  2  invalid command line, environment or configuration file
  7  not serving";

/// The arguments of `healthcheck`.
#[derive(Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("listen", |flag| flag.help(LISTEN)),
    mut_arg("health_listen", |flag| flag.help(HEALTH_LISTEN))
)]
pub(crate) struct HealthcheckArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    listen: ListenArgument,

    /// TLS certificate of the service. The file is not read: with this flag the check connects over TLS
    #[arg(long, env = "MATCHBOOK_TLS_CERT", value_name = "PATH")]
    tls_cert: Option<PathBuf>,

    /// Check only that the process responds, whatever the state of its database; for liveness probes
    #[arg(long)]
    live: bool,
}

impl HealthcheckArguments {
    /// Returns the service's address for health checks.
    pub(crate) fn listen(&self) -> &str {
        self.listen.health_listen.as_ref().unwrap_or(&self.listen.listen)
    }

    /// Returns the setting that `listen` is the value of.
    pub(crate) fn listen_setting(&self) -> &'static str {
        if self.listen.health_listen.is_some() { "health-listen" } else { "listen" }
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
