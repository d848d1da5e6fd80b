//! The use cases on real journals: access, labels, ids of players, retried calls, claim secrets, contending
//! replicas, cancelled calls, slow watchers, lost commits, clocks, endings, pages of lists, a cache that is
//! too small, the feed, webhooks, and the check of stored matches.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod access;
mod batches;
mod cache;
mod cancelled_calls;
mod claim_secrets;
mod clocks;
mod directory;
mod endings;
mod exports;
mod feed;
mod fixture;
mod forks_and_rematches;
mod keyed;
mod labels;
mod legal_moves;
mod long_matches;
mod lost_commits;
mod manual_environment;
mod my_matches;
mod pages;
mod player_ids;
mod redacted_players;
mod rematch_seats;
mod replicas;
mod retried_calls;
mod rules_checks;
mod strangers;
mod suggested_moves;
mod takebacks;
mod watching;
mod webhooks;
