//! A batch turned on its side: one array a column, as `unnest` takes them in `append.sql`.

use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use uuid::Uuid;

use crate::batch::Batch;
use crate::rows::seq_column;
use crate::{MatchRow, SeatRow};

type Statement<'q> = Query<'q, sqlx::Postgres, PgArguments>;

/// The columns of `event` that differ from row to row.
#[derive(Default)]
pub(super) struct EventArrays<'a> {
    match_id: Vec<Uuid>,
    seq: Vec<i32>,
    recorded_time: Vec<i64>,
    kind: Vec<i32>,
    request_hash: Vec<Option<&'a [u8]>>,
    hash: Vec<&'a [u8]>,
    public: Vec<&'a [u8]>,
    sealed: Vec<Option<&'a [u8]>>,
    sealed_hash: Vec<Option<Vec<u8>>>,
}

impl<'a> EventArrays<'a> {
    pub(super) fn of(batch: &'a Batch) -> EventArrays<'a> {
        let mut arrays = EventArrays::default();
        for (id, new) in batch.events() {
            let event = &new.event;
            arrays.match_id.push(id.0);
            arrays.seq.push(seq_column(event.seq));
            arrays.recorded_time.push(event.recorded_time.0);
            arrays.kind.push(event.kind.into());
            arrays.request_hash.push(new.request_hash.as_ref().map(<[u8; 32]>::as_slice));
            arrays.hash.push(&event.hash);
            arrays.public.push(&event.public);
            arrays.sealed.push(new.sealed().map(|bytes| &bytes[..]));
            arrays.sealed_hash.push(event.commitment().map(Vec::from));
        }
        arrays
    }

    pub(super) fn len(&self) -> usize {
        self.seq.len()
    }

    pub(super) fn bind(self, statement: Statement<'_>) -> Statement<'_> {
        statement
            .bind(self.match_id)
            .bind(self.seq)
            .bind(self.recorded_time)
            .bind(self.kind)
            .bind(self.request_hash)
            .bind(self.hash)
            .bind(self.public)
            .bind(self.sealed)
            .bind(self.sealed_hash)
    }
}

/// The columns of `match`, two sets for the seats.
pub(super) struct MatchArrays<'a>(&'a [&'a MatchRow]);

impl<'a> MatchArrays<'a> {
    pub(super) fn of(rows: &'a [&'a MatchRow]) -> MatchArrays<'a> {
        MatchArrays(rows)
    }

    pub(super) fn bind<'q>(&self, statement: Statement<'q>) -> Statement<'q> {
        let statement = statement
            .bind(self.column(|row| row.match_id.0))
            .bind(self.column(|row| row.owner.as_str()))
            .bind(self.column(|row| row.create_request_hash.as_ref().map(<[u8; 32]>::as_slice)))
            .bind(self.column(|row| row.game.as_str()))
            .bind(self.column(|row| row.status.as_str()))
            .bind(self.column(|row| row.visibility.as_str()))
            .bind(self.column(|row| row.created_time.0))
            .bind(self.column(|row| row.started_time.map(|t| t.0)))
            .bind(self.column(|row| row.ended_time.map(|t| t.0)));
        self.bind_seat(1, self.bind_seat(0, statement))
            .bind(self.column(|row| row.winner.map(i16::from)))
            .bind(self.column(|row| row.reason.as_deref()))
            .bind(self.column(|row| row.parent.map(|(id, _)| id.0)))
            .bind(self.column(|row| row.parent.map(|(_, seq)| seq_column(seq))))
    }

    fn bind_seat<'q>(&self, seat: usize, statement: Statement<'q>) -> Statement<'q> {
        let of = |row: &'a MatchRow| -> &'a SeatRow { &row.seats[seat] };
        statement
            .bind(self.column(|row| of(row).player_name.as_deref()))
            .bind(self.column(|row| of(row).token_hash.as_ref().map(<[u8; 32]>::as_slice)))
            .bind(self.column(|row| i64::from(of(row).generation)))
    }

    fn column<T>(&self, value: impl Fn(&'a MatchRow) -> T) -> Vec<T> {
        self.0.iter().map(|row| value(row)).collect()
    }
}
