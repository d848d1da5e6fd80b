//! Rotates the service key of a database: creates the next key file, binds the database to it, records the
//! old key as retired so that its signatures stay verifiable, and replaces the key file. An interrupted
//! rotation resumes at its last step.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use journal::{BoundKey, KeyChange, RebindOutcome, RecordTime, ServiceIdentity};
use play::{KeyName, RetiredKey, ServiceKey, Signing};
use prost_types::Timestamp;

use super::rotation_error::RotateKeyError;
use super::service_key_file;
use crate::database::Database;

/// What to do if replicas are serving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServingReplicas {
    /// Fail and change nothing.
    Reject,
    /// Proceed; the replicas can no longer write, and stop.
    Fence,
}

/// The parameters of a rotation.
#[derive(Debug, Clone)]
pub struct KeyRotation {
    /// The database bound to the key.
    pub database: Database,
    /// The key file; `None` for its default path.
    pub key_file: Option<PathBuf>,
    /// The name that the operator takes the database's service to have; `None` for whatever it is.
    pub name: Option<KeyName>,
    /// The name that the service signs under from now on; `None` to keep its name.
    pub rename_to: Option<KeyName>,
    /// The keys retired earlier.
    pub retired: Vec<RetiredKey>,
    /// The file to append the retired key's line to.
    pub retired_keys_file: Option<PathBuf>,
    /// What to do if replicas are serving.
    pub serving_replicas: ServingReplicas,
}

/// The result of a rotation.
#[derive(Debug, Clone, PartialEq)]
pub struct RotatedKey {
    /// The file of the new key.
    pub key_file: PathBuf,
    /// The file of the old key.
    pub kept: PathBuf,
    /// The new public key, which verifies signatures.
    pub public_key: String,
    /// The name that the service signs under from now on.
    pub name: String,
    /// The old key's line for `--retired-keys-file`.
    pub retired: RetiredKey,
    /// The file that the line was appended to.
    pub retired_keys_file: Option<PathBuf>,
}

/// Rotates the key.
pub async fn rotate_key(rotation: KeyRotation) -> Result<RotatedKey, RotateKeyError> {
    let change = rotation.database.open_key_change().await?;
    let rotated = rotation.run(&change).await;
    change.close().await;
    rotated
}

impl KeyRotation {
    async fn run(self, change: &KeyChange) -> Result<RotatedKey, RotateKeyError> {
        let path = self.key_file.clone().unwrap_or_else(|| self.database.default_key_file().to_owned());
        let bound = change.bound().await?.ok_or(RotateKeyError::NoKey)?;
        let old =
            service_key_file::read(&path)?.ok_or_else(|| RotateKeyError::Lost { path: path.clone() })?;
        self.check_retired_keys_file()?;
        let Step { old_name, new, new_name } = self.bind(change, bound, &path, &old).await?;
        let until = timestamp(change.now().await?);
        let retired = self.retire(&old, old_name, until)?;
        let kept =
            service_key_file::replace_with_next(&path, &format!(".until-{}", file_name_time(retired.until)))?;
        Ok(RotatedKey {
            key_file: path,
            kept,
            public_key: new.public_key(new_name.clone()),
            name: new_name.to_string(),
            retired,
            retired_keys_file: self.retired_keys_file,
        })
    }

    /// Refuses a file of retired keys that cannot be written, before anything is changed: halfway, the
    /// service could not start until it can.
    fn check_retired_keys_file(&self) -> Result<(), RotateKeyError> {
        let Some(path) = &self.retired_keys_file else { return Ok(()) };
        let opened = OpenOptions::new().append(true).create(true).open(path);
        opened.map(drop).map_err(|cause| RotateKeyError::NoRetiredKeysFile { path: path.clone(), cause })
    }

    /// Binds the database to the next key, unless an earlier attempt was interrupted after that.
    async fn bind(
        &self,
        change: &KeyChange,
        bound: BoundKey,
        path: &Path,
        old: &ServiceKey,
    ) -> Result<Step, RotateKeyError> {
        let next = service_key_file::next_path(path);
        let other_key = || RotateKeyError::OtherKey { path: path.to_owned() };
        let BoundKey { service, previous_name } = bound;
        if service.fingerprint != old.fingerprint() {
            let is_bound = |key: &ServiceKey| key.fingerprint() == service.fingerprint;
            let new = service_key_file::read(&next)?.filter(is_bound).ok_or_else(other_key)?;
            let old_name = key_name(&previous_name.ok_or_else(other_key)?)?;
            change.fence().await?;
            return Ok(Step { old_name, new, new_name: key_name(&service.name)? });
        }
        let old_name = key_name(&service.name)?;
        if let Some(given) = self.name.as_ref().filter(|given| **given != old_name) {
            return Err(RotateKeyError::OtherName { bound: service.name, given: given.to_string() });
        }
        let writers = change.live_writers().await?;
        if writers > 0 && self.serving_replicas == ServingReplicas::Reject {
            return Err(RotateKeyError::Serving { writers });
        }
        let new = service_key_file::read_or_create(&next)?.key;
        let new_name = self.rename_to.clone().unwrap_or_else(|| old_name.clone());
        let identity = ServiceIdentity { fingerprint: new.fingerprint(), name: new_name.to_string() };
        match change.rebind(service.fingerprint, &identity).await? {
            RebindOutcome::Rebound => Ok(Step { old_name, new, new_name }),
            RebindOutcome::OtherKey => Err(other_key()),
            RebindOutcome::NotPermitted => Err(RotateKeyError::NotPermitted),
        }
    }

    /// Records the old key as retired at `until`, unless an earlier attempt did.
    fn retire(
        &self,
        old: &ServiceKey,
        name: KeyName,
        until: Timestamp,
    ) -> Result<RetiredKey, RotateKeyError> {
        let retired = old.retired(Signing { name, retired: self.retired.clone() }, until);
        let recorded = self.retired.iter().find(|recorded| recorded.key == retired.key);
        if let Some(recorded) = recorded {
            return Ok(recorded.clone());
        }
        if let Some(path) = &self.retired_keys_file {
            append_line(path, &retired.to_string())
                .map_err(|cause| RotateKeyError::RetiredKeysFile { path: path.clone(), cause })?;
        }
        Ok(retired)
    }
}

/// A database that is bound to the next key, while the key file still has the old one.
struct Step {
    old_name: KeyName,
    new: ServiceKey,
    new_name: KeyName,
}

/// Parses the name that the database has.
fn key_name(bound: &str) -> Result<KeyName, RotateKeyError> {
    bound.parse().map_err(|_| RotateKeyError::StoredName { name: bound.to_owned() })
}

/// Appends a line, after a newline if the file does not end with one.
fn append_line(path: &Path, line: &str) -> io::Result<()> {
    let complete = match fs::read(path) {
        Ok(bytes) => bytes.last().is_none_or(|&last| last == b'\n'),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(error),
    };
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(format!("{}{line}\n", if complete { "" } else { "\n" }).as_bytes())?;
    file.sync_all()
}

/// Converts to a timestamp in whole seconds, for readability.
fn timestamp(RecordTime(micros): RecordTime) -> Timestamp {
    Timestamp { seconds: micros.div_euclid(1_000_000), nanos: 0 }
}

/// Formats a time for a file name: `20261122T064000Z`.
fn file_name_time(time: Timestamp) -> String {
    time.to_string().replace(['-', ':'], "")
}
