//! The contract of the journal: what every store must do, the same for memory, SQLite and Postgres, and what only stores
//! with many writers or a file can get wrong. Postgres comes from MATCHBOOK_TEST_DATABASE_URL, each test in a database
//! of its own.

#![expect(clippy::unwrap_used, reason = "clippy takes the tests' own building blocks for no tests")]

mod appending;
mod child;
mod closing;
mod conflicts;
mod database;
mod directory;
mod faults;
mod feed;
mod feed_replicas;
mod listing;
mod proxy;
mod reading;
mod refusals;
mod replicas;
mod samples;
mod schema;
mod stores;
mod survival;
mod tampering;
