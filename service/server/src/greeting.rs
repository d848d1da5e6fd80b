//! What a person sees when the service is up: what is on, where, and what to try next.

use std::fmt;
use std::net::SocketAddr;

use crate::Server;
use crate::key_file::Origin;

const DEFAULT_PORT: u16 = 7420;

struct Greeting<'a>(&'a Server);

impl Server {
    /// The block of text that `matchbookd serve` prints once it is up.
    pub fn greeting(&self) -> impl fmt::Display {
        Greeting(self)
    }
}

impl fmt::Display for Greeting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = self.0;
        let address = server.address();
        let key = match server.key_file.origin {
            Origin::Found => "",
            Origin::Made => " (new; keep it with the database, which opens with no other)",
        };
        let transport = if server.tls.is_some() { "TLS" } else { "plaintext" };
        writeln!(f, "Matchbook {} is up.\n", env!("CARGO_PKG_VERSION"))?;
        writeln!(f, "  gRPC      {address} ({transport}, with reflection and health)")?;
        writeln!(f, "  access    {}", Access(server))?;
        writeln!(f, "  database  {}", server.journal.description())?;
        writeln!(f, "  key       {}{key}\n", server.key_file.path.display())?;
        writeln!(f, "Try next:")?;
        match &server.tls {
            None => write!(f, "  grpcurl -plaintext")?,
            Some(tls) => write!(f, "  grpcurl -cacert {}", tls.certificate_file().display())?,
        }
        writeln!(f, " {} list", Reachable(address))?;
        let elsewhere = ClientEnvironment(server);
        writeln!(f, "  {elsewhere}cargo run --release -p cli -- new --bots 2 --watch angels-and-demons\n")?;
        write!(f, "Ctrl-C stops it.")
    }
}

/// The address as a program on this machine reaches it.
struct Reachable(SocketAddr);

impl fmt::Display for Reachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(address) = self;
        if address.ip().is_unspecified() {
            // No certificate names 0.0.0.0.
            return write!(f, "localhost:{}", address.port());
        }
        address.fmt(f)
    }
}

/// Who may come in, said louder the more there is to say.
struct Access<'a>(&'a Server);

impl fmt::Display for Access<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(server) = self;
        let exposed = !server.address().ip().is_loopback();
        match (server.api_keys, exposed) {
            (0, false) => return write!(f, "this machine only"),
            (0, true) => return write!(f, "OPEN: whoever reaches the address can create and watch matches"),
            (1, _) => write!(f, "1 API key")?,
            (count, _) => write!(f, "{count} API keys")?,
        }
        if exposed && server.tls.is_none() {
            write!(
                f,
                "; PLAINTEXT: keys and tokens can be read on the way, unless a proxy in front does TLS"
            )?;
        }
        Ok(())
    }
}

/// What the client has to be told when the service is not where it looks.
struct ClientEnvironment<'a>(&'a Server);

impl fmt::Display for ClientEnvironment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(server) = self;
        let address = Reachable(server.address());
        if let Some(tls) = &server.tls {
            let certificate = tls.certificate_file().display();
            return write!(f, "MATCHBOOK_SERVER=https://{address} MATCHBOOK_CA_CERT={certificate} ");
        }
        if address.0.ip().is_loopback() && address.0.port() == DEFAULT_PORT {
            return Ok(());
        }
        write!(f, "MATCHBOOK_SERVER=http://{address} ")
    }
}
