//! Reading, writing and exporting log files.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::Path;

use audit::{FileForm, LogFile, MAX_FILE_BYTES};
use futures_util::TryStreamExt as _;
use matchbook_client::Client;
use wire::v1::ExportLogResponse;

use crate::failure::Failure;

/// Reads the file at a path, or standard input for `-`.
pub(crate) fn read_log_file(path: &Path) -> Result<(LogFile, FileForm), Failure> {
    // One byte more than allowed, so that the parser rejects a longer file.
    let most = MAX_FILE_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().lock().take(most).read_to_end(&mut bytes),
        _ => File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.map_err(|source| Failure::LogFile { path: path.to_owned(), source })?;
    LogFile::read(&bytes).map_err(|cause| Failure::Unreadable { path: path.to_owned(), cause })
}

/// Exports the log of a match as this caller may see it, record by record.
pub(crate) async fn export_log(
    client: &Client,
    match_id: &str,
    mut receive: impl FnMut(ExportLogResponse),
) -> Result<(), Failure> {
    let mut records = client.export_log(match_id).await?;
    while let Some(record) = records.try_next().await? {
        receive(record);
    }
    Ok(())
}

/// Writes a log file.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let write = || {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(bytes)?;
        file.flush()
    };
    write().map_err(|source| Failure::LogFile { path: path.to_owned(), source })
}
