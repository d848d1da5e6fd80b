//! The argument that names the service's address.

use clap::Args;

/// `--listen`.
#[derive(Args)]
pub(super) struct ListenArgument {
    /// Address to listen on; port 0 picks a free port
    #[arg(long, env = "MATCHBOOK_LISTEN", value_name = "HOST:PORT", default_value = "127.0.0.1:7420")]
    pub(super) listen: String,
}
