//! A line between the journal and Postgres that a test can cut at an exact point.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// Where the line is cut when the client sends certain bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The server never sees them.
    BeforeTheStatement,
    /// The same, and new lines are refused from then on.
    AndGoDown,
    /// The server has done its work, the client never hears of it.
    BeforeTheAnswer,
}

/// Listens at a port of its own.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The next cut and the bytes that call for it.
    cut: Option<(Cut, Vec<u8>)>,
    /// Refuses new lines.
    down: bool,
}

impl Proxy {
    pub(crate) async fn to(server: String) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let down = shared.lock().unwrap().down;
                if !down && let Ok(server) = TcpStream::connect(&server).await {
                    tokio::spawn(connect(client, server, shared.clone()));
                }
            }
        });
        Proxy { address, state }
    }

    /// Cuts the line of whoever sends these bytes next, once.
    pub(crate) fn cut(&self, cut: Cut, bytes: &[u8]) {
        self.state.lock().unwrap().cut = Some((cut, bytes.to_vec()));
    }

    /// Whether the cut has been made.
    pub(crate) fn has_cut(&self) -> bool {
        self.state.lock().unwrap().cut.is_none()
    }

    /// Takes new lines again.
    pub(crate) fn come_up(&self) {
        self.state.lock().unwrap().down = false;
    }
}

async fn connect(client: TcpStream, server: TcpStream, state: Arc<Mutex<State>>) {
    let (client_reads, client_writes) = client.into_split();
    let (server_reads, server_writes) = server.into_split();
    // Set between a statement that calls for a cut and the server's answer to it.
    let swallow = Arc::new(Mutex::new(false));
    let forth = forward(client_reads, server_writes, {
        let swallow = swallow.clone();
        move |chunk| {
            let mut state = state.lock().unwrap();
            let called =
                state.cut.take_if(|(_, bytes)| chunk.windows(bytes.len()).any(|window| window == *bytes));
            match called {
                None => Then::Pass,
                Some((Cut::BeforeTheStatement, _)) => Then::Cut,
                Some((Cut::AndGoDown, _)) => {
                    state.down = true;
                    Then::Cut
                }
                Some((Cut::BeforeTheAnswer, _)) => {
                    *swallow.lock().unwrap() = true;
                    Then::Pass
                }
            }
        }
    });
    let back =
        forward(
            server_reads,
            client_writes,
            move |_| {
                if *swallow.lock().unwrap() { Then::Cut } else { Then::Pass }
            },
        );
    // Whichever way ends first ends the line.
    tokio::select! {
        () = forth => {}
        () = back => {}
    }
}

enum Then {
    Pass,
    Cut,
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, look: impl Fn(&[u8]) -> Then) {
    let mut buffer = vec![0; 1 << 20];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        let chunk = &buffer[..read];
        if matches!(look(chunk), Then::Cut) || to.write_all(chunk).await.is_err() {
            return;
        }
    }
}
