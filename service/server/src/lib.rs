//! The Matchbook service as a library: gRPC and REST over a journal. The program `matchbookd` configures and
//! runs it; tests run it in their own process.

mod admission;
mod archive;
mod buffers;
mod config;
mod database;
mod durations;
mod grpc;
mod health;
mod keys;
mod limits;
mod listener;
mod pages;
mod protocol;
mod rest;
mod serve;
mod start;
mod start_error;
mod switches;
mod webhooks;

pub mod telemetry;

pub use ::archive::{ArchiveUrl, RunError, RunStep, RunSummary, SegmentId, SegmentSummary, Settled};
pub use archive::{ArchiveSettings, Archiving, ArchivingError, OpenArchiving};
pub use config::Config;
pub use database::{Database, DatabaseError, migrate};
pub use durations::duration_between;
pub use health::LIVENESS_SERVICE;
pub use journal::{Migrations, Shards, Statements};
pub use keys::{
    ApiKeysError, KeyFileError, KeyFileOrigin, KeyRotation, RotateKeyError, RotatedKey, ServingReplicas,
    read_api_keys, rotate_key,
};
pub use limits::ServiceLimits;
pub use listener::{
    Exposure, ForwardedHeader, ListenError, TlsError, TlsFiles, TrustedProxies, resolve_address,
};
pub use pages::MetricsAccess;
pub use protocol::{ErrorMapping, error_mapping, error_reasons};
pub use rest::{CorsOrigins, CorsOriginsError};
pub use serve::ServeError;
pub use start::Server;
pub use start_error::ServerStartError;
pub use switches::parse_switch;
pub use webhooks::{WebhookConfig, WebhookSwitch};
