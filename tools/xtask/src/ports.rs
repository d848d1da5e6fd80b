//! Free ports of 127.0.0.1 that stay free while their program is away.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::ops::Range;

use anyhow::{Result, bail};

/// Below those that systems give to outgoing connections: one of these could take a port while its program restarts,
/// or even connect to itself while it waits for that.
const PORTS: Range<u16> = 20_000..32_000;
const ATTEMPTS: u32 = 1000;

/// One that nobody listens on, as yet.
pub(crate) fn free_port() -> Result<u16> {
    for _ in 0..ATTEMPTS {
        let port = rand::random_range(PORTS);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no free port on 127.0.0.1 from {} to {}", PORTS.start, PORTS.end)
}

/// So many different ones.
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
