//! A proxy between the journal and Postgres that a test can cut at an exact point.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// When to cut the connection after the client has sent certain bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Before the server receives them.
    BeforeTheStatement,
    /// Before the server receives them; new connections fail from then on.
    AndGoDown,
    /// After the server has executed the statement, before the client receives the answer.
    BeforeTheAnswer,
}

/// Listens on its own port.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The next cut and the bytes that trigger it.
    cut: Option<(Cut, Vec<u8>)>,
    /// Rejects new connections.
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

    /// Cuts the next connection that sends these bytes, once.
    pub(crate) fn cut(&self, cut: Cut, bytes: &[u8]) {
        self.state.lock().unwrap().cut = Some((cut, bytes.to_vec()));
    }

    /// Returns whether the cut has happened.
    pub(crate) fn has_cut(&self) -> bool {
        self.state.lock().unwrap().cut.is_none()
    }

    /// Accepts new connections again.
    pub(crate) fn come_up(&self) {
        self.state.lock().unwrap().down = false;
    }
}

async fn connect(client: TcpStream, server: TcpStream, state: Arc<Mutex<State>>) {
    let (client_reads, client_writes) = client.into_split();
    let (server_reads, server_writes) = server.into_split();
    // Set between a statement that triggers a cut and its answer.
    let swallow = Arc::new(Mutex::new(false));
    let forth = forward(client_reads, server_writes, {
        let swallow = swallow.clone();
        move |chunk| {
            let mut state = state.lock().unwrap();
            let triggered =
                state.cut.take_if(|(_, bytes)| chunk.windows(bytes.len()).any(|window| window == *bytes));
            match triggered {
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
    // When one direction ends, so does the connection.
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
