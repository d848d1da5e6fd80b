//! A TCP proxy between replicas and Postgres. Cutting its connections loses responses to commits that
//! Postgres executes.

use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{io, thread};

use anyhow::{Context, Result};

/// A proxy that runs as long as this process.
pub(super) struct Proxy {
    port: u16,
    open: Arc<Mutex<Vec<Connection>>>,
}

struct Connection {
    client: TcpStream,
    server: TcpStream,
}

impl Proxy {
    /// Starts a proxy to a port of 127.0.0.1.
    pub(super) fn to(port: u16) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).context("no free port on 127.0.0.1")?;
        let proxy = Self { port: listener.local_addr()?.port(), open: Arc::default() };
        let open = Arc::clone(&proxy.open);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // While Postgres is down, clients see a closed connection.
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                // A connection that cannot be set up is dropped; its client sees a cut.
                let _ = connect(&client, &server, &open);
            }
        });
        Ok(proxy)
    }

    /// Returns the port on 127.0.0.1.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Cuts all connections and returns their number.
    pub(super) fn cut(&self) -> usize {
        let cut = std::mem::take(&mut *lock(&self.open));
        let alive = cut.iter().filter(|connection| connection.cut().is_ok());
        alive.count()
    }
}

impl Connection {
    fn cut(&self) -> io::Result<()> {
        // The replica's side first, so that no further response reaches it.
        self.client.shutdown(Shutdown::Both)?;
        // Fails if a copying thread has already shut it down.
        let _ = self.server.shutdown(Shutdown::Both);
        Ok(())
    }
}

/// Starts copying in both directions, after registering the connection for cuts.
fn connect(client: &TcpStream, server: &TcpStream, open: &Mutex<Vec<Connection>>) -> io::Result<()> {
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let requests = (client.try_clone()?, server.try_clone()?);
    let responses = (server.try_clone()?, client.try_clone()?);
    lock(open).push(Connection { client: client.try_clone()?, server: server.try_clone()? });
    copy(requests.0, requests.1);
    copy(responses.0, responses.1);
    Ok(())
}

fn copy(mut from: TcpStream, mut to: TcpStream) {
    thread::spawn(move || {
        // An error is expected here: either side's end closes both.
        let _ = io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    });
}

fn lock(open: &Mutex<Vec<Connection>>) -> MutexGuard<'_, Vec<Connection>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn bytes_pass_until_the_connections_are_cut() {
        let echo = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = echo.local_addr().unwrap().port();
        thread::spawn(move || {
            for stream in echo.incoming().flatten() {
                let mut back = stream.try_clone().unwrap();
                thread::spawn(move || io::copy(&mut { stream }, &mut back));
            }
        });
        let proxy = Proxy::to(port).unwrap();
        for _ in 0..2 {
            let mut client = TcpStream::connect(("127.0.0.1", proxy.port())).unwrap();
            client.write_all(b"move").unwrap();
            let mut echoed = [0; 4];
            client.read_exact(&mut echoed).unwrap();
            assert_eq!(&echoed, b"move");
            assert_eq!(proxy.cut(), 1);
            assert!(matches!(client.read(&mut echoed), Ok(0) | Err(_)));
        }
    }
}
