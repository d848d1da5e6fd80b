//! A pooler between the journal and Postgres that switches its clients to another server's database without
//! cutting them: a proxy with a connection for each client, which it replaces between two transactions.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Codes of the first packet of a connection that ask for encryption.
const ENCRYPTION: [u32; 2] = [80_877_103, 80_877_104];

/// The server is ready for the next transaction.
const READY: &[u8] = b"Z\0\0\0\x05I";

/// Listens on its own port.
pub(crate) struct Pooler {
    pub(crate) address: SocketAddr,
    target: Arc<Mutex<Target>>,
}

/// Where the pooler leads its clients.
#[derive(Clone)]
struct Target {
    server: String,
    /// Another database than the one that the clients ask for.
    database: Option<String>,
    switches: usize,
}

impl Pooler {
    pub(crate) async fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let target = Arc::new(Mutex::new(Target { server, database: None, switches: 0 }));
        let shared = Arc::clone(&target);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(serve(client, Arc::clone(&shared)));
            }
        });
        Self { address, target }
    }

    /// Leads all clients, connected ones included, to another database from their next transaction on.
    pub(crate) fn switch_to(&self, database: &str) {
        let mut target = self.target.lock().unwrap();
        target.database = Some(database.to_owned());
        target.switches += 1;
    }
}

/// Forwards a client's transactions, each to the target of the moment.
async fn serve(mut client: TcpStream, target: Arc<Mutex<Target>>) {
    let Some(startup) = startup(&mut client).await else { return };
    let mut current = target.lock().unwrap().clone();
    let Ok(mut server) = TcpStream::connect(&current.server).await else { return };
    server.write_all(&for_database(&startup, current.database.as_deref())).await.unwrap();
    let (mut from_client, mut from_server) = (vec![0; 1 << 20], vec![0; 1 << 20]);
    let mut in_transaction = true;
    loop {
        tokio::select! {
            read = client.read(&mut from_client) => {
                let Ok(read @ 1..) = read else { return };
                let newest = target.lock().unwrap().clone();
                if newest.switches > current.switches && !in_transaction {
                    server = connect(&newest, &startup).await;
                    current = newest;
                }
                in_transaction = true;
                if server.write_all(&from_client[..read]).await.is_err() {
                    return;
                }
            }
            read = server.read(&mut from_server) => {
                let Ok(read @ 1..) = read else { return };
                in_transaction = !from_server[..read].ends_with(READY);
                if client.write_all(&from_server[..read]).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Reads the packet with which a client begins; encryption is declined.
async fn startup(client: &mut TcpStream) -> Option<Vec<u8>> {
    loop {
        let mut length = [0; 4];
        client.read_exact(&mut length).await.ok()?;
        let mut rest = vec![0; u32::from_be_bytes(length) as usize - 4];
        client.read_exact(&mut rest).await.ok()?;
        if !ENCRYPTION.contains(&u32::from_be_bytes(rest[..4].try_into().unwrap())) {
            return Some(rest);
        }
        client.write_all(b"N").await.ok()?;
    }
}

/// Returns the packet that begins a connection as `startup` does, to another database if one is given.
fn for_database(startup: &[u8], database: Option<&str>) -> Vec<u8> {
    let (version, parameters) = startup.split_at(4);
    let texts: Vec<&[u8]> = parameters.split(|byte| *byte == 0).collect();
    let mut packet = version.to_vec();
    for pair in texts.chunks_exact(2).take_while(|pair| !pair[0].is_empty()) {
        let value = database.map(str::as_bytes).filter(|_| pair[0] == b"database").unwrap_or(pair[1]);
        packet.extend([pair[0], b"\0", value, b"\0"].concat());
    }
    packet.push(0);
    let length = u32::try_from(packet.len() + 4).unwrap();
    [&length.to_be_bytes()[..], &packet].concat()
}

/// Connects to a target as the client did, and keeps the client from noticing.
async fn connect(target: &Target, startup: &[u8]) -> TcpStream {
    let mut server = TcpStream::connect(&target.server).await.unwrap();
    server.write_all(&for_database(startup, target.database.as_deref())).await.unwrap();
    loop {
        let mut head = [0; 5];
        server.read_exact(&mut head).await.unwrap();
        let mut message = vec![0; u32::from_be_bytes(head[1..].try_into().unwrap()) as usize - 4];
        server.read_exact(&mut message).await.unwrap();
        match head[0] {
            b'Z' => return server,
            b'R' => assert_eq!(message, [0; 4], "the tests' server must let this role in without a password"),
            b'E' => panic!("{}", String::from_utf8_lossy(&message)),
            _ => {}
        }
    }
}
