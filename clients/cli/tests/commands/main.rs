//! The real client against the real service, as separate programs: every command, its JSON, its exit codes,
//! and its files.

mod audit_page;
mod audit_walk;
mod bots;
mod bots_and_endings;
mod broken_connections;
mod by_hand;
mod catalog;
mod clocks;
mod directory;
mod empty_pages;
mod endings;
mod exit_codes;
mod export_all;
mod feed;
mod grpcurl_walk;
mod installing;
mod key_change;
mod keys;
mod labels;
mod logs;
mod newer_service;
mod players;
mod poem;
mod proxy;
mod service;
mod takebacks;
mod terminal;
mod tls;
mod tokens;
mod unknown_words;
mod watching;
mod webhooks;
