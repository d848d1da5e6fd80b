//! A server in this process.

use std::sync::Arc;

use play::Environment;
use server::{Config, ServeError, Server};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::Channel;

use super::client::connect;
use super::{Backend, Client, Storage};

/// A running server and a client of it.
pub(crate) struct Stage {
    /// `127.0.0.1:PORT`.
    pub(crate) address: String,
    /// Calls it.
    pub(crate) client: Client,
    stop: oneshot::Sender<()>,
    served: JoinHandle<Result<(), ServeError>>,
    /// Kept for as long as the server may want it.
    _storage: Option<Storage>,
}

impl Stage {
    /// A server with a database of its own, which goes away with it.
    pub(crate) async fn on(backend: Backend) -> Self {
        let storage = Storage::here(backend).await;
        let stage = Self::open(&storage).await;
        Self { _storage: Some(storage), ..stage }
    }

    /// A server with the usual limits.
    pub(crate) async fn open(storage: &Storage) -> Self {
        Self::with(storage.config()).await
    }

    /// A server as it is described.
    pub(crate) async fn with(config: Config) -> Self {
        Self::run(Server::start(config).await.unwrap()).await
    }

    /// A server with time and randomness that the test decides.
    pub(crate) async fn within(config: Config, environment: impl Environment) -> Self {
        Self::run(Server::start_in(config, Arc::new(environment)).await.unwrap()).await
    }

    async fn run(server: Server) -> Self {
        let address = server.address().to_string();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(server.serve(async move {
            // A stage that is dropped stops too.
            let _ = stopped.await;
        }));
        let client = Client::of(&address).await;
        Self { address, client, stop, served, _storage: None }
    }

    /// A connection of its own, for what the client has no words for.
    pub(crate) async fn connect(&self) -> Channel {
        connect(&self.address).await
    }

    /// Stops it as a signal would, and waits until nothing runs any more.
    pub(crate) async fn close(self) {
        self.stop.send(()).unwrap();
        self.served.await.unwrap().unwrap();
    }
}
