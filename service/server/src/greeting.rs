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
        let access = if address.ip().is_loopback() {
            "this machine only"
        } else {
            "OPEN: whoever reaches the address can create and watch matches"
        };
        writeln!(f, "Matchbook {} is up.\n", env!("CARGO_PKG_VERSION"))?;
        writeln!(f, "  gRPC      {address} (plaintext, with reflection and health)")?;
        writeln!(f, "  REST      http://{address} (described at /docs, and for programs at /openapi.json)")?;
        writeln!(f, "  access    {access}")?;
        writeln!(f, "  database  {}", server.journal.description())?;
        writeln!(f, "  key       {}{key}\n", server.key_file.path.display())?;
        writeln!(f, "Try next:")?;
        writeln!(f, "  grpcurl -plaintext {address} list")?;
        let elsewhere = ClientEnvironment(address);
        writeln!(f, "  {elsewhere}cargo run --release -p cli -- new --bots 2 --watch angels-and-demons\n")?;
        write!(f, "Ctrl-C stops it.")
    }
}

/// What the client has to be told when the service is not where it looks.
struct ClientEnvironment(SocketAddr);

impl fmt::Display for ClientEnvironment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(address) = self;
        if address.ip().is_loopback() && address.port() == DEFAULT_PORT {
            return Ok(());
        }
        write!(f, "MATCHBOOK_SERVER=http://{address} ")
    }
}
