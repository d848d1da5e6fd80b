//! A TCP proxy before a service, whose connections can be cut and whose answers can be lost.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// Acknowledgements of HTTP/2's settings and windows are shorter, and answers are longer.
const SHORTEST_ANSWER: usize = 100;

/// A proxy between a client and a service. Its threads end with the sockets.
#[derive(Clone)]
pub(crate) struct Proxy {
    address: SocketAddr,
    line: Arc<Line>,
}

#[derive(Default)]
struct Line {
    service: Mutex<String>,
    open: Mutex<Vec<TcpStream>>,
    connections: AtomicUsize,
    loses_an_answer: AtomicBool,
}

impl Proxy {
    /// Forwards to a service.
    pub(crate) fn before(service: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let line = Arc::new(Line { service: Mutex::new(service.to_owned()), ..Line::default() });
        let accepting = Arc::clone(&line);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                accepting.accept(client);
            }
        });
        Self { address, line }
    }

    /// Returns the `HOST:PORT` for clients.
    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }

    /// Forwards later connections to another address of the service.
    pub(crate) fn forward_to(&self, service: &str) {
        service.clone_into(&mut self.line.service.lock().expect("no holder panics"));
    }

    /// Cuts all connections.
    pub(crate) fn cut(&self) {
        self.line.cut();
    }

    /// Drops the next answer of the service and cuts all connections instead.
    pub(crate) fn lose_the_next_answer(&self) {
        self.line.loses_an_answer.store(true, Ordering::SeqCst);
    }

    /// Returns whether the answer that was to be lost is lost.
    pub(crate) fn has_lost_the_answer(&self) -> bool {
        !self.line.loses_an_answer.load(Ordering::SeqCst)
    }

    /// Returns the number of connections so far.
    pub(crate) fn connections(&self) -> usize {
        self.line.connections.load(Ordering::SeqCst)
    }
}

impl Line {
    fn accept(self: &Arc<Self>, client: TcpStream) {
        let address = self.service.lock().expect("no holder panics").clone();
        // While the service is away, the client's connection is closed.
        let Ok(service) = TcpStream::connect(address) else { return };
        self.connections.fetch_add(1, Ordering::SeqCst);
        self.open.lock().expect("no holder panics").extend([clone(&client), clone(&service)]);
        for (from, to, answers) in
            [(clone(&client), clone(&service), false), (clone(&service), clone(&client), true)]
        {
            let line = Arc::clone(self);
            thread::spawn(move || line.forward(from, to, answers));
        }
    }

    /// Forwards bytes until one side closes, then closes both.
    fn forward(&self, mut from: TcpStream, mut to: TcpStream, answers: bool) {
        let mut buffer = [0; 65_536];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let may_be_lost = answers && count > SHORTEST_ANSWER;
            if may_be_lost && self.loses_an_answer.swap(false, Ordering::SeqCst) {
                return self.cut();
            }
            if to.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
        [from, to].iter().for_each(close);
    }

    fn cut(&self) {
        self.open.lock().expect("no holder panics").drain(..).for_each(|stream| close(&stream));
    }
}

fn clone(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a socket can be shared")
}

fn close(stream: &TcpStream) {
    // It may be closed already.
    let _ = stream.shutdown(Shutdown::Both);
}
