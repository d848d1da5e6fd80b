//! The signed note of a file: it covers this log, the file's key signed it, and the reader trusts that key.

use super::{LogCheck, Problem, Report};
use crate::{KeyName, LogFile, PublicKey, SignedHead, SignedNote};

pub(super) fn check(file: &LogFile, trusted: &[PublicKey], report: &mut Report) {
    match signer(file, trusted) {
        Ok(key) => {
            report.key_is_known = trusted.contains(&key);
            report.signed_by = Some(key);
            report.ok(LogCheck::Signature, 1);
        }
        Err(problem) => report.fail(LogCheck::Signature, problem),
    }
}

/// Returns the key that signed the file.
fn signer(file: &LogFile, trusted: &[PublicKey]) -> Result<PublicKey, Problem> {
    let note: SignedNote = file.note.parse().map_err(|_| Problem::NoteUnreadable)?;
    let key: PublicKey = file.public_key.parse().map_err(|_| Problem::NoteUnreadable)?;
    let head = expected_head(file).ok_or(Problem::NoteDiffers)?;
    if note.text() != head.text() || *key.name() != head.service {
        return Err(Problem::NoteDiffers);
    }
    // A file has exactly one signature, in one spelling: nobody would have checked a second one.
    if note.signatures().len() != 1 || note.to_string() != file.note || !note.is_signed_by(&key) {
        return Err(Problem::BadSignature);
    }
    if !trusted.is_empty() && !trusted.contains(&key) {
        return Err(Problem::OtherKey);
    }
    Ok(key)
}

/// Returns what the note must say. Returns `None` if the file has no events or a malformed service name.
fn expected_head(file: &LogFile) -> Option<SignedHead> {
    let last = file.events.last()?;
    let service: KeyName = file.header.service.parse().ok()?;
    Some(SignedHead {
        service,
        match_id: file.header.match_id,
        game: file.header.game.clone(),
        rules_version: file.header.rules_version,
        seq: last.seq,
        hash: last.hash,
    })
}
