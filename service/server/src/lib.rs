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
mod exit;
mod greeting;
mod health;
mod key_file;
mod limits;
mod listen;
mod reflection;
mod rest;
mod rpc;
mod serve;
mod start;
mod status;

pub mod signals;
pub mod telemetry;

pub use config::{Config, Exposure};
pub use database::{Database, DatabaseError, migrate};
pub use errors::{Answer, answer, reasons};
pub use exit::ExitStatus;
pub use health::{HealthError, check as check_health};
pub use key_file::KeyFileError;
pub use limits::Limits;
pub use listen::ListenError;
pub use rest::{CorsOrigins, CorsOriginsError};
pub use serve::Stopped;
pub use start::{Server, StartError};
