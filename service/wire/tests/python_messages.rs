//! Renders the stored messages as the tables that the Python verifier reads them by. Auditors run that
//! verifier without tools, so the file is kept; `MATCHBOOK_BLESS=1` rewrites it.

use std::path::PathBuf;
use std::{env, fs};

use prost_reflect::{Cardinality, FieldDescriptor, Kind, MessageDescriptor};
use wire::DESCRIPTORS;

const PACKAGE: &str = "matchbook.log.v1";
const FILE: &str = "../../clients/python/src/matchbook/audit/messages.py";
const HEAD: &str = "\
# Generated from proto/matchbook/log/v1 by: MATCHBOOK_BLESS=1 cargo test -p wire --test python_messages
\"\"\"The messages of events in a log: for each its fields by number.\"\"\"

from .schema import BOOL, BYTES, ENUM, TEXT, UINT32, UINT64, Field, Message
";

#[test]
fn the_python_verifier_has_the_stored_messages() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let fresh = messages();
    if env::var_os("MATCHBOOK_BLESS").is_some() {
        fs::write(&file, &fresh).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), fresh, "MATCHBOOK_BLESS=1 writes the file");
}

/// Returns the file, each message after those that it contains.
fn messages() -> String {
    let mut text = HEAD.to_owned();
    let mut written = Vec::new();
    for message in DESCRIPTORS.all_messages().filter(|message| message.package_name() == PACKAGE) {
        write_message(&mut text, &mut written, &message);
    }
    text
}

fn write_message(text: &mut String, written: &mut Vec<String>, message: &MessageDescriptor) {
    if written.contains(&message.full_name().to_owned()) {
        return;
    }
    written.push(message.full_name().to_owned());
    for field in message.fields() {
        if let Kind::Message(inner) = field.kind() {
            write_message(text, written, &inner);
        }
    }
    let rows = message.fields().map(|field| format!("    {}: {},\n", field.number(), row(&field)));
    let rows: String = rows.collect();
    let start = if rows.is_empty() { "" } else { "\n" };
    *text += &format!("\n{}: Message = {{{start}{rows}}}\n", constant(message.name()));
}

/// Returns the table's row of a field. The absence of a nested message differs from an empty one.
fn row(field: &FieldDescriptor) -> String {
    let mut row = format!("Field(\"{}\", {}", field.name(), type_of(field));
    if field.cardinality() == Cardinality::Repeated {
        row += ", repeated=True";
    } else if field.supports_presence() {
        row += ", optional=True";
    }
    if let Some(oneof) = field.containing_oneof().filter(|oneof| !oneof.is_synthetic()) {
        row += &format!(", oneof=\"{}\"", oneof.name());
    }
    row + ")"
}

fn type_of(field: &FieldDescriptor) -> String {
    match field.kind() {
        Kind::Uint32 => "UINT32".to_owned(),
        Kind::Uint64 => "UINT64".to_owned(),
        Kind::Bool => "BOOL".to_owned(),
        Kind::Enum(_) => "ENUM".to_owned(),
        Kind::Bytes => "BYTES".to_owned(),
        Kind::String => "TEXT".to_owned(),
        Kind::Message(message) => constant(message.name()),
        other => panic!("the Python verifier reads no field of type {other:?}: add it to schema.py"),
    }
}

/// Returns `SEAT_CLAIMED` for `SeatClaimed`.
fn constant(name: &str) -> String {
    let mut constant = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !constant.is_empty() {
            constant.push('_');
        }
        constant.push(letter.to_ascii_uppercase());
    }
    constant
}
