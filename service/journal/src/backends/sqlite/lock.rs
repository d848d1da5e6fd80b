//! The lock by which one process serves a file. The system releases it when the process ends, even if it is
//! killed.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::OpenError;

/// A lock on `<database>.lock`, held until it is dropped.
#[derive(Debug)]
pub(super) struct FileLock {
    _file: File,
}

impl FileLock {
    pub(super) fn take(database: &Path) -> Result<FileLock, OpenError> {
        let mut name = database.as_os_str().to_owned();
        name.push(".lock");
        let path = std::path::PathBuf::from(name);
        let at_path = |error| OpenError::File { path: path.clone(), error };
        let file = File::options().create(true).append(true).open(&path).map_err(at_path)?;
        match file.try_lock() {
            Ok(()) => Ok(FileLock { _file: file }),
            Err(TryLockError::WouldBlock) => {
                Err(OpenError::InUse { database: database.to_owned(), lock: path.clone() })
            }
            Err(TryLockError::Error(error)) => Err(at_path(error)),
        }
    }
}
