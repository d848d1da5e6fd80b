//! Serves until asked to stop, then drains: reports unready, ends streams, waits for running calls, closes
//! the journal last.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;

use journal::StopReason;
use play::Play;
use tokio::time::{Instant, sleep, timeout_at};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic_health::ServingStatus;
use tonic_health::server::health_reporter;
use tower::Layer;

use crate::admission::{AdmissionLayer, CallerLimits, CallerStreams, ProcessorTurns};
use crate::buffers::ByteBudget;
use crate::grpc::{self, MoveStreams};
use crate::health::{self, Readiness};
use crate::limits::ServiceLimits;
use crate::listener::{self, ConnectionLimits, Connections, HttpLimits, Tls, TrustedProxies};
use crate::pages::Pages;
use crate::protocol::RpcMethods;
use crate::rest::{CallerBudgets, HttpLayer};
use crate::start::Server;
use crate::telemetry;
use crate::telemetry::metrics::CallMetrics;

/// The path of the method that each message of `SubmitMoves` could have been a call of.
const SUBMIT_MOVE: &str = "/matchbook.v1.MatchService/SubmitMove";

/// Why a server stopped without being asked to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The journal cannot continue.
    #[error("the service stopped: {0}; start it again, and check the database if it stops again")]
    Journal(#[from] StopReason),
}

impl Server {
    /// Serves until `stop` resolves or the service cannot continue. On return, every acknowledged write is in
    /// the database and nothing more will be written; calls that exceeded the shutdown timeout end with the
    /// process.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Server { listener, journal, play, limits, proxies, rate_limit_keys, tls, metrics, .. } = self;
        let methods = RpcMethods::from_descriptors();
        let call_metrics = Arc::new(CallMetrics::new(&methods, metrics.meter()));
        let final_export = metrics.final_export();
        let stopping = CancellationToken::new();
        let (reporter, health_server) = health_reporter();
        health::report(&reporter, ServingStatus::Serving).await;
        health::report_liveness(&reporter).await;
        let readiness = Readiness::new();
        let _health = self.health_listener.map(|listener| {
            health::spawn(listener, readiness.clone(), Routes::new(health_server.clone()).prepare())
        });

        let acceptor = tls.as_ref().map(|tls| tls.acceptor.clone());
        let streams = CallerStreams::new(&limits);
        let caller_limits = CallerLimits::new(&limits, rate_limit_keys);
        let callers = CallerBudgets {
            limits: caller_limits.clone(),
            bytes: ByteBudget::new(limits.max_buffered_bytes, proxies.clone()),
            methods: methods.clone(),
            turns: ProcessorTurns::default(),
            proxies: proxies.clone(),
        };
        let pages = Pages::new(readiness.clone(), metrics, self.metrics_guard);
        let http = HttpLayer::new(&limits, &self.cors_origins, pages, Arc::clone(&call_metrics), callers);
        let (metrics, stops) = (Arc::clone(&call_metrics), stopping.clone());
        let admission =
            AdmissionLayer::new(&limits, caller_limits, streams.clone(), methods, metrics, stops.clone());
        let moves = MoveStreams::new(&play, admission.calls_of(SUBMIT_MOVE), &limits, stops);
        let routes = grpc::routes(&play, &limits, &call_metrics, streams, moves, health_server);
        let service = http.layer(admission.layer(routes.prepare()));
        let (connections, http_limits) = connections(&limits, proxies);
        let serving = listener::serve(listener, acceptor, &connections, http_limits, service, &stopping);
        tokio::pin!(serving);

        let result = tokio::select! {
            () = &mut serving => Ok(()),
            reason = journal.stopped() => Err(reason.into()),
            () = stop => Ok(()),
            never = reload_certificate(tls.as_ref()) => match never {},
            never = connections.keep_closing() => match never {},
            never = readiness.follow(&journal, &reporter) => match never {},
        };
        readiness.stop();
        health::report(&reporter, ServingStatus::NotServing).await;
        let result = match result {
            // Serves as before while load balancers notice.
            Ok(()) => tokio::select! {
                () = &mut serving => Ok(()),
                never = connections.keep_closing() => match never {},
                reason = journal.stopped() => Err(reason.into()),
                () = sleep(limits.drain) => Ok(()),
            },
            stopped => stopped,
        };
        play.shut_down();
        stopping.cancel();
        let grace = Instant::now() + limits.shutdown_grace;
        if timeout_at(grace, serving).await.is_err() {
            tracing::warn!(
                timeout_ms = limits.shutdown_grace.as_millis(),
                "aborting calls that exceeded the shutdown timeout"
            );
        }
        end_deliveries(&play, grace).await;
        journal.close().await;
        if let Some(final_export) = final_export {
            telemetry::flush(final_export).await;
        }
        result
    }
}

/// Lets the deliveries to webhooks end that are in progress.
async fn end_deliveries(play: &Play, grace: Instant) {
    if timeout_at(grace, play.webhooks_ended()).await.is_err() {
        tracing::warn!("aborting deliveries to webhooks; they are made again after the next start");
    }
}

/// Keeps the TLS certificate up to date.
async fn reload_certificate(tls: Option<&Tls>) -> Infallible {
    match tls {
        Some(tls) => tls.keep_reloading().await,
        None => pending().await,
    }
}

/// Returns the registry of the service's connections, and the limits of HTTP on each.
fn connections(limits: &ServiceLimits, proxies: TrustedProxies) -> (Connections, HttpLimits) {
    let connections =
        ConnectionLimits { max: limits.max_connections, idle_timeout: limits.idle_timeout, max_age: None };
    let http = HttpLimits {
        max_streams: limits.max_calls_per_connection,
        max_header_bytes: limits.max_metadata_bytes,
    };
    (Connections::new(connections, proxies), http)
}
