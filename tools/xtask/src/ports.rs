//! Ports of 127.0.0.1 that stay free while a program restarts.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::ops::Range;

use anyhow::{Result, bail};

/// Below the range for outgoing connections. One of those could take the port while its program restarts, or
/// connect to itself while it waits for the program.
const PORTS: Range<u16> = 20_000..32_000;
const MAX_ATTEMPTS: u32 = 1000;

/// Returns a port that nobody listens on at the moment.
pub(crate) fn free_port() -> Result<u16> {
    for _ in 0..MAX_ATTEMPTS {
        let port = rand::random_range(PORTS);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no free port on 127.0.0.1 between {} and {}", PORTS.start, PORTS.end)
}

/// Returns `count` different free ports.
pub(crate) fn free_ports(count: usize) -> Result<Vec<u16>> {
    let mut ports = BTreeSet::new();
    while ports.len() < count {
        ports.insert(free_port()?);
    }
    Ok(ports.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_different_and_free() {
        let ports = free_ports(5).unwrap();
        let listeners: Vec<_> = ports.iter().map(|port| TcpListener::bind(("127.0.0.1", *port))).collect();
        assert!(listeners.len() == 5 && listeners.iter().all(Result::is_ok), "{listeners:?}");
    }
}
