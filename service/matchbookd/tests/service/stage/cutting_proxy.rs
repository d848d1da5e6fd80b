//! A proxy that breaks connections: requests pass, and at a random byte of the responses both sides are cut.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};

/// Number of response bytes after which a connection is cut: from less than a handshake to a few calls.
const CUT_AFTER: std::ops::Range<usize> = 30..3_000;

/// A proxy in front of a server; it runs until the test ends.
pub(crate) struct CuttingProxy {
    /// `127.0.0.1:PORT`.
    pub(crate) address: String,
}

impl CuttingProxy {
    /// Starts a proxy; the seed determines where each connection is cut.
    pub(crate) async fn before(server: &str, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = server.to_owned();
        let mut rng = StdRng::seed_from_u64(seed);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, cut_after) = (server.clone(), rng.random_range(CUT_AFTER));
                tokio::spawn(async move {
                    let Ok(upstream) = TcpStream::connect(server).await else { return };
                    pass(client, upstream, cut_after).await;
                });
            }
        });
        Self { address }
    }
}

/// Forwards all requests and `left` bytes of responses, then cuts the connection by dropping both streams.
async fn pass(client: TcpStream, upstream: TcpStream, mut left: usize) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = upstream.into_split();
    let requests = copy(&mut from_client, &mut to_server);
    let responses = async {
        let mut buffer = [0; 512];
        while left > 0 {
            let most = left.min(buffer.len());
            match from_server.read(&mut buffer[..most]).await {
                Ok(count) if count > 0 && to_client.write_all(&buffer[..count]).await.is_ok() => {
                    left -= count;
                }
                _ => return,
            }
        }
    };
    // Requests forwarded before the cut have arrived, so the server still executes them.
    tokio::select! {
        () = responses => {}
        _ = requests => {}
    }
}
