//! The journal's contract: one suite for memory, SQLite and Postgres, and tests of what only files or several
//! writers can get wrong. `MATCHBOOK_TEST_DATABASE_URL` names the Postgres server; each test creates its own
//! database.

#![expect(clippy::unwrap_used, reason = "clippy does not treat the tests' helper functions as tests")]

mod appending;
mod archived_segments;
mod archiving;
mod child;
mod closing;
mod conflicts;
mod database;
mod directory;
mod erasing;
mod faults;
mod feed;
mod feed_replicas;
mod histories;
mod labels;
mod listing;
mod listing_cost;
mod owned_listing;
mod pooler;
mod proxy;
mod reading;
mod refusals;
mod replicas;
mod samples;
mod schema;
mod sharding;
mod stores;
mod survival;
mod tampering;
mod telemetry;
mod webhook_leases;
mod webhooks;
