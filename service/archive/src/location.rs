//! Where an archive is: a URL, and the object store behind it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _};
use url::Url;
use uuid::Uuid;

use crate::{ArchiveError, SegmentId};

/// End of a segment's name.
const SUFFIX: &str = ".mbseg";

/// The URL of an archive, such as `file:///var/lib/matchbook/archive`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveUrl(Url);

/// A text that is not the URL of an archive.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadArchiveUrl {
    /// It is no URL.
    #[error("an archive is a URL such as file:///var/lib/matchbook/archive")]
    Form,
    /// This build has no store of this kind.
    #[error("this build has no archives of the kind `{0}:`, only `file:`")]
    Scheme(String),
}

/// An object store with segments; cheap to clone.
#[derive(Clone)]
pub struct Archive {
    url: ArchiveUrl,
    store: Arc<dyn ObjectStore>,
}

impl FromStr for ArchiveUrl {
    type Err = BadArchiveUrl;

    fn from_str(text: &str) -> Result<Self, BadArchiveUrl> {
        let url = Url::parse(text).map_err(|_| BadArchiveUrl::Form)?;
        match url.scheme() {
            "file" if url.to_file_path().is_ok() => Ok(Self(url)),
            "file" => Err(BadArchiveUrl::Form),
            other => Err(BadArchiveUrl::Scheme(other.to_owned())),
        }
    }
}

impl fmt::Display for ArchiveUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Archive {
    /// Opens an archive. Its folder must exist, so that a disk that is not mounted is not taken for an empty
    /// archive.
    pub fn open(url: ArchiveUrl) -> Result<Self, ArchiveError> {
        let failed = |what: String| ArchiveError::Store { url: url.to_string(), what };
        let folder = url.0.to_file_path().map_err(|()| failed("it is no folder".to_owned()))?;
        let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| failed(error.to_string()))?;
        Ok(Self { store: Arc::new(store.with_fsync(true)), url })
    }

    /// Returns the archive's URL.
    pub fn url(&self) -> &ArchiveUrl {
        &self.url
    }

    /// Stores a segment. Once this returns, the segment is durable.
    pub async fn put(&self, id: SegmentId, bytes: Bytes) -> Result<(), ArchiveError> {
        self.store.put(&path(id), bytes.into()).await.map(drop).map_err(|error| self.failed(id, &error))
    }

    /// Returns all bytes of a segment.
    pub async fn get(&self, id: SegmentId) -> Result<Bytes, ArchiveError> {
        let got = self.store.get(&path(id)).await.map_err(|error| self.failed(id, &error))?;
        got.bytes().await.map_err(|error| self.failed(id, &error))
    }

    /// Returns the size of a segment in bytes.
    pub(crate) async fn size(&self, id: SegmentId) -> Result<u64, ArchiveError> {
        let found = self.store.head(&path(id)).await.map_err(|error| self.failed(id, &error))?;
        Ok(found.size)
    }

    /// Returns a range of a segment's bytes.
    pub(crate) async fn range(
        &self,
        id: SegmentId,
        range: std::ops::Range<u64>,
    ) -> Result<Bytes, ArchiveError> {
        self.store.get_range(&path(id), range).await.map_err(|error| self.failed(id, &error))
    }

    /// Deletes a segment, if it exists.
    pub async fn delete(&self, id: SegmentId) -> Result<(), ArchiveError> {
        match self.store.delete(&path(id)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.failed(id, &error)),
        }
    }

    /// Returns the segments that the archive has, in no order. Other objects are passed over.
    pub async fn list(&self) -> Result<Vec<SegmentId>, ArchiveError> {
        let listed: Result<Vec<_>, _> = self.store.list(None).try_collect().await;
        let failed = |error: object_store::Error| ArchiveError::Store {
            url: self.url.to_string(),
            what: error.to_string(),
        };
        let objects = listed.map_err(failed)?;
        let id = |object: &ObjectMeta| {
            let name = object.location.filename()?.strip_suffix(SUFFIX)?;
            Uuid::try_parse(name).ok().map(SegmentId)
        };
        Ok(objects.iter().filter_map(id).collect())
    }

    fn failed(&self, segment: SegmentId, error: &object_store::Error) -> ArchiveError {
        let url = self.url.to_string();
        match error {
            object_store::Error::NotFound { .. } => ArchiveError::Missing { url, segment },
            other => ArchiveError::Store { url, what: other.to_string() },
        }
    }
}

fn path(id: SegmentId) -> Path {
    Path::from(format!("{id}{SUFFIX}"))
}
