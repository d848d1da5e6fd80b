//! Changing the service key of a database: a new key file, the database bound to it, the old key kept aside, and the line
//! that keeps its signatures checkable. Whatever step an attempt ended at, the next one goes on from there.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use journal::{KeyChange, ReadError, RebindOutcome, RecordedTime};
use play::{RetiredKey, ServiceKey, Signing};
use prost_types::Timestamp;

use crate::ServingReplicas;
use crate::database::{Database, DatabaseError};
use crate::key_file::{self, KeyFileError};

/// What is to be changed.
#[derive(Debug, Clone)]
pub struct KeyRotation {
    /// The database that is bound to the key.
    pub database: Database,
    /// The key's file; if absent, its place beside the database.
    pub key_file: Option<PathBuf>,
    /// What is signed as, with the keys that were replaced before.
    pub signing: Signing,
    /// Where the line of the replaced key is added; if absent, it is only told.
    pub retired_keys_file: Option<PathBuf>,
    /// What to do if replicas are serving.
    pub serving_replicas: ServingReplicas,
}

/// What was done.
#[derive(Debug, Clone, PartialEq)]
pub struct RotatedKey {
    /// The file of the new key.
    pub key_file: PathBuf,
    /// The file in which the old one is kept.
    pub kept: PathBuf,
    /// What checks the new one's signatures.
    pub public_key: String,
    /// The old one's line for `--retired-keys-file`.
    pub retired: RetiredKey,
    /// Where that line was added.
    pub retired_keys_file: Option<PathBuf>,
}

/// Why the key is not, or not quite, changed.
#[derive(Debug, thiserror::Error)]
pub enum RotateKeyError {
    /// The database can't be opened.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// It can't be read or written any more.
    #[error("{0}. The new key is bound or not: the same command again finds out and goes on")]
    Unsettled(#[from] ReadError),
    /// A key file.
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    /// Nobody has served this database.
    #[error("the database has no service key yet: the first start of the service makes one")]
    NoKey,
    /// The key in use is not there.
    #[error(
        "the key file {} does not exist: put it back from its copy, or name it with --key-file", path.display()
    )]
    Lost {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The key in the file is another one than the database's.
    #[error(
        "the key file {} is not the one that the database is bound to: name the right file with --key-file",
        path.display()
    )]
    OtherKey {
        /// The wrong key's file.
        path: PathBuf,
    },
    /// Somebody serves.
    #[error(
        "{writers} writers (two per replica) show that a replica serves: stop the service, or wait for --replica-silence-ms if it \
         was killed, or say --fence, and every replica with the old key stops by itself"
    )]
    Serving {
        /// How many.
        writers: usize,
    },
    /// The line could not be added.
    #[error("the line of the old key can't be added to {}: {cause}; run the same command again", path.display())]
    RetiredKeysFile {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

/// Changes the key.
pub async fn rotate_key(rotation: KeyRotation) -> Result<RotatedKey, RotateKeyError> {
    let change = rotation.database.open_key_change().await?;
    let rotated = rotation.carry_out(&change).await;
    change.close().await;
    rotated
}

impl KeyRotation {
    async fn carry_out(self, change: &KeyChange) -> Result<RotatedKey, RotateKeyError> {
        let path = self.key_file.clone().unwrap_or_else(|| self.database.default_key_file().to_owned());
        let bound = change.bound().await?.ok_or(RotateKeyError::NoKey)?;
        let old = key_file::find(&path)?.ok_or_else(|| RotateKeyError::Lost { path: path.clone() })?;
        let new = self.bind(change, bound, &path, &old).await?;
        let until = timestamp(change.now().await?);
        let retired = self.retire(&old, until)?;
        let kept = key_file::put_next(&path, &format!(".until-{}", mark(retired.until)))?;
        Ok(RotatedKey {
            key_file: path,
            kept,
            public_key: new.public_key(&self.signing),
            retired,
            retired_keys_file: self.retired_keys_file,
        })
    }

    /// Sees to it that the database is bound to a new key, which lies beside the old one.
    async fn bind(
        &self,
        change: &KeyChange,
        bound: [u8; 32],
        path: &Path,
        old: &ServiceKey,
    ) -> Result<ServiceKey, RotateKeyError> {
        let next = key_file::next_path(path);
        let other_key = || RotateKeyError::OtherKey { path: path.to_owned() };
        if bound != old.fingerprint() {
            // Only an attempt that was interrupted after this step leaves its key beside the old one.
            let begun = key_file::find(&next)?.filter(|key| key.fingerprint() == bound);
            let new = begun.ok_or_else(other_key)?;
            change.fence().await?;
            return Ok(new);
        }
        let writers = change.live_writers().await?;
        if writers > 0 && self.serving_replicas == ServingReplicas::Reject {
            return Err(RotateKeyError::Serving { writers });
        }
        let new = key_file::read_or_make(&next)?.key;
        match change.rebind(bound, new.fingerprint()).await? {
            RebindOutcome::Rebound => Ok(new),
            RebindOutcome::OtherKey => Err(other_key()),
        }
    }

    /// Writes down until when the old key has signed, once.
    fn retire(&self, old: &ServiceKey, until: Timestamp) -> Result<RetiredKey, RotateKeyError> {
        let retired = old.retired(&self.signing, until);
        let known = self.signing.retired.iter().find(|known| known.key == retired.key);
        if let Some(known) = known {
            return Ok(known.clone());
        }
        if let Some(path) = &self.retired_keys_file {
            append_line(path, &retired.to_string())
                .map_err(|cause| RotateKeyError::RetiredKeysFile { path: path.clone(), cause })?;
        }
        Ok(retired)
    }
}

/// Adds a line, on a line of its own whatever the file ends with.
fn append_line(path: &Path, line: &str) -> io::Result<()> {
    let ended = match fs::read(path) {
        Ok(bytes) => bytes.last().is_none_or(|&last| last == b'\n'),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(error),
    };
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(format!("{}{line}\n", if ended { "" } else { "\n" }).as_bytes())?;
    file.sync_all()
}

/// To the second: it is read by people.
fn timestamp(RecordedTime(micros): RecordedTime) -> Timestamp {
    Timestamp { seconds: micros.div_euclid(1_000_000), nanos: 0 }
}

/// A time as a file name can have it: `20261122T064000Z`.
fn mark(time: Timestamp) -> String {
    time.to_string().replace(['-', ':'], "")
}
