//! A line that breaks: requests pass, and at some point of the answers both sides are cut off.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};

/// How many bytes of answers a connection lives for: from less than a greeting to some calls.
const LIVES_FOR: std::ops::Range<usize> = 30..3_000;

/// Stands in front of a server for as long as the test runs.
pub(crate) struct CuttingProxy {
    /// `127.0.0.1:PORT`.
    pub(crate) address: String,
}

impl CuttingProxy {
    /// Every connection is cut at a place that the seed decides.
    pub(crate) async fn before(server: &str, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = server.to_owned();
        let mut rng = StdRng::seed_from_u64(seed);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, lives_for) = (server.clone(), rng.random_range(LIVES_FOR));
                tokio::spawn(async move {
                    let Ok(upstream) = TcpStream::connect(server).await else { return };
                    pass(client, upstream, lives_for).await;
                });
            }
        });
        Self { address }
    }
}

/// Lets everything through one way, and so many bytes the other. Dropping both streams cuts the line.
async fn pass(client: TcpStream, upstream: TcpStream, mut left: usize) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = upstream.into_split();
    let requests = copy(&mut from_client, &mut to_server);
    let answers = async {
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
    // Whatever was sent before the cut has arrived: the server goes on with it.
    tokio::select! {
        () = answers => {}
        _ = requests => {}
    }
}
