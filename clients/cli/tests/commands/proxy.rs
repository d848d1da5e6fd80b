//! A TCP proxy whose connections can be cut.

use std::io::{Read, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// A proxy between a client and the service. It accepts connections as long as the test's process runs.
pub(crate) struct Proxy {
    address: SocketAddr,
    open: Arc<Mutex<Vec<TcpStream>>>,
    accepted: Arc<AtomicUsize>,
    upstream: Arc<Mutex<String>>,
}

impl Proxy {
    /// Forwards to `upstream`; cuts each connection after `limit` bytes to the client, if given.
    pub(crate) fn start(upstream: &str, limit: Option<usize>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let proxy = Self {
            address: listener.local_addr().expect("it is bound"),
            open: Arc::default(),
            accepted: Arc::default(),
            upstream: Arc::new(Mutex::new(upstream.to_owned())),
        };
        let (open, accepted, upstream) = (proxy.open.clone(), proxy.accepted.clone(), proxy.upstream.clone());
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let address = upstream.lock().expect("no holder panics").clone();
                // A service that is away cuts the connection.
                let Ok(service) = TcpStream::connect(address) else { continue };
                accepted.fetch_add(1, Ordering::SeqCst);
                open.lock().expect("no holder panics").extend([clone(&client), clone(&service)]);
                let (from_client, to_service) = (clone(&client), clone(&service));
                thread::spawn(move || forward(from_client, to_service, None));
                thread::spawn(move || forward(service, client, limit));
            }
        });
        proxy
    }

    /// Returns the URL for clients.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Forwards later connections to another service.
    pub(crate) fn forward_to(&self, upstream: &str) {
        upstream.clone_into(&mut self.upstream.lock().expect("no holder panics"));
    }

    /// Cuts all open connections.
    pub(crate) fn cut(&self) {
        for stream in self.open.lock().expect("no holder panics").drain(..) {
            // It may be closed already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Returns the number of connections so far.
    pub(crate) fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }
}

fn clone(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a socket can be shared")
}

/// Forwards bytes until one side closes or the limit is reached, then cuts both.
fn forward(mut from: TcpStream, mut to: TcpStream, limit: Option<usize>) {
    let mut left = limit.unwrap_or(usize::MAX);
    let mut buffer = [0; 4096];
    while left > 0 {
        let Ok(count @ 1..) = from.read(&mut buffer) else { break };
        let count = count.min(left);
        left -= count;
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    for stream in [from, to] {
        // It may be closed already.
        let _ = stream.shutdown(Shutdown::Both);
    }
}
