//! Serves until asked to stop, then drains: reports unready, ends streams, waits for running calls, closes
//! the journal last.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use journal::StopReason;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::transport;
use tonic_health::ServingStatus;
use tonic_health::server::health_reporter;

use crate::admission::AdmissionLayer;
use crate::grpc;
use crate::health::{self, Readiness};
use crate::limits::ServiceLimits;
use crate::listener::{self, Tls};
use crate::pages::Pages;
use crate::protocol::RpcMethods;
use crate::rest::HttpLayer;
use crate::start::Server;
use crate::telemetry;
use crate::telemetry::metrics::CallMetrics;

/// Interval of HTTP/2 pings on idle connections.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(30);

/// Why a server stopped without being asked to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The journal cannot continue.
    #[error("the service stopped: {0}; start it again, and check the database if it stops again")]
    Journal(#[from] StopReason),
    /// The listening socket failed.
    #[error("the service stopped: the listening socket failed: {0}")]
    Socket(#[from] transport::Error),
}

impl Server {
    /// Serves until `stop` resolves or the service cannot continue. On return, every acknowledged write is in
    /// the database and nothing more will be written; calls that exceeded the shutdown timeout end with the
    /// process.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Server {
            listener,
            journal,
            play,
            limits,
            cors_origins,
            rate_limit_keys,
            tls,
            metrics,
            metrics_guard,
            ..
        } = self;
        let methods = RpcMethods::from_descriptors();
        let call_metrics = Arc::new(CallMetrics::new(&methods, metrics.meter()));
        let final_export = metrics.final_export();
        let stopping = CancellationToken::new();
        let (reporter, health_server) = health_reporter();
        health::report(&reporter, ServingStatus::Serving).await;
        health::report_liveness(&reporter).await;
        let readiness = Readiness::new();

        let acceptor = tls.as_ref().map(|tls| tls.acceptor.clone());
        let routes = grpc::routes(&play, &limits, &call_metrics, health_server);
        let pages = Pages::new(readiness.clone(), metrics, metrics_guard);
        let http = HttpLayer::new(&limits, &cors_origins, pages, Arc::clone(&call_metrics));
        let admission =
            AdmissionLayer::new(&limits, rate_limit_keys, methods, call_metrics, stopping.clone());
        let serving = http_server(&limits)
            .layer(http)
            .layer(admission)
            .add_routes(routes)
            .serve_with_incoming_shutdown(
                listener::incoming(listener, acceptor, limits.max_connections),
                stopping.clone().cancelled_owned(),
            );
        tokio::pin!(serving);

        let result = tokio::select! {
            served = &mut serving => served.map_err(ServeError::from),
            reason = journal.stopped() => Err(reason.into()),
            () = stop => Ok(()),
            never = reload_certificate(tls.as_ref()) => match never {},
            never = readiness.follow(&journal, &reporter) => match never {},
        };
        readiness.stop();
        health::report(&reporter, ServingStatus::NotServing).await;
        let result = match result {
            // Serves as before while load balancers notice.
            Ok(()) => tokio::select! {
                served = &mut serving => served.map_err(ServeError::from),
                reason = journal.stopped() => Err(reason.into()),
                () = sleep(limits.drain()) => Ok(()),
            },
            stopped => stopped,
        };
        play.shut_down();
        stopping.cancel();
        if !matches!(result, Err(ServeError::Socket(_)))
            && timeout(limits.shutdown_grace(), serving).await.is_err()
        {
            tracing::warn!(
                timeout_ms = limits.shutdown_grace_ms,
                "aborting calls that exceeded the shutdown timeout"
            );
        }
        journal.close().await;
        if let Some(final_export) = final_export {
            telemetry::flush(final_export).await;
        }
        result
    }
}

/// Keeps the TLS certificate up to date.
async fn reload_certificate(tls: Option<&Tls>) -> Infallible {
    match tls {
        Some(tls) => tls.keep_reloading().await,
        None => pending().await,
    }
}

fn http_server(limits: &ServiceLimits) -> transport::Server {
    transport::Server::builder()
        .accept_http1(true)
        .max_concurrent_streams(limits.max_calls_per_connection)
        .http2_max_header_list_size(limits.max_metadata_bytes)
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
}
