//! Unit tests of SQLite: a full disk, the cost of listing, the lock, a moved file, query plans.

mod full_disk;
mod listing_cost;
mod lock;
mod moved_file;
mod query_plans;
