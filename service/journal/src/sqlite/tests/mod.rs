//! Unit tests of SQLite: a full disk and a moved file.

mod full_disk;
mod moved_file;
