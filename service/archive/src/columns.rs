//! The events of a block's matches, column by column: values of one kind compress better next to each other.

use bytes::Bytes;
use event::{Event, MatchId, RecordTime, Sealed, SealedPart, Seq};
use journal::{Hlc, StoredEvent};

use crate::{ArchivedMatch, SegmentError};

const DAMAGED: SegmentError = SegmentError::Damaged { part: "match" };

/// Length of a hash or digest.
const HASH: usize = 32;

/// The columns. What is compressed is one message, so the fields' numbers are part of the format.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Columns {
    /// 16 bytes a match.
    #[prost(bytes = "vec", tag = "1")]
    match_ids: Vec<u8>,
    /// Number of events of each match.
    #[prost(uint32, repeated, tag = "2")]
    counts: Vec<u32>,
    /// Microseconds since the event before; the first event's since the first event of the match before.
    #[prost(sint64, repeated, tag = "3")]
    times: Vec<i64>,
    /// The `Hlc` of the event's batch less the record time.
    #[prost(sint64, repeated, tag = "4")]
    hlcs: Vec<i64>,
    #[prost(uint32, repeated, tag = "5")]
    kinds: Vec<u32>,
    /// Twice the length of the public part without a detached digest, plus 1 if one is detached.
    #[prost(uint32, repeated, tag = "6")]
    lengths: Vec<u32>,
    #[prost(bytes = "vec", tag = "7")]
    publics: Vec<u8>,
    /// 0 without a sealed part, 1 for a commitment, 2 plus its length for an open one.
    #[prost(uint32, repeated, tag = "8")]
    sealings: Vec<u32>,
    #[prost(bytes = "vec", tag = "9")]
    sealed: Vec<u8>,
    /// 1 for each event whose request's hash is kept, otherwise 0.
    #[prost(uint32, repeated, tag = "10")]
    requests: Vec<u32>,
}

/// What doesn't compress: hashes and digests in the order of their events.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Hashes {
    /// Hash of each match's last event.
    #[prost(bytes = "vec", tag = "1")]
    heads: Vec<u8>,
    /// Digests of states: the last 32 bytes of public parts.
    #[prost(bytes = "vec", tag = "2")]
    digests: Vec<u8>,
    #[prost(bytes = "vec", tag = "3")]
    commitments: Vec<u8>,
    #[prost(bytes = "vec", tag = "4")]
    requests: Vec<u8>,
}

/// Writes matches into columns.
#[derive(Default)]
pub(crate) struct ColumnWriter {
    pub(crate) columns: Columns,
    pub(crate) hashes: Hashes,
    start: i64,
}

impl ColumnWriter {
    /// Adds a match.
    pub(crate) fn push(&mut self, archived: &ArchivedMatch) {
        let columns = &mut self.columns;
        columns.match_ids.extend(archived.match_id().0.as_bytes());
        columns.counts.push(u32::try_from(archived.events().len()).expect("seqs have 32 bits"));
        self.hashes.heads.extend(archived.head());
        let mut before = self.start;
        for (place, stored) in archived.events().iter().enumerate() {
            let time = stored.event.record_time.0;
            self.columns.times.push(time.wrapping_sub(before));
            if place == 0 {
                self.start = time;
            }
            before = time;
            self.columns.hlcs.push(stored.hlc.0.wrapping_sub(time));
            self.event(&stored.event);
            self.columns.requests.push(stored.request_hash.is_some().into());
            self.hashes.requests.extend(stored.request_hash.iter().flatten());
        }
    }

    fn event(&mut self, event: &Event<SealedPart>) {
        self.columns.kinds.push(event.kind.into());
        let (text, digest) = detach(&event.public);
        let length = u32::try_from(text.len()).expect("a public part has at most 4 MiB");
        self.columns.lengths.push(length * 2 + u32::from(!digest.is_empty()));
        self.columns.publics.extend(text);
        self.hashes.digests.extend(digest);
        self.columns.sealings.push(match &event.sealed {
            None => 0,
            Some(SealedPart::Closed(commitment)) => {
                self.hashes.commitments.extend(commitment);
                1
            }
            Some(SealedPart::Open(sealed)) => {
                self.columns.sealed.extend(sealed.as_bytes());
                2 + u32::try_from(sealed.as_bytes().len()).expect("a sealed part has at most 64 KiB")
            }
        });
    }
}

/// Splits a public part that ends with a field of 32 bytes, which is a state digest, before these bytes.
fn detach(public: &[u8]) -> (&[u8], &[u8]) {
    match public.len().checked_sub(HASH) {
        Some(at) if at > 0 && usize::from(public[at - 1]) == HASH => public.split_at(at),
        _ => (public, &[]),
    }
}

/// Reads the matches of a block.
pub(crate) fn read(columns: &Columns, hashes: &Hashes) -> Result<Vec<ArchivedMatch>, SegmentError> {
    let mut reader = ColumnReader::new(columns, hashes);
    let mut matches = Vec::new();
    while !reader.match_ids.is_empty() {
        matches.push(reader.next_match()?);
    }
    if reader.is_empty() { Ok(matches) } else { Err(DAMAGED) }
}

/// The unread rest of each column.
struct ColumnReader<'a> {
    match_ids: &'a [u8],
    counts: &'a [u32],
    times: &'a [i64],
    hlcs: &'a [i64],
    kinds: &'a [u32],
    lengths: &'a [u32],
    publics: &'a [u8],
    sealings: &'a [u32],
    sealed: &'a [u8],
    requests: &'a [u32],
    heads: &'a [u8],
    digests: &'a [u8],
    commitments: &'a [u8],
    request_hashes: &'a [u8],
    start: i64,
}

impl<'a> ColumnReader<'a> {
    fn new(columns: &'a Columns, hashes: &'a Hashes) -> Self {
        Self {
            match_ids: &columns.match_ids,
            counts: &columns.counts,
            times: &columns.times,
            hlcs: &columns.hlcs,
            kinds: &columns.kinds,
            lengths: &columns.lengths,
            publics: &columns.publics,
            sealings: &columns.sealings,
            sealed: &columns.sealed,
            requests: &columns.requests,
            heads: &hashes.heads,
            digests: &hashes.digests,
            commitments: &hashes.commitments,
            request_hashes: &hashes.requests,
            start: 0,
        }
    }

    fn next_match(&mut self) -> Result<ArchivedMatch, SegmentError> {
        let match_id = MatchId::from_bytes(take(&mut self.match_ids, 16)?).ok_or(DAMAGED)?;
        let head = hash(&mut self.heads)?;
        let count = next(&mut self.counts)?;
        let (mut before, mut previous) = (self.start, None);
        let mut events = Vec::new();
        for seq in 1..=count {
            let stored = self.next_event(match_id, Seq(seq), RecordTime(before), previous)?;
            before = stored.event.record_time.0;
            if seq == 1 {
                self.start = before;
            }
            previous = Some(stored.event.hash);
            events.push(stored);
        }
        if previous != Some(head) {
            return Err(DAMAGED);
        }
        ArchivedMatch::new(match_id, events)
    }

    fn next_event(
        &mut self,
        match_id: MatchId,
        seq: Seq,
        before: RecordTime,
        previous: Option<[u8; HASH]>,
    ) -> Result<StoredEvent, SegmentError> {
        let record_time = RecordTime(before.0.wrapping_add(next(&mut self.times)?));
        let hlc = Hlc(record_time.0.wrapping_add(next(&mut self.hlcs)?));
        let kind = u16::try_from(next(&mut self.kinds)?).map_err(|_| DAMAGED)?;
        let (public, sealed) = (self.next_public()?, self.next_sealed()?);
        let mut event = Event { seq, record_time, kind, public, sealed, hash: [0; HASH] };
        event.hash = event.link(match_id, previous).hash();
        let request_hash = match next(&mut self.requests)? {
            0 => None,
            1 => Some(hash(&mut self.request_hashes)?),
            _ => return Err(DAMAGED),
        };
        Ok(StoredEvent { event, request_hash, hlc })
    }

    fn next_public(&mut self) -> Result<Bytes, SegmentError> {
        let length = next(&mut self.lengths)?;
        let mut public = take(&mut self.publics, (length / 2) as usize)?.to_vec();
        if length % 2 == 1 {
            public.extend(take(&mut self.digests, HASH)?);
        }
        Ok(public.into())
    }

    fn next_sealed(&mut self) -> Result<Option<SealedPart>, SegmentError> {
        Ok(match next(&mut self.sealings)? {
            0 => None,
            1 => Some(SealedPart::Closed(hash(&mut self.commitments)?)),
            length => {
                let bytes = take(&mut self.sealed, (length - 2) as usize)?;
                let sealed = Sealed::from_bytes(Bytes::copy_from_slice(bytes)).ok_or(DAMAGED)?;
                Some(SealedPart::Open(sealed))
            }
        })
    }

    fn is_empty(&self) -> bool {
        let bytes = [self.publics, self.sealed, self.heads, self.digests, self.commitments];
        let numbers = [self.counts, self.kinds, self.lengths, self.sealings, self.requests];
        bytes.iter().all(|column| column.is_empty())
            && numbers.iter().all(|column| column.is_empty())
            && self.request_hashes.is_empty()
            && self.times.is_empty()
            && self.hlcs.is_empty()
    }
}

fn next<T: Copy>(column: &mut &[T]) -> Result<T, SegmentError> {
    column.split_off_first().copied().ok_or(DAMAGED)
}

fn take<'a>(column: &mut &'a [u8], length: usize) -> Result<&'a [u8], SegmentError> {
    column.split_off(..length).ok_or(DAMAGED)
}

fn hash(column: &mut &[u8]) -> Result<[u8; HASH], SegmentError> {
    take(column, HASH)?.try_into().map_err(|_| DAMAGED)
}
