//! What SQLite and Postgres share: the columns of the tables, in one place each, and the types of the rows
//! they return.
//!
//! A statement that needs all columns of a table has placeholders such as `{match_columns}` in its `.sql`
//! file. They are filled from the same table of columns that binds the values, so names and values can't get
//! out of step.

mod archive;
mod columns;
mod deadline;
mod event;
mod feed;
mod labels;
mod listing;
mod matches;
mod migrations;
mod row;
mod seats;
mod service;
mod sharded;
mod values;
mod walks;
mod webhooks;
mod writers;

pub(crate) use self::archive::{
    NeedsRow, PlaceRow, SegmentColumns, decode_cursor, decode_needs, decode_place, decode_segment,
};
pub(crate) use self::columns::{Column, Value, assignments, names};
pub(crate) use self::deadline::{DEADLINE_COLUMNS, DeadlineRow};
pub(crate) use self::event::{EventRow, event_columns, event_parameters};
pub(crate) use self::feed::{FeedEventRow, scope_parameters};
pub(crate) use self::labels::{LabelOfMatch, by_match, label_columns};
pub(crate) use self::listing::{LookUp, list_query};
pub(crate) use self::matches::match_columns;
pub(crate) use self::migrations::{MigrationFile, migrator};
pub(crate) use self::row::row;
pub(crate) use self::seats::{JoinedRow, SEAT_COLUMNS, full_selection, gather, joined_selection};
pub(crate) use self::service::{ServiceRow, rebind_outcome};
pub(crate) use self::sharded::{Sharded, for_shards, in_shard};
pub(crate) use self::values::{decode_head, decode_match_head, encode_seq};
pub(crate) use self::walks::last_candidate_query;
pub(crate) use self::webhooks::{StoredDelivery, StoredWebhook, encode_event, encode_kinds};
pub(crate) use self::writers::{WriterRow, writer_snapshot};

/// Replaces the placeholders of a statement's template.
pub(crate) fn fill(template: &str, placeholders: &[(&str, String)]) -> String {
    let columns = [
        ("{event_columns}", names(&event_columns())),
        ("{match_columns}", names(match_columns())),
        ("{match_assignments}", assignments(match_columns(), "match_id")),
        ("{seat_columns}", names(&SEAT_COLUMNS)),
        ("{deadline_columns}", names(&DEADLINE_COLUMNS)),
        ("{label_columns}", names(&label_columns())),
    ];
    let all = columns.iter().chain(placeholders);
    all.fold(template.to_owned(), |sql, (placeholder, text)| sql.replace(placeholder, text))
}
