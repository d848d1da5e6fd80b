//! A server within the test process.

use std::sync::Arc;

use play::Environment;
use server::{Config, ServeError, Server};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::Channel;

use super::client::connect;
use super::{Backend, Client, Storage};

/// A running server and its client.
pub(crate) struct Stage {
    /// `127.0.0.1:PORT`.
    pub(crate) address: String,
    /// A client connected to the server.
    pub(crate) client: Client,
    stop: oneshot::Sender<()>,
    served: JoinHandle<Result<(), ServeError>>,
    /// Keeps the database alive as long as the server.
    _storage: Option<Storage>,
}

impl Stage {
    /// Starts a server with a new database, which is dropped with it.
    pub(crate) async fn on(backend: Backend) -> Self {
        let storage = Storage::here(backend).await;
        let stage = Self::open(&storage).await;
        Self { _storage: Some(storage), ..stage }
    }

    /// Starts a server on this database with the default limits.
    pub(crate) async fn open(storage: &Storage) -> Self {
        Self::with(storage.config()).await
    }

    /// Starts a server with this configuration.
    pub(crate) async fn with(config: Config) -> Self {
        Self::run(Server::start(config).await.unwrap()).await
    }

    /// Starts a server whose time and randomness the test controls.
    pub(crate) async fn within(config: Config, environment: impl Environment) -> Self {
        Self::run(Server::start_in(config, Arc::new(environment)).await.unwrap()).await
    }

    async fn run(server: Server) -> Self {
        let address = server.address().to_string();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(server.serve(async move {
            // Dropping the sender stops the server too.
            let _ = stopped.await;
        }));
        let client = Client::of(&address).await;
        Self { address, client, stop, served, _storage: None }
    }

    /// Opens another connection, for calls that the client does not offer.
    pub(crate) async fn connect(&self) -> Channel {
        connect(&self.address).await
    }

    /// Stops the server as a signal would, and waits for its end.
    pub(crate) async fn close(self) {
        self.stop.send(()).unwrap();
        self.served.await.unwrap().unwrap();
    }
}
