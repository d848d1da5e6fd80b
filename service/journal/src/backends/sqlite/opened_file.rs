//! Detects that the database file was moved, replaced or deleted. The process could go on writing to it, but
//! nobody would find the data again.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A path and the file that it named when it was opened. Checking it is cheap enough for every commit.
#[derive(Clone, Debug)]
pub(super) struct OpenedFile {
    path: PathBuf,
    id: FileId,
}

/// The identity of a file, independent of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileId {
    device: u64,
    inode: u64,
}

/// What a path names now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileStatus {
    /// The file that was opened.
    Unchanged,
    /// Another file.
    Replaced,
    /// No file, or one that can't be examined.
    Missing,
}

impl OpenedFile {
    pub(super) fn at(path: &Path) -> io::Result<OpenedFile> {
        Ok(OpenedFile { path: path.to_owned(), id: id_of(path)? })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Compares the file that the path names now with the opened one.
    pub(super) fn status(&self) -> FileStatus {
        match id_of(&self.path) {
            Ok(id) if id == self.id => FileStatus::Unchanged,
            Ok(_) => FileStatus::Replaced,
            Err(_) => FileStatus::Missing,
        }
    }
}

fn id_of(path: &Path) -> io::Result<FileId> {
    let metadata = std::fs::metadata(path)?;
    Ok(FileId { device: metadata.dev(), inode: metadata.ino() })
}
