//! What systemd is told of a service of `Type=notify`: that it serves, that it stops. Without NOTIFY_SOCKET nobody asks.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// What there is to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// Calls are answered from now on.
    Ready,
    /// The end has begun.
    Stopping,
}

impl Notice {
    fn text(self) -> &'static str {
        match self {
            Self::Ready => "READY=1",
            Self::Stopping => "STOPPING=1",
        }
    }
}

/// Tells systemd, if it listens. A failure is logged: the service serves all the same.
pub fn notify(notice: Notice) {
    if let Some(socket) = env::var_os("NOTIFY_SOCKET").filter(|socket| !socket.is_empty())
        && let Err(error) = send(&socket, notice)
    {
        tracing::warn!(%error, "systemd can't be told {}", notice.text());
    }
}

fn send(socket: &OsString, notice: Notice) -> io::Result<()> {
    UnixDatagram::unbound()?.send_to_addr(notice.text().as_bytes(), &address(socket)?).map(drop)
}

/// A path, or a name without a file that is written with `@` in front.
fn address(socket: &OsStr) -> io::Result<SocketAddr> {
    match socket.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name),
        None => SocketAddr::from_pathname(socket),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(listener: &UnixDatagram) -> String {
        let mut bytes = [0; 64];
        let length = listener.recv(&mut bytes).unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    }

    #[test]
    fn both_kinds_of_sockets_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let listener = UnixDatagram::bind(&path).unwrap();
        send(&path.into_os_string(), Notice::Ready).unwrap();
        assert_eq!(heard(&listener), "READY=1");

        let name = format!("matchbook-test-{}", std::process::id());
        let listener = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        send(&format!("@{name}").into(), Notice::Stopping).unwrap();
        assert_eq!(heard(&listener), "STOPPING=1");
    }
}
