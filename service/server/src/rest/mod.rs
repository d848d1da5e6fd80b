//! HTTP next to gRPC on the same port: REST, gRPC-Web and pages. Every call goes through admission control
//! like a gRPC call. `transcode` matches routes and converts JSON.

mod adapter;
mod boards;
mod budgeted;
mod caching;
mod cors;
mod header_fields;
mod layer;
mod openapi;
mod request_span;
mod state;

pub(crate) use caching::entity_tag;
pub use cors::{CorsOrigins, CorsOriginsError};
pub(crate) use layer::HttpLayer;
pub(crate) use state::CallerBudgets;
