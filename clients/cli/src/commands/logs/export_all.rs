//! `matchbook export-all`: exports the logs of many matches into a folder, one file each.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::Duration;

use audit::{FileForm, FileWriter};
use clap::Args;
use futures_util::TryStreamExt as _;
use indicatif::{ProgressBar, ProgressDrawTarget};
use matchbook_client::v1::export_log_response::Record;
use matchbook_client::v1::export_matches_response::Frame;
use matchbook_client::v1::{
    ErrorReason, ExportLogResponse, ExportMatchesRequest, ExportMatchesResponse, ListMatchesRequest,
};
use prost_types::Timestamp;
use serde_json::{Value, json};

use crate::arguments::{FilterArguments, match_id};
use crate::failure::{Exit, Failure};
use crate::log_file::{Manifest, write_file};
use crate::output::{Output, json};
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook export-all logs --status over            all your matches that are over
  matchbook export-all logs --label tenant=acme --since 30d
  matchbook verify logs/*.jsonl --key keys.txt

Needs an API key (`matchbook login`): an app exports its own matches, an auditor all.
Matches come newest first. DIR/manifest.ndjson has a line for each match. To resume an
interrupted export, run the same command again; times before now count from the first
run. A complete export is left as it is: export later matches to another folder.

Exit codes:
  0  every match that was found is in the folder
  1  the service refused, or could not export some matches: the manifest says which
  3  the service cannot be reached; run the same command again
  4  a file cannot be written, or the folder has the manifest of another export";

/// Arguments of `matchbook export-all`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ExportAll {
    /// Folder to write to; created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    filter: FilterArguments,
    /// Write the binary form
    #[arg(long)]
    binary: bool,
}

/// A folder that is being filled.
struct Folder {
    path: PathBuf,
    form: FileForm,
    manifest: Manifest,
    /// The match whose log has not ended yet.
    pending: Option<Pending>,
    progress: ProgressBar,
}

/// The records of a match.
struct Pending {
    match_id: String,
    writer: FileWriter,
    bytes: Vec<u8>,
    events: u64,
}

impl ExportAll {
    pub(crate) async fn run(self, session: &Session) -> Result<Exit, Failure> {
        let form = if self.binary { FileForm::Binary } else { FileForm::Json };
        let mut request = export_request(self.filter.request()?);
        let content = json!({
            "server": session.client.server(),
            "form": extension(form),
            "filter": without_times(&request)?,
            "createdSince": as_json(request.created_since),
            "createdBefore": as_json(request.created_before),
        });
        let manifest = Manifest::open(&self.folder, &content)?;
        // Times before now are those of the first run: tokens are for one filter.
        request.created_since = from_json(&manifest.content()["createdSince"]);
        request.created_before = from_json(&manifest.content()["createdBefore"]);
        request.page_token = manifest.page_token().to_owned();
        let mut folder = Folder { path: self.folder, form, manifest, pending: None, progress: progress() };
        if !folder.manifest.is_complete() {
            let mut frames = session.app_client()?.export_matches(request).await?;
            while let Some(response) = frames.try_next().await? {
                folder.receive(response)?;
            }
        }
        folder.progress.finish_and_clear();
        folder.report(session.output)
    }
}

impl Folder {
    /// Takes the next frame of the export.
    fn receive(&mut self, response: ExportMatchesResponse) -> Result<(), Failure> {
        let token = &response.next_page_token;
        match response.frame {
            None => self.manifest.searched(token),
            Some(Frame::Header(header)) => {
                self.manifest.begin()?;
                let mut begun = Pending::new(&header.match_id, self.form)?;
                begun.record(Record::Header(header));
                self.pending = Some(begun);
                Ok(())
            }
            Some(Frame::Event(event)) => {
                let Some(pending) = &mut self.pending else { return Ok(()) };
                pending.events += 1;
                pending.record(Record::Event(event));
                Ok(())
            }
            Some(Frame::Head(head)) => {
                let Some(mut ended) = self.pending.take() else { return Ok(()) };
                ended.record(Record::Head(head));
                let file = format!("{}.{}", ended.match_id, extension(self.form));
                write_file(&self.path.join(&file), &ended.bytes)?;
                self.manifest.exported(&file, ended.events, ended.bytes.len(), token)?;
                self.progress.set_message(self.manifest.in_words());
                Ok(())
            }
            Some(Frame::Skipped(skipped)) => {
                self.pending = None;
                let reason = ErrorReason::try_from(skipped.reason).unwrap_or_default();
                self.manifest.skipped(&skipped.match_id, reason, token)
            }
            Some(Frame::End(_)) => self.manifest.complete(),
        }
    }

    fn report(&self, output: Output) -> Result<Exit, Failure> {
        output.object(&self.manifest.summary())?;
        let is_complete = self.manifest.is_complete();
        let state = if is_complete { "" } else { "; not complete: run the same command again" };
        output.text(&format!("{}: {}{state}\n", self.path.display(), self.manifest.in_words()))?;
        let all = is_complete && self.manifest.skipped_count() == 0;
        Ok(if all { Exit::Success } else { Exit::Refused })
    }
}

impl Pending {
    /// Begins a match. Its id is the name of a file, so it must be nothing but an id.
    fn new(id: &str, form: FileForm) -> Result<Self, Failure> {
        let match_id =
            match_id(id).map_err(|must| Failure::Usage(format!("the service sent a wrong id: {must}")))?;
        Ok(Self { match_id, writer: FileWriter::new(form), bytes: Vec::new(), events: 0 })
    }

    fn record(&mut self, record: Record) {
        self.bytes.extend(self.writer.record(&ExportLogResponse { record: Some(record) }));
    }
}

fn extension(form: FileForm) -> &'static str {
    match form {
        FileForm::Binary => "log",
        FileForm::Json => "jsonl",
    }
}

/// Returns the filter of a request as JSON, without its times.
fn without_times(request: &ExportMatchesRequest) -> Result<Value, Failure> {
    let filter = ExportMatchesRequest { created_since: None, created_before: None, ..request.clone() };
    let line = json::line("ExportMatchesRequest", &filter);
    serde_json::from_str(&line).map_err(|error| Failure::Output(error.into()))
}

fn as_json(time: Option<Timestamp>) -> Value {
    time.map_or(Value::Null, |time| json!([time.seconds, time.nanos]))
}

fn from_json(time: &Value) -> Option<Timestamp> {
    let nanos = i32::try_from(time[1].as_i64()?).ok()?;
    Some(Timestamp { seconds: time[0].as_i64()?, nanos })
}

/// Returns the request that exports what another one lists.
fn export_request(listed: ListMatchesRequest) -> ExportMatchesRequest {
    ExportMatchesRequest {
        game_id: listed.game_id,
        status: listed.status,
        player: listed.player,
        created_since: listed.created_since,
        created_before: listed.created_before,
        mine: listed.mine,
        page_token: String::new(),
        labels: listed.labels,
        external_id: listed.external_id,
        player_id: listed.player_id,
        player_to_act: listed.player_to_act,
        seat_to_act: listed.seat_to_act,
    }
}

/// Returns a spinner, hidden unless a person waits: nobody knows how many matches there are.
fn progress() -> ProgressBar {
    let visible = io::stderr().is_terminal();
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let progress = ProgressBar::with_draw_target(None, target);
    progress.enable_steady_tick(Duration::from_millis(200));
    progress
}
