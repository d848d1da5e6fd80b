//! The line between replicas and Postgres: lets everything through, and can be cut, so that an answer to a commit is
//! lost while Postgres carries the commit out.

use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{io, thread};

use anyhow::{Context, Result};

/// A line that lives as long as this process.
pub(super) struct Line {
    port: u16,
    open: Arc<Mutex<Vec<Connection>>>,
}

struct Connection {
    client: TcpStream,
    server: TcpStream,
}

impl Line {
    /// A new one to a port of 127.0.0.1.
    pub(super) fn to(port: u16) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).context("no free port on 127.0.0.1")?;
        let line = Self { port: listener.local_addr()?.port(), open: Arc::default() };
        let open = Arc::clone(&line.open);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // While Postgres is away its clients see a closed connection.
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                // One that can't be set up is dropped, which its client sees as a cut.
                let _ = connect(&client, &server, &open);
            }
        });
        Ok(line)
    }

    /// Where it listens on 127.0.0.1.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Cuts every connection; how many there were.
    pub(super) fn cut(&self) -> usize {
        let cut = std::mem::take(&mut *held(&self.open));
        let alive = cut.iter().filter(|connection| connection.cut().is_ok());
        alive.count()
    }
}

impl Connection {
    fn cut(&self) -> io::Result<()> {
        // The replica first: what Postgres still answers must not reach it.
        self.client.shutdown(Shutdown::Both)?;
        // Whoever passes things on may have noticed already, and done the same.
        let _ = self.server.shutdown(Shutdown::Both);
        Ok(())
    }
}

/// Begins to let everything through, both ways. From the first byte on the connection is one that can be cut.
fn connect(client: &TcpStream, server: &TcpStream, open: &Mutex<Vec<Connection>>) -> io::Result<()> {
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let requests = (client.try_clone()?, server.try_clone()?);
    let answers = (server.try_clone()?, client.try_clone()?);
    held(open).push(Connection { client: client.try_clone()?, server: server.try_clone()? });
    pass(requests.0, requests.1);
    pass(answers.0, answers.1);
    Ok(())
}

fn pass(mut from: TcpStream, mut to: TcpStream) {
    thread::spawn(move || {
        // A broken line is what this is about; either end of it ends both.
        let _ = io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    });
}

fn held(open: &Mutex<Vec<Connection>>) -> MutexGuard<'_, Vec<Connection>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn everything_passes_until_the_line_is_cut() {
        let echo = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = echo.local_addr().unwrap().port();
        thread::spawn(move || {
            for stream in echo.incoming().flatten() {
                let mut back = stream.try_clone().unwrap();
                thread::spawn(move || io::copy(&mut { stream }, &mut back));
            }
        });
        let line = Line::to(port).unwrap();
        for _ in 0..2 {
            let mut client = TcpStream::connect(("127.0.0.1", line.port())).unwrap();
            client.write_all(b"move").unwrap();
            let mut echoed = [0; 4];
            client.read_exact(&mut echoed).unwrap();
            assert_eq!(&echoed, b"move");
            assert_eq!(line.cut(), 1);
            assert!(matches!(client.read(&mut echoed), Ok(0) | Err(_)));
        }
    }
}
