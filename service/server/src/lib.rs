//! The service `matchbookd` as a library, so that a test can start it in its own process: configuration,
//! the gRPC door with its limits and its log, errors on the wire, start and stop. What a call does is `play`.

mod call_log;
mod caller;
mod config;
mod connections;
mod database;
mod door;
mod effect;
mod ending_body;
mod errors;
mod health;
mod key_file;
mod keys;
mod limits;
mod listen;
mod metrics;
mod origin;
mod payer;
mod rate_limits;
mod readiness;
mod reflection;
mod rest;
mod rotate_key;
mod rpc;
mod serve;
mod stall;
mod start;
mod status;
mod tls;
mod transport;
mod watch_places;

pub mod telemetry;

pub use config::{Config, Exposure, ServingReplicas};
pub use database::{Database, DatabaseError, grant, migrate};
pub use errors::{Answer, answer, reasons};
pub use health::LIVENESS_SERVICE;
pub use journal::{Migrations, Statements};
pub use key_file::{KeyFileError, KeyFileOrigin};
pub use keys::{ApiKeysError, read_api_keys};
pub use limits::ServiceLimits;
pub use listen::{ListenError, resolve_address};
pub use metrics::MetricsAccess;
pub use origin::{ForwardedHeader, TrustedProxies};
pub use rest::{CorsOrigins, CorsOriginsError};
pub use rotate_key::{KeyRotation, RotateKeyError, RotatedKey, rotate_key};
pub use serve::ServeError;
pub use start::{Server, ServerStartError};
pub use tls::{TlsError, TlsFiles};
