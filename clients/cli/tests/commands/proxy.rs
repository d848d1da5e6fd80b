//! A TCP proxy whose connections can be cut and whose answers can be lost.

use std::io::{Read, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// Acknowledgements of HTTP/2's settings and windows are shorter, and answers are longer.
const SHORTEST_ANSWER: usize = 100;

/// Nothing listens there.
const NOWHERE: &str = "127.0.0.1:1";

/// How long a test waits for the client. A busy machine may take its time.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the proxy does with clients after a loss.
#[derive(Clone, Copy)]
pub(crate) enum AfterLoss {
    /// They are accepted and wait, until the proxy is told where the service is.
    Wait,
    /// They are cut off, as by a service that is away.
    Away,
}

/// A proxy between a client and the service. It accepts connections as long as the test's process runs.
pub(crate) struct Proxy {
    address: SocketAddr,
    line: Arc<Line>,
}

#[derive(Default)]
struct Line {
    open: Mutex<Vec<TcpStream>>,
    accepted: AtomicUsize,
    refused: AtomicUsize,
    loses_an_answer: Mutex<Option<AfterLoss>>,
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

    /// Cuts all connections in place of the next answer.
    pub(crate) fn lose_the_next_answer(&self, then: AfterLoss) {
        *self.line.loses_an_answer.lock().expect("no holder panics") = Some(then);
    }

    /// Cuts all connections and lets no later one reach the service.
    pub(crate) fn take_away(&self) {
        self.line.close(AfterLoss::Away);
    }

    /// Waits until the client has failed to reach the service this many times.
    #[track_caller]
    pub(crate) fn wait_for_refused(&self, count: usize) {
        let began = Instant::now();
        while self.line.refused.load(Ordering::SeqCst) < count {
            assert!(began.elapsed() < PATIENCE, "the client does not try {count} times");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Cuts all connections. Clients are accepted and wait, until the proxy is told where the service is.
    pub(crate) fn hold(&self) {
        self.line.close(AfterLoss::Wait);
    }

    /// Waits until an answer is lost, after which clients wait.
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
        let Ok(service) = TcpStream::connect(address) else {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return;
        };
        self.accepted.fetch_add(1, Ordering::SeqCst);
        self.open.lock().expect("no holder panics").extend([clone(&client), clone(&service)]);
        let (from_client, to_service) = (clone(&client), clone(&service));
        thread::spawn(move || forward(from_client, to_service, None, |_| false));
        let line = Arc::clone(self);
        thread::spawn(move || forward(service, client, limit, |answer| line.loses(answer)));
    }

    /// Returns whether this answer is the one to lose, after cutting all connections.
    fn loses(&self, answer: &[u8]) -> bool {
        if answer.len() <= SHORTEST_ANSWER {
            return false;
        }
        let then = self.loses_an_answer.lock().expect("no holder panics").take();
        if let Some(then) = then {
            self.close(then);
        }
        then.is_some()
    }

    fn close(&self, then: AfterLoss) {
        self.set_upstream(match then {
            AfterLoss::Wait => None,
            AfterLoss::Away => Some(NOWHERE.to_owned()),
        });
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
