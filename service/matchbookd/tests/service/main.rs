//! Tests of the real server over real gRPC and HTTP, one file per topic; `stage/` has their shared fixtures.

// Clippy exempts test functions only, not the helpers that they call.
#![allow(clippy::unwrap_used)]

mod api_page;
mod bad_endings;
mod bad_input;
mod bad_moves;
mod call_ids;
mod callers;
mod changed_rules;
mod claim_secrets;
mod configuration;
mod database_tls;
mod drain;
mod every_game;
mod feed;
mod field_rules;
mod grpcurl;
mod hidden_hands;
mod http_fuzz;
mod key_rotation;
mod keys;
mod kill;
mod log;
mod log_secrecy;
mod metrics;
mod openapi_document;
mod operating_pages;
mod overload;
mod planted;
mod rate_limits;
mod read_database;
mod readiness;
mod reflection;
mod refusals;
mod rest_bad_input;
mod rest_browsers;
mod rest_http;
mod rest_same;
mod rest_script;
mod rest_streams;
mod retries;
mod role;
mod rules_versions;
mod secrecy;
mod secrets_in_urls;
mod slow_clients;
mod stage;
mod start_up;
mod stop;
mod telemetry;
mod tls;
mod traces;
mod unruly_client;
mod watch;
mod whole_match;
