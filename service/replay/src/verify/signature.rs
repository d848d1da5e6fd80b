//! The signed note of a file: on this log, by the key in the file, by a key that the reader trusts.

use super::{Check, Problem, Report};
use crate::{Head, KeyName, LogFile, PublicKey, SignedNote};

pub(super) fn check(file: &LogFile, trusted: &[PublicKey], report: &mut Report) {
    match signer(file, trusted) {
        Ok(key) => {
            report.key_is_known = trusted.contains(&key);
            report.signed_by = Some(key);
            report.good(Check::Signature, 1);
        }
        Err(problem) => report.fail(Check::Signature, problem),
    }
}

fn signer(file: &LogFile, trusted: &[PublicKey]) -> Result<PublicKey, Problem> {
    let note: SignedNote = file.note.parse().map_err(|_| Problem::NoteUnreadable)?;
    let key: PublicKey = file.public_key.parse().map_err(|_| Problem::NoteUnreadable)?;
    let head = head_of(file).ok_or(Problem::NoteDiffers)?;
    if note.text() != head.text() || *key.name() != head.service {
        return Err(Problem::NoteDiffers);
    }
    // A file has one signature: another one under it would be said by nobody.
    if note.signatures().len() != 1 || note.to_string() != file.note || !note.is_signed_by(&key) {
        return Err(Problem::BadSignature);
    }
    if !trusted.is_empty() && !trusted.contains(&key) {
        return Err(Problem::OtherKey);
    }
    Ok(key)
}

/// What the note has to say.
fn head_of(file: &LogFile) -> Option<Head> {
    let last = file.events.last()?;
    let service: KeyName = file.header.service.parse().ok()?;
    Some(Head {
        service,
        match_id: file.header.match_id,
        game: file.header.game.clone(),
        rules_version: file.header.rules_version,
        seq: last.seq,
        hash: last.hash,
    })
}
