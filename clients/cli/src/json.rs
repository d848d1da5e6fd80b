//! Messages as canonical ProtoJSON: lowerCamelCase, all fields shown, on one
//! line.

use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor, SerializeOptions};

/// A message of `matchbook.v1` as one line of JSON, without the line break.
pub(crate) fn line(name: &str, message: &impl Message) -> String {
    let dynamic = DynamicMessage::decode(descriptor(name), message.encode_to_vec().as_slice())
        .expect("a message decodes by its own descriptor");
    let mut json = serde_json::Serializer::new(Vec::new());
    dynamic
        .serialize_with_options(&mut json, &SerializeOptions::new().skip_default_fields(false))
        .expect("a decoded message has a JSON form");
    safe(&String::from_utf8(json.into_inner()).expect("JSON is UTF-8"))
}

/// JSON with the characters escaped that JSON allows but terminals obey.
pub(crate) fn safe(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        // Only such characters are replaced by `printable`; outside of strings
        // JSON has none of them.
        if board::printable(c.encode_utf8(&mut [0; 4])).starts_with(c) {
            safe.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    safe
}

/// The descriptor of a message of `matchbook.v1`.
pub(crate) fn descriptor(name: &str) -> MessageDescriptor {
    wire::DESCRIPTORS
        .get_message_by_name(&format!("matchbook.v1.{name}"))
        .expect("commands name messages that the protos have")
}

#[cfg(test)]
mod tests {
    use wire::v1::{GetViewResponse, SeatStatus, View};

    use super::*;

    #[test]
    fn defaults_are_shown_and_what_is_absent_is_not() {
        let view = View { seq: 7, ..View::default() };
        let line = line("GetViewResponse", &GetViewResponse { view: Some(view), ..Default::default() });
        let json: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(json["headSeq"], 0);
        assert_eq!(json["view"]["status"], "MATCH_STATUS_UNSPECIFIED");
        assert_eq!(json["view"]["toAct"], serde_json::json!([]));
        assert!(json["view"].get("result").is_none());
        assert!(!line.contains('\n'));
    }

    #[test]
    fn names_can_not_drive_the_terminal_and_come_back_whole() {
        let name = "D\u{9b}31m\u{7f}\u{202e}\u{e0041}is";
        let line = line("SeatStatus", &SeatStatus { player_name: name.to_owned(), ..SeatStatus::default() });
        assert!(!line.chars().any(char::is_control));
        let json: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(json["playerName"], name);
    }
}
