//! Opening everything that a run of the archiver needs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use archive::{Archive, ArchiveKey, ArchiveRun, ArchiveUrl, MAX_SEGMENT_WEIGHT};
use journal::{ArchiverHandle, RecordTime};
use play::{Games, KeyName, ServiceKey, verify_finished};

use super::ArchivingError;
use crate::database::Database;
use crate::keys::read;

/// The parameters of a run.
#[derive(Debug, Clone)]
pub struct Archiving {
    /// The database.
    pub database: Database,
    /// The service key file; `None` for its default path.
    pub key_file: Option<PathBuf>,
    /// Where matches go.
    pub to: ArchiveUrl,
    /// Matches that ended longer ago than this are archived.
    pub older_than: Duration,
    /// The games by whose rules matches are verified.
    pub games: Games,
}

/// A run that is ready to start.
pub struct OpenArchiving {
    /// The run.
    pub run: ArchiveRun,
}

impl Archiving {
    /// Opens the database and the archive, and reads the key. Fails while another archiver runs.
    pub async fn open(self) -> Result<OpenArchiving, ArchivingError> {
        let archive = Archive::open(self.to.clone())?;
        let mut database = self.database.open_archiver().await?;
        match self.prepare(&mut database).await {
            Ok((key, name, before)) => {
                let games = self.games;
                let run = ArchiveRun {
                    database,
                    archive,
                    key: ArchiveKey::new(key.archive_key()),
                    signer: key.signer(name),
                    before,
                    max_weight: MAX_SEGMENT_WEIGHT,
                    verify: Arc::new(move |id, log| verify_finished(games, id, log)),
                };
                Ok(OpenArchiving { run })
            }
            Err(error) => {
                database.close().await;
                Err(error)
            }
        }
    }

    /// Returns the database's key, the name that it signs under, and the time before which matches ended.
    async fn prepare(
        &self,
        database: &mut ArchiverHandle,
    ) -> Result<(ServiceKey, KeyName, RecordTime), ArchivingError> {
        let bound = database.bound().await?.ok_or(ArchivingError::NeverServed)?.service;
        let path = self.key_file.clone().unwrap_or_else(|| self.database.default_key_file().to_owned());
        let key = read(&path)?.ok_or_else(|| ArchivingError::NoKey { path: path.clone() })?;
        if key.fingerprint() != bound.fingerprint {
            return Err(ArchivingError::OtherKey { path });
        }
        let name = bound.name.parse().map_err(|_| ArchivingError::StoredName { name: bound.name })?;
        let age = i64::try_from(self.older_than.as_micros()).map_err(|_| ArchivingError::TooLong)?;
        let before = database.now().await?.0.checked_sub(age).ok_or(ArchivingError::TooLong)?;
        Ok((key, name, RecordTime(before)))
    }
}

impl OpenArchiving {
    /// Closes the database.
    pub async fn close(self) {
        self.run.database.close().await;
    }
}
