//! Where the file lies, and whether it is still there: a file that was moved away or deleted can be written for as long as
//! it is open, and nobody would find it again.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A path and the file that was found there when it was opened; cheap enough to ask at every commit.
#[derive(Clone, Debug)]
pub(super) struct Place {
    path: PathBuf,
    file: FileId,
}

/// What the system calls a file, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileId {
    device: u64,
    inode: u64,
}

/// What is found at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The file that was opened.
    Same,
    /// Another file.
    Other,
    /// None, or none that can be looked at.
    Nothing,
}

impl Place {
    pub(super) fn of(path: &Path) -> io::Result<Place> {
        Ok(Place { path: path.to_owned(), file: id_of(path)? })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn look(&self) -> Found {
        match id_of(&self.path) {
            Ok(file) if file == self.file => Found::Same,
            Ok(_) => Found::Other,
            Err(_) => Found::Nothing,
        }
    }
}

fn id_of(path: &Path) -> io::Result<FileId> {
    let metadata = std::fs::metadata(path)?;
    Ok(FileId { device: metadata.dev(), inode: metadata.ino() })
}
