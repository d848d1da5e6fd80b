//! The real client against the real service, as separate programs: every
//! command, its JSON, its exit codes, and what it keeps on disk.

mod bots;
mod broken_connections;
mod by_hand;
mod catalog;
mod exit_codes;
mod grpcurl_walk;
mod logs;
mod proxy;
mod service;
mod terminal;
mod tls;
mod tokens;
mod watching;
