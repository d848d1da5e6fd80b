//! The arguments that name the service's addresses.

use clap::Args;

/// `--listen` and `--health-listen`.
#[derive(Args)]
pub(super) struct ListenArgument {
    /// Address to listen on; port 0 picks a free port
    #[arg(long, env = "MATCHBOOK_LISTEN", value_name = "HOST:PORT", default_value = "127.0.0.1:7420")]
    pub(super) listen: String,

    /// Additional address for health checks alone (gRPC health, /livez, /readyz), without TLS. Clients of the
    /// service cannot use up its connections; default: none
    #[arg(long, env = "MATCHBOOK_HEALTH_LISTEN", value_name = "HOST:PORT")]
    pub(super) health_listen: Option<String>,
}
