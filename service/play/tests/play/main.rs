//! The use cases on real journals: access, labels, ids of players, retried calls, claim secrets, contending
//! replicas, cancelled calls, slow watchers, lost commits, clocks, endings, pages of lists, and a cache that
//! is too small.

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
mod fixture;
mod forks_and_rematches;
mod keyed;
mod labels;
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
mod strangers;
mod suggested_moves;
mod takebacks;
mod watching;
