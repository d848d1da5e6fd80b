//! The services on the gRPC port.

use std::sync::Arc;

use play::Play;
use tonic::service::Routes;
use tonic_health::pb::health_server::{Health, HealthServer};
use wire::v1::game_service_server::GameServiceServer;
use wire::v1::log_service_server::LogServiceServer;
use wire::v1::match_service_server::MatchServiceServer;
use wire::v1::webhook_service_server::WebhookServiceServer;

use super::game_service::GameRpcs;
use super::log_service::LogRpcs;
use super::match_service::MatchRpcs;
use super::move_stream::MoveStreams;
use super::reflection;
use super::webhook_service::WebhookRpcs;
use crate::admission::CallerStreams;
use crate::limits::ServiceLimits;
use crate::telemetry::metrics::CallMetrics;

/// Builds the routes of all services, health and reflection included.
pub(crate) fn routes(
    play: &Play,
    limits: &ServiceLimits,
    metrics: &Arc<CallMetrics>,
    streams: CallerStreams,
    moves: MoveStreams,
    health: HealthServer<impl Health>,
) -> Routes {
    let max_bytes = limits.max_message_bytes;
    let games = GameRpcs::new(play.clone());
    let matches = MatchRpcs::new(play.clone(), streams.clone(), moves, Arc::clone(metrics));
    let logs = LogRpcs::new(play.clone(), streams, Arc::clone(metrics));
    let webhooks = WebhookRpcs::new(play.clone());
    let complete = "the build generates complete descriptors";
    Routes::new(GameServiceServer::new(games).max_decoding_message_size(max_bytes))
        .add_service(MatchServiceServer::new(matches).max_decoding_message_size(max_bytes))
        .add_service(LogServiceServer::new(logs).max_decoding_message_size(max_bytes))
        .add_service(WebhookServiceServer::new(webhooks).max_decoding_message_size(max_bytes))
        .add_service(health)
        .add_service(reflection::v1().expect(complete))
        .add_service(reflection::v1alpha().expect(complete))
}
