//! Log files: reading, exporting, comparing a fork with its parent, and the report of their verification.

mod lineage;
mod manifest;
mod source;
mod verify_report;

pub(crate) use lineage::{Lineage, Parents};
pub(crate) use manifest::Manifest;
pub(crate) use source::{export_log, read_log_file, write_file};
pub(crate) use verify_report::{report_as_json, report_as_text, unreadable_as_json, unreadable_as_text};
