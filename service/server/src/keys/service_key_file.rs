//! The service key file: 32 random bytes, created at the first start and never overwritten.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use play::ServiceKey;
use rand::TryRng;
use rand::rngs::SysRng;

use super::service_key_error::KeyFileError;

const KEY_BYTES: usize = 32;

/// A service key and its file.
pub(crate) struct KeyFile {
    pub(crate) key: ServiceKey,
    pub(crate) path: PathBuf,
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

/// Returns the path of the next key, which stays there until the database is bound to it.
pub(crate) fn next_path(path: &Path) -> PathBuf {
    with_suffix(path, ".next")
}

/// Replaces the key with the next one, keeping the old one under a name that ends with `suffix`. At every
/// moment the path has one of the two. Returns the path of the old key.
pub(super) fn replace_with_next(path: &Path, suffix: &str) -> Result<PathBuf, KeyFileError> {
    let replaced = keep(path, suffix).and_then(|kept| {
        fs::rename(next_path(path), path)?;
        sync_folder(path)?;
        Ok(kept)
    });
    replaced.map_err(|cause| KeyFileError::NotReplaced { path: path.to_owned(), cause })
}

/// Links the key to a name that ends with `suffix`, and with a number if other keys have that name: they were
/// replaced in the same second.
fn keep(path: &Path, suffix: &str) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let kept =
            with_suffix(path, &if number == 1 { suffix.to_owned() } else { format!("{suffix}-{number}") });
        match fs::hard_link(path, &kept) {
            Ok(()) => return Ok(kept),
            // An earlier attempt was interrupted after this step.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && are_equal(path, &kept)? => {
                return Ok(kept);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => {
                let text = format!("cannot keep the old key as {}: {error}", kept.display());
                return Err(io::Error::new(error.kind(), text));
            }
        }
    }
}

/// Reads the key, or creates it if there is no file. If two processes create it at once, both get the same
/// key.
pub(crate) fn read_or_create(path: &Path) -> Result<KeyFile, KeyFileError> {
    if let Some(key) = read(path)? {
        return Ok(KeyFile { key, path: path.to_owned(), origin: KeyFileOrigin::Existing });
    }
    let unwritable = |cause| KeyFileError::Unwritable { path: path.to_owned(), cause };
    let origin = create(path).map_err(unwritable)?;
    let key = read(path)?.ok_or_else(|| unwritable(io::ErrorKind::NotFound.into()))?;
    Ok(KeyFile { key, path: path.to_owned(), origin })
}

/// Reads the key, or returns `None` if there is no file.
pub(crate) fn read(path: &Path) -> Result<Option<ServiceKey>, KeyFileError> {
    let unreadable = |cause| KeyFileError::Unreadable { path: path.to_owned(), cause };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    // Checked before reading, as the path may name a huge file or an endless device.
    let wrong_length = || KeyFileError::WrongLength { path: path.to_owned(), bytes: metadata.len() };
    if !metadata.is_file() || metadata.len() != KEY_BYTES as u64 {
        return Err(wrong_length());
    }
    if others_may_read(metadata.mode(), metadata.uid()) {
        tracing::warn!(path = %path.display(), "the key file is readable by other users; run chmod 600");
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    let bytes: [u8; KEY_BYTES] = bytes.try_into().map_err(|_| wrong_length())?;
    Ok(Some(ServiceKey::from_bytes(bytes)))
}

/// Returns whether other users may read the file. Group access is accepted on another user's file, as that is
/// how mounted secrets and systemd credentials become readable to the service.
fn others_may_read(mode: u32, owner: u32) -> bool {
    let ours = owner == rustix::process::geteuid().as_raw();
    mode & 0o007 != 0 || (ours && mode & 0o070 != 0)
}

/// Writes a new key to a temporary file and links it to the path, which fails if the path exists by then.
fn create(path: &Path) -> io::Result<KeyFileOrigin> {
    let mut bytes = [0; KEY_BYTES];
    SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
    let temporary = temporary_path(path);
    let linked = write_temporary(&temporary, &bytes).and_then(|()| fs::hard_link(&temporary, path));
    // A temporary file left behind is harmless; only the result of the link matters.
    let _ = fs::remove_file(&temporary);
    match linked {
        Ok(()) => sync_folder(path).map(|()| KeyFileOrigin::Created),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(KeyFileOrigin::Existing),
        Err(error) => Err(error),
    }
}

fn temporary_path(path: &Path) -> PathBuf {
    with_suffix(path, &format!(".{}.tmp", std::process::id()))
}

fn are_equal(one: &Path, other: &Path) -> io::Result<bool> {
    Ok(fs::read(one)? == fs::read(other)?)
}

/// Appends a suffix to the file name.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}

fn write_temporary(temporary: &Path, bytes: &[u8]) -> io::Result<()> {
    // Removes what an earlier process with the same id left behind.
    let _ = fs::remove_file(temporary);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(temporary)?;
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
    fn a_key_is_created_once_and_only_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matchbook.key");
        let created = read_or_create(&path).unwrap();
        let found = read_or_create(&path).unwrap();
        assert_eq!((created.origin, found.origin), (KeyFileOrigin::Created, KeyFileOrigin::Existing));
        assert_eq!(created.key.fingerprint(), found.key.fingerprint());
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!((metadata.len(), metadata.mode() & 0o777), (32, 0o600));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn group_access_is_accepted_on_files_of_other_users() {
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
    fn an_existing_key_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matchbook.key");
        fs::write(&path, [7; 32]).unwrap();
        assert_eq!(create(&path).unwrap(), KeyFileOrigin::Existing);
        assert_eq!(fs::read(&path).unwrap(), [7; 32]);
    }

    #[test]
    fn a_file_of_another_length_is_rejected_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matchbook.key");
        for bytes in [0_usize, 31, 33, 64] {
            fs::write(&path, vec![1; bytes]).unwrap();
            let Err(error) = read_or_create(&path) else {
                panic!("a file of {bytes} bytes was accepted as a key")
            };
            assert!(error.to_string().contains("exactly 32"), "{error}");
            assert_eq!(fs::read(&path).unwrap().len(), bytes);
        }
    }
}
