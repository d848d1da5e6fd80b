//! Files of exported logs: the JSON form of docs/audit.md, one record per line.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::TryStreamExt as _;
use tokio::task::spawn_blocking;
use wire::v1::export_log_response::Record;
use wire::v1::export_matches_response::Frame;
use wire::v1::{ErrorReason, ExportMatchesRequest, ExportMatchesResponse, LogEvent, LogHead, LogHeader};

use crate::client::Client;
use crate::error::Error;
use crate::retry::Backoff;

/// Why a log was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The call has no complete response.
    #[error(transparent)]
    Call(#[from] Error),
    /// The file cannot be written.
    #[error("cannot write {}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What failed.
        cause: io::Error,
    },
}

/// What [`Client::save_logs`] did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedLogs {
    /// Ids of the matches whose logs were saved.
    pub saved: Vec<String>,
    /// Ids of the matches whose logs the service cannot export, and why. `None` is a reason that is newer
    /// than this build.
    pub skipped: Vec<(String, Option<ErrorReason>)>,
}

impl Client {
    /// Saves the logs of many matches, newest first, as files `MATCH.jsonl` in a folder, which is created if
    /// it is missing. After a cut it goes on where it was. Each file appears once it is complete.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer, or if a file cannot be written.
    pub async fn save_logs(
        &self,
        folder: impl AsRef<Path>,
        filter: ExportMatchesRequest,
    ) -> Result<SavedLogs, SaveError> {
        let mut folder = LogFolder::create(folder.as_ref())?;
        let mut message = filter;
        let mut backoff = Backoff::new(self.retry_policy());
        loop {
            let reached = message.page_token.clone();
            let cut = match self.read_logs(&mut message, &mut folder).await {
                Ok(()) => return Ok(folder.done),
                Err(SaveError::Call(error)) => error,
                Err(error) => return Err(error),
            };
            if message.page_token != reached {
                backoff.reset();
            }
            wait_after(cut, &mut backoff).await?;
        }
    }

    /// Reads one stream to its end. The message's page token follows what was received.
    async fn read_logs(
        &self,
        message: &mut ExportMatchesRequest,
        folder: &mut LogFolder,
    ) -> Result<(), SaveError> {
        let mut frames = self.export_matches(message.clone()).await?;
        folder.lines.clear();
        while let Some(ExportMatchesResponse { frame, next_page_token }) = frames.try_next().await? {
            if folder.receive(frame).await? == Progress::Complete {
                return Ok(());
            }
            if !next_page_token.is_empty() {
                message.page_token = next_page_token;
            }
        }
        Err(self.cut().into())
    }

    fn cut(&self) -> Error {
        Error::Unreachable {
            server: self.server().to_owned(),
            cause: "the service closed the stream".to_owned(),
        }
    }
}

/// Saves one log; a stream that breaks is read anew.
pub(crate) async fn save_log(client: &Client, match_id: &str, path: &Path) -> Result<(), SaveError> {
    let mut backoff = Backoff::new(client.retry_policy());
    loop {
        match read_log(client, match_id).await {
            Ok(lines) => return write_file(path.to_owned(), lines).await,
            Err(error) => wait_after(error, &mut backoff).await?,
        }
    }
}

/// Returns the lines of a complete log.
async fn read_log(client: &Client, match_id: &str) -> Result<String, Error> {
    let mut records = client.export_log(match_id).await?;
    let mut lines = String::new();
    while let Some(response) = records.try_next().await? {
        let Some(record) = response.record else { continue };
        lines.push_str(&line(&record));
        if matches!(record, Record::Head(_)) {
            return Ok(lines);
        }
    }
    Err(client.cut())
}

/// Waits before the next attempt; returns the error if none is left.
async fn wait_after(error: Error, backoff: &mut Backoff) -> Result<(), Error> {
    let delay = if error.is_transient() { backoff.after_failure(error.retry_after()) } else { None };
    match delay {
        Some(delay) => {
            tokio::time::sleep(delay).await;
            Ok(())
        }
        None => Err(error),
    }
}

/// Whether an export goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Open,
    Complete,
}

/// A folder of logs, and the log that is being received.
struct LogFolder {
    folder: PathBuf,
    match_id: String,
    lines: String,
    done: SavedLogs,
}

impl LogFolder {
    fn create(folder: &Path) -> Result<Self, SaveError> {
        let path = folder.to_owned();
        std::fs::create_dir_all(&path).map_err(|cause| SaveError::File { path, cause })?;
        let (match_id, lines, done) = Default::default();
        Ok(Self { folder: folder.to_owned(), match_id, lines, done })
    }

    async fn receive(&mut self, frame: Option<Frame>) -> Result<Progress, SaveError> {
        match frame {
            Some(Frame::Header(header)) => {
                if !is_file_name(&header.match_id) {
                    return Err(Error::unexpected("a log has no valid match id").into());
                }
                self.match_id.clone_from(&header.match_id);
                self.lines = line(&Record::Header(header));
            }
            Some(Frame::Event(event)) => self.lines.push_str(&line(&Record::Event(event))),
            Some(Frame::Head(head)) => {
                let lines = std::mem::take(&mut self.lines) + &line(&Record::Head(head));
                write_file(self.folder.join(format!("{}.jsonl", self.match_id)), lines).await?;
                self.done.saved.push(std::mem::take(&mut self.match_id));
            }
            Some(Frame::Skipped(skipped)) => {
                let reason = ErrorReason::try_from(skipped.reason).ok();
                self.done.skipped.push((skipped.match_id, reason));
            }
            Some(Frame::End(_)) => return Ok(Progress::Complete),
            None => {}
        }
        Ok(Progress::Open)
    }
}

/// Returns whether an id that the service sent can be the name of a file in this folder.
fn is_file_name(match_id: &str) -> bool {
    !match_id.is_empty() && match_id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Writes a file under another name first, so that half a file never has its name.
async fn write_file(path: PathBuf, text: String) -> Result<(), SaveError> {
    let write = move || {
        let mut part = path.clone().into_os_string();
        part.push(".part");
        let written = File::create(&part).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&part, &path)
        });
        written.map_err(|cause| SaveError::File { path, cause })
    };
    spawn_blocking(write).await.expect("writing a file does not panic")
}

/// Returns a record as a line of the file.
fn line(record: &Record) -> String {
    match record {
        Record::Header(LogHeader { format_version, service, match_id, game_id, rules_version }) => format!(
            "{{\"header\":{{\"formatVersion\":{format_version},\"service\":{},\"matchId\":{},\"gameId\":{},\
             \"rulesVersion\":{rules_version}}}}}\n",
            quoted(service),
            quoted(match_id),
            quoted(game_id),
        ),
        Record::Event(LogEvent { seq, record_time_us, kind, public_part, commitment, opened, hash }) => {
            let optional = |name: &str, bytes: &Option<Vec<u8>>| {
                bytes.as_ref().map_or(String::new(), |bytes| format!(",\"{name}\":\"{}\"", base64(bytes)))
            };
            format!(
                "{{\"event\":{{\"seq\":{seq},\"recordTimeUs\":\"{record_time_us}\",\"kind\":{kind},\
                 \"publicPart\":\"{}\"{}{},\"hash\":\"{}\"}}}}\n",
                base64(public_part),
                optional("commitment", commitment),
                optional("opened", opened),
                base64(hash),
            )
        }
        Record::Head(LogHead { note, public_key }) => {
            format!("{{\"head\":{{\"note\":{},\"publicKey\":{}}}}}\n", quoted(note), quoted(public_key))
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Returns a text in quotes. Other control characters do not occur in a log file.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_parts_are_omitted_and_texts_escaped() {
        let event =
            LogEvent { seq: 1, kind: 2, public_part: vec![255], opened: Some(vec![]), ..Default::default() };
        assert_eq!(
            line(&Record::Event(event)),
            "{\"event\":{\"seq\":1,\"recordTimeUs\":\"0\",\"kind\":2,\"publicPart\":\"/w==\",\"opened\":\"\",\
             \"hash\":\"\"}}\n"
        );
        let head = LogHead { note: "a \"b\"\\\n".to_owned(), public_key: String::new() };
        assert_eq!(
            line(&Record::Head(head)),
            "{\"head\":{\"note\":\"a \\\"b\\\"\\\\\\n\",\"publicKey\":\"\"}}\n"
        );
    }

    #[test]
    fn a_match_id_cannot_lead_out_of_the_folder() {
        assert!(is_file_name("0193ac52-1f6e-7a3b-9c1d-2e4f5a6b7c8d"));
        for bad in ["", "../key", "a/b", "a\\b", "a.b"] {
            assert!(!is_file_name(bad), "{bad}");
        }
    }
}
