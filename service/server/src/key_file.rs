//! The service key's file: 32 random bytes, read, or made once at the first start and never overwritten.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use play::ServiceKey;
use rand::TryRng;
use rand::rngs::SysRng;

const KEY_BYTES: usize = 32;

/// Why there is no service key.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// Something else than a key lies there.
    #[error(
        "the key file {} has {bytes} bytes, a service key has exactly 32: give the right file with --key-file, \
         or put back the copy of it", path.display()
    )]
    WrongLength {
        /// Where.
        path: PathBuf,
        /// What it has.
        bytes: u64,
    },
    /// It is there and can't be read.
    #[error("the key file {} can't be read: {cause}", path.display())]
    Unreadable {
        /// Where.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// It is not there and can't be made.
    #[error(
        "the key file {} does not exist and can't be made: {cause}; make its folder writable or give another place \
         with --key-file", path.display()
    )]
    Unwritable {
        /// Where.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// The new one can't be put into its place.
    #[error(
        "the database is bound to the new key, which lies in {}.next and can't be put into the place of {}: {cause}; run \
         the same command again, or move it there", path.display(), path.display()
    )]
    NotPut {
        /// Where it belongs.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

/// The service key and the file that holds it.
pub(crate) struct KeyFile {
    /// The key.
    pub(crate) key: ServiceKey,
    /// Its file.
    pub(crate) path: PathBuf,
    /// Whether this start made it.
    pub(crate) origin: KeyFileOrigin,
}

/// Whether a key file existed before it was needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyFileOrigin {
    /// The file existed.
    Existing,
    /// The file was created by this start.
    Created,
}

/// Where a new key waits until the database is bound to it.
pub(crate) fn next_path(path: &Path) -> PathBuf {
    beside(path, ".next")
}

/// Reads the key if there is a file.
pub(crate) fn find(path: &Path) -> Result<Option<ServiceKey>, KeyFileError> {
    read(path)
}

/// Puts the next key into the place of the one in use, which is kept under a name that ends with `mark`: at every moment
/// one of both is there.
pub(crate) fn put_next(path: &Path, mark: &str) -> Result<PathBuf, KeyFileError> {
    let kept = beside(path, mark);
    let linked = match fs::hard_link(path, &kept) {
        // Of an attempt that ended between these steps.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => same(path, &kept, error),
        linked => linked,
    };
    linked
        .and_then(|()| fs::rename(next_path(path), path))
        .and_then(|()| sync_folder(path))
        .map_err(|cause| KeyFileError::NotPut { path: path.to_owned(), cause })?;
    Ok(kept)
}

/// Reads the key, or makes one if there is no file. Of two processes that make one at once, one wins and both
/// get its key.
pub(crate) fn read_or_make(path: &Path) -> Result<KeyFile, KeyFileError> {
    if let Some(key) = read(path)? {
        return Ok(KeyFile { key, path: path.to_owned(), origin: KeyFileOrigin::Existing });
    }
    let unwritable = |cause| KeyFileError::Unwritable { path: path.to_owned(), cause };
    let origin = make(path).map_err(unwritable)?;
    let key = read(path)?.ok_or_else(|| unwritable(io::ErrorKind::NotFound.into()))?;
    Ok(KeyFile { key, path: path.to_owned(), origin })
}

fn read(path: &Path) -> Result<Option<ServiceKey>, KeyFileError> {
    let unreadable = |cause| KeyFileError::Unreadable { path: path.to_owned(), cause };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    // Looked at before reading: the path may name something huge or endless.
    let wrong_length = || KeyFileError::WrongLength { path: path.to_owned(), bytes: metadata.len() };
    if !metadata.is_file() || metadata.len() != KEY_BYTES as u64 {
        return Err(wrong_length());
    }
    if others_may_read(metadata.mode(), metadata.uid()) {
        tracing::warn!(path = %path.display(), "others than its owner may read the key file: chmod 600 it");
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    let bytes: [u8; KEY_BYTES] = bytes.try_into().map_err(|_| wrong_length())?;
    Ok(Some(ServiceKey::from_bytes(bytes)))
}

/// A group's right to read is how a file of somebody else, mounted or handed over as a credential, reaches this process.
fn others_may_read(mode: u32, owner: u32) -> bool {
    let ours = owner == rustix::process::geteuid().as_raw();
    mode & 0o007 != 0 || (ours && mode & 0o070 != 0)
}

/// Writes a new key beside its place and links it there, which fails if something has come to lie there.
fn make(path: &Path) -> io::Result<KeyFileOrigin> {
    let mut bytes = [0; KEY_BYTES];
    SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
    let draft = draft_path(path);
    let linked = write_draft(&draft, &bytes).and_then(|()| fs::hard_link(&draft, path));
    // A draft that could not be removed is harmless, and the link's outcome counts.
    let _ = fs::remove_file(&draft);
    match linked {
        Ok(()) => sync_folder(path).map(|()| KeyFileOrigin::Created),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(KeyFileOrigin::Existing),
        Err(error) => Err(error),
    }
}

fn draft_path(path: &Path) -> PathBuf {
    beside(path, &format!(".{}.draft", std::process::id()))
}

/// Fails with `error` if the files differ.
fn same(one: &Path, other: &Path, error: io::Error) -> io::Result<()> {
    if fs::read(one)? == fs::read(other)? { Ok(()) } else { Err(error) }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

fn write_draft(draft: &Path, bytes: &[u8]) -> io::Result<()> {
    // What an earlier process of the same number left behind.
    let _ = fs::remove_file(draft);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(draft)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_once_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matchbook.key");
        let made = read_or_make(&path).unwrap();
        let found = read_or_make(&path).unwrap();
        assert_eq!((made.origin, found.origin), (KeyFileOrigin::Created, KeyFileOrigin::Existing));
        assert_eq!(made.key.fingerprint(), found.key.fingerprint());
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!((metadata.len(), metadata.mode() & 0o777), (32, 0o600));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn who_else_may_read_depends_on_whose_file_it_is() {
        let ours = rustix::process::geteuid().as_raw();
        let other = ours + 1;
        for (mode, owner, warned) in [
            (0o400, ours, false),
            (0o440, ours, true),
            (0o440, other, false),
            (0o444, other, true),
            (0o644, ours, true),
        ] {
            assert_eq!(others_may_read(mode, owner), warned, "{mode:o} {owner}");
        }
    }

    #[test]
    fn a_key_that_came_first_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matchbook.key");
        fs::write(&path, [7; 32]).unwrap();
        assert_eq!(make(&path).unwrap(), KeyFileOrigin::Existing);
        assert_eq!(fs::read(&path).unwrap(), [7; 32]);
    }

    #[test]
    fn what_is_no_key_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matchbook.key");
        for bytes in [0_usize, 31, 33, 64] {
            fs::write(&path, vec![1; bytes]).unwrap();
            let Err(error) = read_or_make(&path) else { panic!("{bytes} bytes were taken for a key") };
            assert!(error.to_string().contains("exactly 32"), "{error}");
            assert_eq!(fs::read(&path).unwrap().len(), bytes);
        }
    }
}
