//! Unit tests of SQLite: a full disk, the lock, a moved file, query plans.

mod full_disk;
mod lock;
mod moved_file;
mod query_plans;
