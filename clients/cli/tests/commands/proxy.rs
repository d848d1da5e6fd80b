//! A TCP proxy whose connections can be cut and whose answers can be lost.

use std::io::{Read, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

/// Acknowledgements of HTTP/2's settings and windows are shorter, and answers are longer.
const SHORTEST_ANSWER: usize = 100;

/// A proxy between a client and the service. It accepts connections as long as the test's process runs.
pub(crate) struct Proxy {
    address: SocketAddr,
    line: Arc<Line>,
}

#[derive(Default)]
struct Line {
    open: Mutex<Vec<TcpStream>>,
    accepted: AtomicUsize,
    loses_an_answer: AtomicBool,
    /// The service's `HOST:PORT`; `None` after an answer was lost, while clients wait for the service.
    upstream: Mutex<Option<String>>,
    upstream_changed: Condvar,
}

impl Proxy {
    /// Forwards to `upstream`; cuts each connection after `limit` bytes to the client, if given.
    pub(crate) fn start(upstream: &str, limit: Option<usize>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let upstream = Mutex::new(Some(upstream.to_owned()));
        let line = Arc::new(Line { upstream, ..Line::default() });
        let accepting = Arc::clone(&line);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                accepting.accept(client, limit);
            }
        });
        Self { address, line }
    }

    /// Returns the URL for clients.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Forwards later connections to another service.
    pub(crate) fn forward_to(&self, upstream: &str) {
        self.line.set_upstream(Some(upstream.to_owned()));
    }

    /// Cuts the connection in place of the next answer. From then on clients are accepted and wait, until the
    /// proxy is told where the service is.
    pub(crate) fn lose_the_next_answer(&self) {
        self.line.loses_an_answer.store(true, Ordering::SeqCst);
    }

    /// Cuts all connections. Clients are accepted and wait, until the proxy is told where the service is.
    pub(crate) fn hold(&self) {
        self.line.hold();
    }

    /// Waits until an answer is lost.
    pub(crate) fn wait_for_the_loss(&self) {
        let upstream = self.line.lock_upstream();
        let lost = self.line.upstream_changed.wait_while(upstream, |upstream| upstream.is_some());
        drop(lost.expect("no holder panics"));
    }

    /// Cuts all open connections.
    pub(crate) fn cut(&self) {
        self.line.cut();
    }

    /// Returns the number of connections so far.
    pub(crate) fn accepted(&self) -> usize {
        self.line.accepted.load(Ordering::SeqCst)
    }
}

impl Line {
    fn accept(self: &Arc<Self>, client: TcpStream, limit: Option<usize>) {
        let waiting = self.upstream_changed.wait_while(self.lock_upstream(), |upstream| upstream.is_none());
        let address = waiting.expect("no holder panics").clone().expect("it is known now");
        // A service that is away cuts the connection.
        let Ok(service) = TcpStream::connect(address) else { return };
        self.accepted.fetch_add(1, Ordering::SeqCst);
        self.open.lock().expect("no holder panics").extend([clone(&client), clone(&service)]);
        let (from_client, to_service) = (clone(&client), clone(&service));
        thread::spawn(move || forward(from_client, to_service, None, |_| false));
        let line = Arc::clone(self);
        thread::spawn(move || forward(service, client, limit, |answer| line.loses(answer)));
    }

    /// Returns whether this answer is the one to lose, after cutting all connections.
    fn loses(&self, answer: &[u8]) -> bool {
        let is_lost = answer.len() > SHORTEST_ANSWER && self.loses_an_answer.swap(false, Ordering::SeqCst);
        if is_lost {
            self.hold();
        }
        is_lost
    }

    fn hold(&self) {
        self.set_upstream(None);
        self.cut();
    }

    fn lock_upstream(&self) -> MutexGuard<'_, Option<String>> {
        self.upstream.lock().expect("no holder panics")
    }

    fn set_upstream(&self, upstream: Option<String>) {
        *self.lock_upstream() = upstream;
        self.upstream_changed.notify_all();
    }

    fn cut(&self) {
        for stream in self.open.lock().expect("no holder panics").drain(..) {
            // It may be closed already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn clone(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a socket can be shared")
}

/// Forwards bytes until one side closes, the limit is reached, or bytes are lost; then cuts both.
fn forward(mut from: TcpStream, mut to: TcpStream, limit: Option<usize>, loses: impl Fn(&[u8]) -> bool) {
    let mut left = limit.unwrap_or(usize::MAX);
    let mut buffer = [0; 4096];
    while left > 0 {
        let Ok(count @ 1..) = from.read(&mut buffer) else { break };
        let count = count.min(left);
        left -= count;
        if loses(&buffer[..count]) || to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    for stream in [from, to] {
        // It may be closed already.
        let _ = stream.shutdown(Shutdown::Both);
    }
}
