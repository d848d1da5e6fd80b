//! Which archive, and the keys to read it with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::{Archive, ArchiveError, ArchiveKey, ArchiveReader, ArchiveTrust, ArchiveUrl, CacheBytes};
use journal::ArchivedLogs;
use play::{ServiceKey, Signing};

use super::ArchivingError;
use crate::database::Database;
use crate::keys::{KeyFileError, read};

/// Size of the cache of archived matches, in bytes.
const CACHE: CacheBytes = CacheBytes(64 << 20);

/// The archive that a service reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveSettings {
    /// Where it is.
    pub url: ArchiveUrl,
    /// Files of service keys from before rotations. Segments that were written then need them.
    pub old_key_files: Vec<PathBuf>,
}

impl ArchiveSettings {
    /// Opens the archive of a database that another process may serve.
    pub fn open_reader(
        &self,
        database: &Database,
        key_file: Option<&Path>,
        signing: &Signing,
    ) -> Result<Arc<dyn ArchivedLogs>, ArchivingError> {
        let path = key_file.unwrap_or(database.default_key_file());
        let key = read(path)?.ok_or_else(|| ArchivingError::NoKey { path: path.to_owned() })?;
        Ok(Arc::new(reader(self.open()?, &key, &self.old_keys()?, signing)))
    }

    /// Opens the archive.
    pub(crate) fn open(&self) -> Result<Archive, ArchiveError> {
        Archive::open(self.url.clone())
    }

    /// Reads the service keys from before rotations.
    pub(crate) fn old_keys(&self) -> Result<Vec<ServiceKey>, KeyFileError> {
        self.old_key_files.iter().map(|path| old_key(path)).collect()
    }
}

fn old_key(path: &Path) -> Result<ServiceKey, KeyFileError> {
    let missing =
        || KeyFileError::Unreadable { path: path.to_owned(), cause: std::io::ErrorKind::NotFound.into() };
    read(path)?.ok_or_else(missing)
}

/// Returns a reader of an archive with these keys.
pub(crate) fn reader(
    archive: Archive,
    key: &ServiceKey,
    old_keys: &[ServiceKey],
    signing: &Signing,
) -> ArchiveReader {
    let keys = || [key].into_iter().chain(old_keys);
    let own = keys().map(|key| key.signer(signing.name.clone()).public_key());
    let trust = ArchiveTrust {
        public_keys: own.chain(signing.retired.iter().map(|retired| retired.key.clone())).collect(),
        archive_keys: keys().map(|key| ArchiveKey::new(key.archive_key())).collect(),
    };
    ArchiveReader::new(archive, trust, CACHE)
}
