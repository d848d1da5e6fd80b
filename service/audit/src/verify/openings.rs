//! Openings of sealed parts: those that the file adds, and those that the log makes itself, the seed at its
//! end and the choices of a turn at its reveal.

use bytes::Bytes;
use event::{Commitment, MAX_SEATS, Part as _, RedactedEvent, Sealed, SealedPart, Seat};
use replay::{Entry, Fault, acting_seat, decode_entry, decode_player};
use wire::SealedContent;
use wire::log::v1 as log;

use super::{CheckFailure, LogCheck, Problem, Remark, Report};
use crate::{FileEvent, FilePart, LogFile};

/// Each seat's choice in a turn that is not revealed yet.
type Choices<'a> = [Option<&'a FileEvent>; MAX_SEATS];

/// Returns the events with their sealed parts open where the file has a correct opening.
pub(super) fn opened_events(file: &LogFile) -> Vec<RedactedEvent> {
    let mut events: Vec<_> = file.events.iter().map(|event| event.map_sealed(to_part)).collect();
    // Index of each seat's choice in the current turn.
    let mut chosen = [None; MAX_SEATS];
    for index in 0..events.len() {
        match decode_entry(events[index].kind, events[index].public.clone()) {
            Ok(entry @ Entry::MoveSealed(_)) => {
                if let Some(seat) = acting_seat(&entry) {
                    chosen[seat.index()] = Some(index);
                }
            }
            Ok(Entry::TurnRevealed(turn)) => {
                for choice in &turn.choices {
                    let index =
                        choice.seat.and_then(Seat::from_number).and_then(|seat| chosen[seat.index()].take());
                    open(&mut events, index, &choice.opened);
                }
            }
            Ok(Entry::MatchEnded(ended)) => open(&mut events, Some(0), &ended.opened_seed),
            _ => {}
        }
    }
    events
}

fn to_part(part: &FilePart) -> SealedPart {
    let opened = part.opened.as_ref().and_then(|bytes| Sealed::opening(bytes, part.commitment));
    opened.map_or(SealedPart::Closed(part.commitment), SealedPart::Open)
}

fn open(events: &mut [RedactedEvent], index: Option<usize>, bytes: &[u8]) {
    let Some(event) = index.and_then(|index| events.get_mut(index)) else { return };
    if let Some(SealedPart::Closed(commitment)) = event.sealed
        && let Some(sealed) = Sealed::opening(bytes, commitment)
    {
        event.sealed = Some(SealedPart::Open(sealed));
    }
}

/// Checks every opening against its commitment. A file opens players, and the choice of a turn that is not
/// revealed yet; never what the log opens itself, and after the end no choice at all.
pub(super) fn check(file: &LogFile, entries: &[Entry], report: &mut Report) {
    let mut count = 0;
    let mut chosen: Choices = [None; MAX_SEATS];
    for (event, entry) in file.events.iter().zip(entries) {
        if let Some(event) = must_not_open(event, entry, &chosen) {
            let (seq, check) = (Some(event.seq), LogCheck::Commitments);
            return report.record_failure(CheckFailure { seq, check, problem: Problem::MustNotOpen });
        }
        let ok = match entry {
            Entry::TurnRevealed(turn) => {
                count += turn.choices.len();
                opens_every_choice(turn, &mut chosen)
            }
            Entry::MatchEnded(ended) => {
                count += 1;
                opens(file.events.first(), &ended.opened_seed)
            }
            _ => {
                count += usize::from(is_open(event));
                event.sealed.as_ref().is_none_or(own_opening_fits)
            }
        };
        if !ok {
            return report.fail_at(event.seq, Fault::WrongOpening);
        }
        if !has_canonical_player(event, entry) {
            return report.fail_at(event.seq, Fault::Undecodable);
        }
        if let (Entry::MoveSealed(_), Some(seat)) = (entry, acting_seat(entry)) {
            chosen[seat.index()] = Some(event);
        }
    }
    remark_on_closed_parts(file, entries, &chosen, report);
    if count == 0 {
        return report.not_needed(LogCheck::Commitments, "the file opens nothing");
    }
    report.ok(LogCheck::Commitments, count);
}

/// Returns the event whose sealed part the file must not open, if this one shows it: the seed's, or a choice
/// that the log opens itself or, at the end, leaves sealed for ever (AD-5).
fn must_not_open<'a>(event: &'a FileEvent, entry: &Entry, chosen: &Choices<'a>) -> Option<&'a FileEvent> {
    match entry {
        Entry::MatchCreated(_) | Entry::MatchForked(_) => Some(event).filter(|event| is_open(event)),
        Entry::TurnRevealed(_) | Entry::MatchEnded(_) => {
            chosen.iter().flatten().copied().find(|event| is_open(event))
        }
        _ => None,
    }
}

/// Returns whether the player that a file opens is one, in its canonical encoding.
fn has_canonical_player(event: &FileEvent, entry: &Entry) -> bool {
    let part = event.sealed.as_ref().filter(|_| entry.sealed_content() == Some(SealedContent::Player));
    let sealed = part.and_then(|part| Sealed::opening(part.opened.as_ref()?, part.commitment));
    sealed.is_none_or(|sealed| decode_player(sealed.secret()).is_ok())
}

fn is_open(event: &FileEvent) -> bool {
    event.sealed.as_ref().is_some_and(|part| part.opened.is_some())
}

/// Returns whether a turn opens the choice of every seat that has made one, in order of seats.
fn opens_every_choice(turn: &log::TurnRevealed, chosen: &mut Choices) -> bool {
    let events = Seat::ALL.into_iter().zip(std::mem::take(chosen));
    let made: Vec<_> = events.filter_map(|(seat, event)| Some((seat, event?))).collect();
    let fits = |(choice, (seat, event)): (&log::OpenedChoice, &(Seat, &FileEvent))| {
        choice.seat == Some(seat.number().into()) && opens(Some(event), &choice.opened)
    };
    turn.choices.len() == made.len() && turn.choices.iter().zip(&made).all(fits)
}

/// Returns whether the log's opening of an earlier event is correct.
fn opens(event: Option<&FileEvent>, bytes: &[u8]) -> bool {
    let part = event.and_then(|event| event.sealed.as_ref());
    part.is_some_and(|part| fits(bytes, part.commitment))
}

fn own_opening_fits(part: &FilePart) -> bool {
    part.opened.as_ref().is_none_or(|bytes| fits(bytes, part.commitment))
}

fn fits(bytes: &[u8], commitment: Commitment) -> bool {
    Sealed::from_bytes(Bytes::copy_from_slice(bytes)).is_some_and(|sealed| sealed.commitment() == commitment)
}

fn remark_on_closed_parts(
    file: &LogFile,
    entries: &[Entry],
    chosen: &[Option<&FileEvent>],
    report: &mut Report,
) {
    for (event, entry) in file.events.iter().zip(entries) {
        if entry.sealed_content() == Some(SealedContent::Player) && !is_open(event) {
            report.remark(Remark::PlayerWithheld { seq: event.seq });
        }
    }
    for event in chosen.iter().flatten().filter(|event| !is_open(event)) {
        report.remark(Remark::ChoiceSealed { seq: event.seq });
    }
}
