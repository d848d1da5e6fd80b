//! Maps in JSON: the same message prints the same text.

use prost_reflect::{DynamicMessage, MapKey, Value};
use transcode::message_json;

use crate::pool;

#[test]
fn keys_of_maps_are_printed_in_order_and_fields_as_declared() {
    let pool = pool::compile("library.proto", include_str!("library.proto"));
    let name = pool.all_messages().find(|message| message.name() == "Book").unwrap().full_name().to_owned();
    let book = |notes: i32| {
        let mut book = DynamicMessage::new(pool.get_message_by_name(&name).unwrap());
        let notes = (0..notes).map(|key| (MapKey::I32(key), Value::String(format!("note {key}"))));
        book.set_field_by_name("notes", Value::Map(notes.collect()));
        book.set_field_by_name("title", Value::String("T".to_owned()));
        message_json(&pool, &name, &book).unwrap()
    };
    // One key needs no order: this is how all other messages are printed.
    let one = book(1);
    let nine = book(9);
    let notes: Vec<_> = (0..9).map(|key| format!(r#""{key}":"note {key}""#)).collect();
    assert_eq!(nine, one.replace(r#""0":"note 0""#, &notes.join(",")));
    assert!((0..20).all(|_| book(9) == nine));
}
