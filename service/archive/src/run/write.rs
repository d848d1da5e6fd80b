//! One segment: announced, written, read back, and then the database drops its matches.

use std::ops::ControlFlow;

use journal::DroppedSegment;

use super::collect::Collected;
use super::{ArchiveRun, RunError, RunStep, tell};
use crate::{OpenSegment, SegmentId, SegmentSummary, SegmentWriter, WrittenSegment};

impl ArchiveRun {
    /// Archives collected matches.
    pub(super) async fn write(
        &mut self,
        collected: Collected,
        report: &mut (dyn FnMut(RunStep) -> ControlFlow<()> + Send),
    ) -> Result<(SegmentId, SegmentSummary), RunError> {
        let Collected { matches, dropped, .. } = collected;
        let id = SegmentId::generate();
        self.database.start_segment(id.0).await?;
        tell(report, RunStep::Announced(id))?;
        let (key, signer) = (self.key.clone(), self.signer.clone());
        let write = move || {
            let mut writer = SegmentWriter::new(id, &key);
            matches.iter().for_each(|archived| writer.push(archived));
            writer.finish(&signer).map(|written| (written, matches))
        };
        let (written, matches) = tokio::task::spawn_blocking(write).await.expect("writing does not panic")?;
        let WrittenSegment { summary, bytes, .. } = written;
        self.archive.put(id, bytes).await?;
        tell(report, RunStep::Written(id))?;
        let differs = |what: String| RunError::NotReadBack { segment: id, what };
        let stored = self.archive.get(id).await?;
        let (archive_keys, public_keys) = ([self.key.clone()], [self.signer.public_key()]);
        let read = move || {
            let (_, read) = OpenSegment::verify(&stored, id, &archive_keys, &public_keys)?;
            Ok(read == matches)
        };
        let same: Result<bool, crate::SegmentError> =
            tokio::task::spawn_blocking(read).await.expect("reading does not panic");
        match same {
            Ok(true) => tell(report, RunStep::ReadBack(id))?,
            Ok(false) => return Err(differs("its matches are others".to_owned())),
            Err(error) => return Err(differs(error.to_string())),
        }
        let dropped =
            DroppedSegment { segment: id.0, matches: dropped, events: summary.events, bytes: summary.bytes };
        self.database.drop_matches(&dropped).await?;
        Ok((id, summary))
    }
}
