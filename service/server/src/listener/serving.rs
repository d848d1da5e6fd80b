//! Accepts connections and serves HTTP/1.1 and HTTP/2 on them until the service stops.

use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::body::Body;
use tower::{Service, ServiceExt};

use super::byte_stream::ByteStream;
use super::connection::Closing;
use super::connections::{Connections, OpenConnection};

/// Pause after a failed accept: without free sockets, an immediate retry would only burn CPU time.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// Interval of HTTP/2 pings.
const PING_INTERVAL: Duration = Duration::from_secs(30);

/// How long a client may take to answer a ping.
const PING_TIMEOUT: Duration = Duration::from_secs(20);

/// Bytes that a client may send on an HTTP/2 stream before the service has read them. Bodies are read at
/// once, so this bounds memory and not their speed.
const STREAM_WINDOW: u32 = 64 << 10;

/// The same of a whole connection.
const CONNECTION_WINDOW: u32 = 256 << 10;

/// Bytes of a response that an HTTP/2 stream takes before the client has room for them.
const SEND_BUFFER: usize = 64 << 10;

/// The limits of HTTP on each connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HttpLimits {
    /// Maximum concurrent streams of an HTTP/2 connection.
    pub(crate) max_streams: u32,
    /// Maximum size of a request's headers.
    pub(crate) max_header_bytes: u32,
}

/// Serves a listener's connections until `stopping` is cancelled and the last of them has closed.
pub(crate) async fn serve<S>(
    listener: TcpListener,
    acceptor: Option<TlsAcceptor>,
    connections: &Connections,
    http: HttpLimits,
    service: S,
    stopping: &CancellationToken,
) where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>,
    S: Clone + Send + 'static,
{
    let builder = builder(http);
    let tasks = TaskTracker::new();
    loop {
        let accepting = async { (connections.permit().await, accept(&listener).await) };
        let (permit, socket) = tokio::select! {
            () = stopping.cancelled() => break,
            accepted = accepting => accepted,
        };
        let Ok(peer) = socket.peer_addr() else { continue };
        let Some(open) = connections.open(peer, permit) else {
            tracing::debug!(peer = %peer.ip(), "refused a connection: its address or network has its share");
            continue;
        };
        let stream = ByteStream::new(socket, acceptor.as_ref(), connections.inbound_limit(peer.ip()));
        let serving = serve_connection(builder.clone(), open, stream, service.clone(), stopping.clone());
        tasks.spawn(serving);
    }
    // New clients are turned away at once instead of waiting in the backlog.
    drop(listener);
    tasks.close();
    tasks.wait().await;
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((socket, _)) => {
                // If the connection is already closed, the first read reports it.
                let _ = socket.set_nodelay(true);
                return socket;
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_RETRY).await;
            }
        }
    }
}

fn builder(http: HttpLimits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // With a timer, HTTP/1.1 limits the time of a request's headers, and of a connection without a request.
    let header_bytes = usize::try_from(http.max_header_bytes).unwrap_or(usize::MAX);
    builder.http1().timer(TokioTimer::new()).max_buf_size(header_bytes.saturating_mul(2).max(32 << 10));
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_TIMEOUT)
        .max_concurrent_streams(http.max_streams)
        .max_header_list_size(http.max_header_bytes)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(SEND_BUFFER);
    builder
}

async fn serve_connection<S>(
    builder: Builder<TokioExecutor>,
    open: OpenConnection,
    stream: ByteStream,
    service: S,
    stopping: CancellationToken,
) where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>,
    S: Clone + Send + 'static,
{
    let connection = open.connection.clone();
    let mut closing = connection.closing();
    let respond = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(connection.clone());
        service.clone().oneshot(request)
    });
    let mut serving = pin!(builder.serve_connection(TokioIo::new(stream), respond));
    let mut stays_open = true;
    loop {
        tokio::select! {
            served = serving.as_mut() => {
                if let Err(error) = served {
                    tracing::debug!(error, "a connection ended");
                }
                return;
            }
            () = stopping.cancelled(), if stays_open => {}
            Ok(()) = closing.changed() => {
                if *closing.borrow_and_update() == Closing::Now {
                    return;
                }
            }
        }
        if stays_open {
            serving.as_mut().graceful_shutdown();
            stays_open = false;
        }
    }
}
