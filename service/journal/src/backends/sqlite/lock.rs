//! The lock by which one process serves a file. It is on the file itself, so it holds under every name that
//! the file has. The system releases it when the process ends, even if it is killed.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use crate::OpenError;

/// A lock on a database file, held until it is dropped: after SQLite's connections, whose own locks on the
/// file end when the process closes any descriptor of it.
#[derive(Debug)]
pub(super) struct FileLock {
    _file: File,
}

impl FileLock {
    /// Locks the file, and creates it if it is missing, for its owner alone, because it contains secrets of
    /// running matches. SQLite gives its other files the same mode.
    pub(super) fn take(path: &Path) -> Result<FileLock, OpenError> {
        let at_path = |error| OpenError::File { path: path.to_owned(), error };
        let mut options = File::options();
        let file = options.create(true).append(true).mode(0o600).open(path).map_err(at_path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OpenError::InUse { database: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(at_path(error)),
        }
        let locked = file.metadata().map_err(at_path)?;
        let named = path.metadata().map_err(at_path)?;
        if (locked.dev(), locked.ino()) != (named.dev(), named.ino()) {
            return Err(at_path(io::Error::other("the file was replaced while it was opened")));
        }
        // SQLite finds a file's newest commits by its name, so another name would open an older state.
        if locked.nlink() > 1 {
            return Err(OpenError::ManyNames { database: path.to_owned(), names: locked.nlink() });
        }
        Ok(FileLock { _file: file })
    }
}
