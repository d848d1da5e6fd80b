//! Serving, and the end of it: told to everybody, bounded in time, the journal closed last.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use journal::StopReason;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport;
use tonic_health::ServingStatus;
use tonic_health::server::health_reporter;

use crate::door::DoorLayer;
use crate::effect::Methods;
use crate::limits::ServiceLimits;
use crate::metrics::Calls;
use crate::readiness::Readiness;
use crate::rest::{Pages, RestLayer};
use crate::rpc::{GameRpcs, GameServer, LogRpcs, LogServer, MatchRpcs, MatchServer};
use crate::tls::Tls;
use crate::watch_places::WatchPlaces;
use crate::{Server, connections, health, reflection, telemetry};

/// A connection that says nothing is asked so often whether it is still there.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// Why a service ended that nobody asked to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The journal can't go on.
    #[error("the service had to stop: {0}. Start it again; if that does not help, look at the database")]
    Journal(#[from] StopReason),
    /// The listening socket failed.
    #[error("the service had to stop: the listening socket failed: {0}")]
    Socket(#[from] transport::Error),
}

impl Server {
    /// Serves until `stop` resolves, or until it can't go on. When this returns, what was acknowledged is in the
    /// database and nothing more will be written; calls that outlived the grace end with the process.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Server {
            listener,
            journal,
            play,
            limits,
            cors_origins,
            accounts,
            tls,
            metrics,
            metrics_guard,
            ..
        } = self;
        let methods = Methods::of_protocol();
        let calls = Arc::new(Calls::new(&methods, metrics.meter()));
        let last_words = metrics.last_words();
        let stopping = CancellationToken::new();
        let (reporter, health_server) = health_reporter();
        health::report(&reporter, ServingStatus::Serving).await;
        health::report_life(&reporter).await;
        let readiness = Readiness::new();

        let acceptor = tls.as_ref().map(|tls| tls.acceptor.clone());
        let routes = routes(&play, &limits, &calls).add_service(health_server);
        let pages = Pages::new(readiness.clone(), metrics, metrics_guard);
        let rest = RestLayer::new(&limits, &cors_origins, pages, Arc::clone(&calls));
        let serving = http(&limits)
            .layer(rest)
            .layer(DoorLayer::new(&limits, accounts, methods, calls, stopping.clone()))
            .add_routes(routes)
            .serve_with_incoming_shutdown(
                connections::accepted(listener, acceptor, limits.max_connections),
                stopping.clone().cancelled_owned(),
            );
        tokio::pin!(serving);

        let outcome = tokio::select! {
            served = &mut serving => served.map_err(ServeError::from),
            reason = journal.stopped() => Err(reason.into()),
            () = stop => Ok(()),
            never = renew(tls.as_ref()) => match never {},
            never = readiness.follow(&journal, &reporter) => match never {},
        };
        readiness.stop();
        health::report(&reporter, ServingStatus::NotServing).await;
        let outcome = match outcome {
            // Everybody is served as before until those who send calls have noticed.
            Ok(()) => tokio::select! {
                served = &mut serving => served.map_err(ServeError::from),
                reason = journal.stopped() => Err(reason.into()),
                () = sleep(limits.drain()) => Ok(()),
            },
            stopped => stopped,
        };
        play.shut_down();
        stopping.cancel();
        if !matches!(outcome, Err(ServeError::Socket(_)))
            && timeout(limits.shutdown_grace(), serving).await.is_err()
        {
            tracing::warn!(grace_ms = limits.shutdown_grace_ms, "calls are cut that did not end in time");
        }
        journal.close().await;
        if let Some(last_words) = last_words {
            telemetry::bounded(last_words).await;
        }
        outcome
    }
}

fn routes(play: &play::Play, limits: &ServiceLimits, calls: &Arc<Calls>) -> Routes {
    let bytes = limits.max_message_bytes;
    let games = GameServer::new(GameRpcs::new(play.clone())).max_decoding_message_size(bytes);
    let places = WatchPlaces::new(limits.max_watches_per_caller);
    let matches = MatchServer::new(MatchRpcs::new(play.clone(), places.clone(), Arc::clone(calls)))
        .max_decoding_message_size(bytes);
    let logs = LogServer::new(LogRpcs::new(play.clone(), places, Arc::clone(calls)))
        .max_decoding_message_size(bytes);
    let described = "the descriptors that the build made are whole";
    Routes::new(games)
        .add_service(matches)
        .add_service(logs)
        .add_service(reflection::v1().expect(described))
        .add_service(reflection::v1alpha().expect(described))
}

/// Keeps the certificate fresh for as long as the service serves.
async fn renew(tls: Option<&Tls>) -> Infallible {
    match tls {
        Some(tls) => tls.renew().await,
        None => pending().await,
    }
}

fn http(limits: &ServiceLimits) -> transport::Server {
    transport::Server::builder()
        .accept_http1(true)
        .max_concurrent_streams(limits.max_calls_per_connection)
        .http2_max_header_list_size(limits.max_metadata_bytes)
        .http2_keepalive_interval(Some(KEEPALIVE))
}
