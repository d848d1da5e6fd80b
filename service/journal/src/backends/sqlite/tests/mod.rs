//! Unit tests of SQLite: a full disk, a moved file, query plans.

mod full_disk;
mod moved_file;
mod query_plans;
