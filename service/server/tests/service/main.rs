//! The real server, called over real gRPC: one file a topic. The stage, the client and the model of the game that the
//! topics share are in `stage/`.

// Clippy knows test functions, but not that everything here serves them.
#![allow(clippy::unwrap_used)]

mod api_page;
mod bad_input;
mod bad_moves;
mod callers;
mod every_game;
mod grpcurl;
mod hidden_hands;
mod keys;
mod kill;
mod log;
mod overload;
mod planted;
mod rate_limits;
mod reflection;
mod retries;
mod secrecy;
mod stage;
mod start_up;
mod stop;
mod tls;
mod unruly_client;
mod watch;
mod whole_match;
