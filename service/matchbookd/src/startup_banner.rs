//! The text that `matchbookd serve` prints once it is up: addresses, access, storage, and commands to try.

use std::fmt;
use std::net::SocketAddr;

use server::{KeyFileOrigin, Server};

/// The port that clients use by default.
const DEFAULT_PORT: u16 = 7420;

/// The banner of a server, as its `Display`.
pub(crate) struct StartupBanner<'a>(pub(crate) &'a Server);

impl fmt::Display for StartupBanner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(server) = self;
        let address = server.address();
        let (scheme, transport) = match server.certificate_file() {
            Some(_) => ("https", "TLS"),
            None => ("http", "plaintext"),
        };
        let key = match server.key_file_origin() {
            KeyFileOrigin::Existing => "",
            // A database in memory is new at each start, and then takes any key.
            KeyFileOrigin::Created if !server.is_durable() => " (new)",
            KeyFileOrigin::Created => " (new; back it up: a database opens only with its key)",
        };
        writeln!(f, "Matchbook {} is up.\n", env!("CARGO_PKG_VERSION"))?;
        writeln!(f, "  gRPC      {address} ({transport}, with reflection and health)")?;
        writeln!(f, "  REST      {scheme}://{address} (reference at /docs, OpenAPI at /openapi.json)")?;
        if let Some(health) = server.health_address() {
            writeln!(f, "  health    {health} (plaintext, health checks only)")?;
        }
        writeln!(f, "  access    {}", Access(server))?;
        writeln!(f, "  database  {}", server.database())?;
        writeln!(f, "  key       {}{key}\n", server.key_file().display())?;
        writeln!(f, "Try next:")?;
        match server.certificate_file() {
            None => write!(f, "  grpcurl -plaintext")?,
            Some(certificate) => write!(f, "  grpcurl -cacert {}", certificate.display())?,
        }
        writeln!(f, " {} list", LocalAddress(address))?;
        let environment = ClientEnvironment(server);
        let client = client(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        if server.api_key_count() > 0 {
            writeln!(f, "  {environment}{client} login")?;
        }
        writeln!(f, "  {environment}{client} new --bots 2 --watch angels-and-demons")?;
        writeln!(f, "  {environment}{client} play\n")?;
        write!(f, "Press Ctrl-C to stop.")
    }
}

/// Returns how to run the client: by cargo, if cargo runs the service, otherwise as an installed program.
fn client(from_cargo: bool) -> &'static str {
    if from_cargo { "cargo run --release --bin matchbook --" } else { "matchbook" }
}

/// The server's address as a client on this machine connects to it.
struct LocalAddress(SocketAddr);

impl fmt::Display for LocalAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(address) = self;
        if address.ip().is_unspecified() {
            // No certificate names 0.0.0.0.
            return write!(f, "localhost:{}", address.port());
        }
        address.fmt(f)
    }
}

/// Who may call, with the risks in capitals.
struct Access<'a>(&'a Server);

impl fmt::Display for Access<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(server) = self;
        let exposed = !server.address().ip().is_loopback();
        match (server.api_key_count(), exposed) {
            (0, false) => return write!(f, "this machine only"),
            (0, true) => {
                return write!(f, "OPEN: anyone who can reach the address can create and watch matches");
            }
            (1, _) => write!(f, "1 API key")?,
            (count, _) => write!(f, "{count} API keys")?,
        }
        if exposed && server.certificate_file().is_none() {
            write!(f, "; PLAINTEXT: keys and tokens cross the network unencrypted unless a proxy adds TLS")?;
        }
        Ok(())
    }
}

/// The variables that the client needs where its defaults do not fit.
struct ClientEnvironment<'a>(&'a Server);

impl fmt::Display for ClientEnvironment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(server) = self;
        let address = LocalAddress(server.address());
        if let Some(certificate) = server.certificate_file() {
            let certificate = certificate.display();
            return write!(f, "MATCHBOOK_SERVER=https://{address} MATCHBOOK_CA_CERT={certificate} ");
        }
        if address.0.ip().is_loopback() && address.0.port() == DEFAULT_PORT {
            return Ok(());
        }
        write!(f, "MATCHBOOK_SERVER=http://{address} ")
    }
}

#[cfg(test)]
mod tests {
    use super::client;

    #[test]
    fn only_a_service_that_cargo_runs_suggests_cargo() {
        assert_eq!(client(false), "matchbook");
        assert!(client(true).ends_with("cargo run --release --bin matchbook --"));
    }
}
