//! A receiver of webhooks that never answers.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long the service may take to connect.
const PATIENCE: Duration = Duration::from_secs(20);

/// A listener that takes connections and says nothing. Its thread ends with the process.
pub(crate) struct Silent {
    url: String,
    connections: Arc<AtomicUsize>,
}

impl Silent {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/", listener.local_addr().expect("it is bound"));
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        thread::spawn(move || {
            let mut open = Vec::new();
            for connection in listener.incoming().map_while(Result::ok) {
                open.push(connection);
                counted.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { url, connections }
    }

    /// Returns its URL.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Pings a webhook that has this receiver, and returns once the service waits for the answer. The call
    /// lasts until the connection is dropped, or until its timeout.
    pub(crate) fn ping(&self, address: &str, key: &str, webhook_id: &str) -> TcpStream {
        let before = self.connections.load(Ordering::SeqCst);
        let mut stream = TcpStream::connect(address).expect("the service runs");
        let request = format!(
            "POST /v1/webhooks/{webhook_id}:ping HTTP/1.1\r\nhost: {address}\r\n\
             authorization: Bearer {key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}"
        );
        stream.write_all(request.as_bytes()).expect("the service reads");
        let deadline = Instant::now() + PATIENCE;
        while self.connections.load(Ordering::SeqCst) == before {
            assert!(Instant::now() < deadline, "the service does not ping {webhook_id}");
            thread::sleep(Duration::from_millis(2));
        }
        stream
    }
}
