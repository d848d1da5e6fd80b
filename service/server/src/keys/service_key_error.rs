//! Why a service key file cannot be used.

use std::io;
use std::path::PathBuf;

/// Why a service key file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file does not contain a key.
    #[error(
        "the key file {} has {bytes} bytes, but a service key has exactly 32; pass the right file with \
         --key-file, or restore it from a backup", path.display()
    )]
    WrongLength {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: u64,
    },
    /// The file exists and cannot be read.
    #[error("cannot read the key file {}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        cause: io::Error,
    },
    /// The file does not exist and cannot be created.
    #[error(
        "the key file {} does not exist and cannot be created: {cause}; make its directory writable, or pass \
         another path with --key-file", path.display()
    )]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        cause: io::Error,
    },
    /// The database is bound to the next key, which cannot replace the current file.
    #[error(
        "the database is bound to the new key in {}.next, which cannot replace {}: {cause}; run the command \
         again, or move the file", path.display(), path.display()
    )]
    NotReplaced {
        /// The file to replace.
        path: PathBuf,
        /// The operating system's error.
        cause: io::Error,
    },
}
