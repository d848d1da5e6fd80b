//! What a log opens of itself: the seed at its end, the choices of a turn at its reveal; and what the file opens beside.

use bytes::Bytes;
use event::{Part as _, RedactedEvent, Sealed, SealedPart};
use rules::{BySeat, Seat};

use super::{Check, Remark, Report};
use crate::file::FileEvent;
use crate::{Entry, Fault, LogFile};

/// The events with their sealed parts open where the file opens them rightly.
pub(super) fn filled_in(file: &LogFile) -> Vec<RedactedEvent> {
    let mut copies: Vec<_> = file.events.iter().map(copy).collect();
    let mut chosen = BySeat::new(None, None);
    for at in 0..copies.len() {
        match Entry::decode(copies[at].kind, copies[at].public.clone()) {
            Ok(entry @ Entry::MoveSealed(_)) => {
                if let Some(seat) = entry.seat() {
                    chosen[seat] = Some(at);
                }
            }
            Ok(Entry::TurnRevealed(turn)) => {
                let opened = BySeat::new(turn.opened_zero, turn.opened_one);
                for seat in Seat::ALL {
                    open(&mut copies, chosen[seat].take(), &opened[seat]);
                }
            }
            Ok(Entry::MatchEnded(ended)) => open(&mut copies, Some(0), &ended.opened_seed),
            _ => {}
        }
    }
    copies
}

fn copy(event: &FileEvent) -> RedactedEvent {
    let sealed = event.commitment.map(|commitment| {
        let opened = event.opened.as_ref().and_then(|bytes| Sealed::opening(bytes, commitment));
        opened.map_or(SealedPart::Closed(commitment), SealedPart::Open)
    });
    RedactedEvent {
        seq: event.seq,
        recorded_time: event.recorded_time,
        kind: event.kind,
        public: event.public.clone(),
        sealed,
        hash: event.hash,
    }
}

fn open(copies: &mut [RedactedEvent], at: Option<usize>, bytes: &[u8]) {
    let Some(copy) = at.and_then(|at| copies.get_mut(at)) else { return };
    if let Some(SealedPart::Closed(commitment)) = copy.sealed
        && let Some(sealed) = Sealed::opening(bytes, commitment)
    {
        copy.sealed = Some(SealedPart::Open(sealed));
    }
}

/// Every opening against its commitment. An opening that a later event repeats has no place in a file.
pub(super) fn check(file: &LogFile, entries: &[Entry], report: &mut Report) {
    let mut count = 0;
    let mut chosen: BySeat<Option<&FileEvent>> = BySeat::new(None, None);
    for (event, entry) in file.events.iter().zip(entries) {
        let mut opens = |event: Option<&FileEvent>, bytes: &[u8]| {
            count += 1;
            event.and_then(|event| event.commitment).is_some_and(|own| fits(bytes, own))
                && event.is_some_and(|event| event.opened.is_none())
        };
        let good = match entry {
            Entry::TurnRevealed(turn) => {
                opens(chosen[Seat::Zero].take(), &turn.opened_zero)
                    && opens(chosen[Seat::One].take(), &turn.opened_one)
            }
            Entry::MatchEnded(ended) => opens(file.events.first(), &ended.opened_seed),
            _ => event.opened.as_ref().is_none_or(|bytes| {
                count += 1;
                event.commitment.is_some_and(|own| fits(bytes, own))
            }),
        };
        if !good {
            return report.fail_at(event.seq, Fault::WrongOpening);
        }
        if let (Entry::MoveSealed(_), Some(seat)) = (entry, entry.seat()) {
            chosen[seat] = Some(event);
        }
    }
    for (event, entry) in file.events.iter().zip(entries) {
        if matches!(entry, Entry::SeatClaimed(_)) && event.opened.is_none() {
            report.remark(Remark::NameWithheld { seq: event.seq });
        }
    }
    for event in chosen.iter().filter_map(|(_, event)| *event).filter(|event| event.opened.is_none()) {
        report.remark(Remark::ChoiceSealed { seq: event.seq });
    }
    if count == 0 {
        return report.leave(Check::Commitments, "nothing is opened in this file");
    }
    report.good(Check::Commitments, count);
}

fn fits(bytes: &[u8], commitment: [u8; 32]) -> bool {
    Sealed::from_bytes(Bytes::copy_from_slice(bytes)).is_some_and(|sealed| sealed.commitment() == commitment)
}

impl Check {
    /// The check that a fault of an event belongs to.
    pub fn of(fault: &Fault) -> Check {
        match fault {
            Fault::Gap { .. } | Fault::Undecodable | Fault::UnknownKind(_) | Fault::OutOfPlace => {
                Check::Structure
            }
            Fault::TimeNotGrowing => Check::Times,
            Fault::BrokenChain => Check::Chain,
            Fault::WrongOpening => Check::Commitments,
            Fault::SeedSealed => Check::Seed,
            Fault::UnknownRules { .. } | Fault::Refused(_) => Check::Moves,
            Fault::DigestDiffers => Check::Digests,
            Fault::TooLate => Check::Clocks,
            Fault::WrongResult => Check::Result,
        }
    }
}
