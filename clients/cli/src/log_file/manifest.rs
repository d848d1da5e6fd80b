//! The manifest of a folder of exported logs: what the export is of, a line for each match, and where to go
//! on. A line is written after the file that it names, so what the manifest says is there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use wire::v1::ErrorReason;

use crate::failure::Failure;

/// Name of the file in the folder.
/// Not ending in `.jsonl`, so that `*.jsonl` are the logs alone.
const NAME: &str = "manifest.ndjson";

/// The manifest of a folder, to which lines are added.
pub(crate) struct Manifest {
    path: PathBuf,
    /// The file, once it has its first line.
    file: Option<File>,
    content: Value,
    page_token: String,
    is_complete: bool,
    matches: u64,
    events: u64,
    bytes: u64,
    skipped: u64,
}

impl Manifest {
    /// Opens the manifest of an export of this content. Folder and manifest are created with the first line,
    /// so a refused export leaves nothing behind. Refuses the manifest of another export.
    pub(crate) fn open(folder: &Path, content: &Value) -> Result<Self, Failure> {
        let path = folder.join(NAME);
        let failed = |source| Failure::LogFile { path: path.clone(), source };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        // An interrupted run may have written half a line.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut manifest = Self {
            path: path.clone(),
            file: None,
            content: content.clone(),
            page_token: String::new(),
            is_complete: false,
            matches: 0,
            events: 0,
            bytes: 0,
            skipped: 0,
        };
        let mut lines = text[..whole].lines();
        match lines.next().map(serde_json::from_str::<Value>) {
            None => return Ok(manifest),
            Some(Ok(first)) if is_same(&first["export"], content) => {
                let file = OpenOptions::new().append(true).open(&path).map_err(failed)?;
                file.set_len(whole as u64).map_err(failed)?;
                manifest.file = Some(file);
                manifest.content = first["export"].clone();
            }
            Some(_) => {
                let other = "is of another export; choose another folder";
                return Err(failed(io::Error::new(io::ErrorKind::AlreadyExists, other)));
            }
        }
        for line in lines {
            let line = serde_json::from_str::<Value>(line).map_err(|error| failed(error.into()))?;
            manifest.count(&line);
        }
        Ok(manifest)
    }

    /// Creates folder and manifest, if they are not there yet.
    pub(crate) fn begin(&mut self) -> Result<(), Failure> {
        if self.file.is_some() {
            return Ok(());
        }
        let created = self.create();
        created.map_err(|source| Failure::LogFile { path: self.path.clone(), source })
    }

    fn create(&mut self) -> io::Result<()> {
        fs::create_dir_all(self.path.parent().unwrap_or(&self.path))?;
        let mut file = File::create(&self.path)?;
        let first = json!({ "export": self.content });
        file.write_all(format!("{first}\n").as_bytes())?;
        self.file = Some(file);
        Ok(())
    }

    /// Notes a match whose file is written.
    pub(crate) fn exported(
        &mut self,
        file: &str,
        events: u64,
        bytes: usize,
        page_token: &str,
    ) -> Result<(), Failure> {
        self.add(&json!({ "file": file, "events": events, "bytes": bytes, "nextPageToken": page_token }))
    }

    /// Notes a match that the service could not export.
    pub(crate) fn skipped(
        &mut self,
        match_id: &str,
        reason: ErrorReason,
        page_token: &str,
    ) -> Result<(), Failure> {
        let reason = reason.as_str_name().trim_start_matches("ERROR_REASON_");
        self.add(&json!({ "skipped": match_id, "reason": reason, "nextPageToken": page_token }))
    }

    /// Notes how far the search has come, if it has.
    pub(crate) fn searched(&mut self, page_token: &str) -> Result<(), Failure> {
        if page_token.is_empty() || page_token == self.page_token {
            return Ok(());
        }
        self.add(&json!({ "nextPageToken": page_token }))
    }

    /// Notes that nothing is missing.
    pub(crate) fn complete(&mut self) -> Result<(), Failure> {
        self.add(&json!({ "complete": true }))
    }

    /// Returns what the export is of, as the first run of the command said.
    pub(crate) fn content(&self) -> &Value {
        &self.content
    }

    /// Returns where to go on; empty for the beginning.
    pub(crate) fn page_token(&self) -> &str {
        &self.page_token
    }

    /// Returns whether the export has reached its end.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns how many matches the service could not export.
    pub(crate) fn skipped_count(&self) -> u64 {
        self.skipped
    }

    /// Returns the totals for a program.
    pub(crate) fn summary(&self) -> Value {
        json!({
            "manifest": self.path.display().to_string(),
            "matches": self.matches,
            "events": self.events,
            "bytes": self.bytes,
            "skipped": self.skipped,
            "complete": self.is_complete,
        })
    }

    /// Returns the totals for a person.
    pub(crate) fn in_words(&self) -> String {
        let Self { matches, events, bytes, skipped, .. } = self;
        let skipped = if *skipped == 0 { String::new() } else { format!(", {skipped} skipped") };
        format!("{matches} matches, {events} events, {bytes} bytes{skipped}")
    }

    fn add(&mut self, line: &Value) -> Result<(), Failure> {
        self.begin()?;
        if let Some(file) = &mut self.file {
            let written = file.write_all(format!("{line}\n").as_bytes());
            written.map_err(|source| Failure::LogFile { path: self.path.clone(), source })?;
        }
        self.count(line);
        Ok(())
    }

    fn count(&mut self, line: &Value) {
        self.matches += u64::from(line["file"].is_string());
        self.skipped += u64::from(line["skipped"].is_string());
        self.events += line["events"].as_u64().unwrap_or_default();
        self.bytes += line["bytes"].as_u64().unwrap_or_default();
        self.is_complete |= line["complete"] == true;
        if let Some(token) = line["nextPageToken"].as_str() {
            token.clone_into(&mut self.page_token);
        }
    }
}

/// Returns whether two runs export the same, apart from times, which may count from now.
fn is_same(first: &Value, now: &Value) -> bool {
    let times = ["createdSince", "createdBefore"];
    ["server", "form", "filter"].into_iter().all(|key| first[key] == now[key])
        && times.into_iter().all(|key| first[key].is_null() == now[key].is_null())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_goes_on_after_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let content = json!({"filter": "a"});
        let mut manifest = Manifest::open(folder.path(), &content).unwrap();
        manifest.exported("1.jsonl", 3, 40, "one").unwrap();
        manifest.skipped("2", ErrorReason::Internal, "two").unwrap();
        manifest.file.as_mut().unwrap().write_all(b"{\"file\": \"3.js").unwrap();
        let mut again = Manifest::open(folder.path(), &content).unwrap();
        assert_eq!((again.page_token(), again.is_complete(), again.skipped_count()), ("two", false, 1));
        again.complete().unwrap();
        let complete = Manifest::open(folder.path(), &content).unwrap();
        assert!(complete.is_complete());
        assert_eq!(complete.in_words(), "1 matches, 3 events, 40 bytes, 1 skipped");
        let text = fs::read_to_string(folder.path().join(NAME)).unwrap();
        assert_eq!(text.lines().count(), 4, "{text}");
    }

    #[test]
    fn a_folder_holds_one_export() {
        let folder = tempfile::tempdir().unwrap();
        Manifest::open(folder.path(), &json!({"filter": "a"})).unwrap().begin().unwrap();
        let other = Manifest::open(folder.path(), &json!({"filter": "b"}));
        assert!(matches!(other, Err(Failure::LogFile { .. })));
    }

    #[test]
    fn an_export_that_never_began_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("logs");
        drop(Manifest::open(&inside, &json!({"filter": "a"})).unwrap());
        assert!(!inside.exists());
        Manifest::open(&inside, &json!({"filter": "b"})).unwrap().complete().unwrap();
        assert!(Manifest::open(&inside, &json!({"filter": "b"})).unwrap().is_complete());
    }
}
