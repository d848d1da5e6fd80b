//! Where logs come from: files, and the service.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use futures_util::TryStreamExt as _;
use matchbook_client::Client;
use replay::{FileForm, LogFile, MAX_FILE_BYTES};
use wire::v1::ExportLogResponse;

use crate::failure::Failure;

/// The file at a path, or on the standard input for `-`.
pub(crate) fn read_file(path: &Path) -> Result<(LogFile, FileForm), Failure> {
    // One byte more than allowed, so that the reader can tell.
    let most = MAX_FILE_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().lock().take(most).read_to_end(&mut bytes),
        _ => File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.map_err(|source| Failure::LogFile { path: path.to_owned(), source })?;
    LogFile::read(&bytes).map_err(|cause| Failure::Unreadable { path: path.to_owned(), cause })
}

/// The records of a match's file, as the service gives them to this caller.
pub(crate) async fn exported(
    service: &Client,
    match_id: &str,
    mut take: impl FnMut(ExportLogResponse),
) -> Result<(), Failure> {
    let mut records = service.export_log(match_id).await?;
    while let Some(record) = records.try_next().await? {
        take(record);
    }
    Ok(())
}
