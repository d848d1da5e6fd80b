//! The two forms of a file have the same content and one spelling each.

use audit::{FileError, FileForm, LogFile};
use rules::Viewer;

use crate::exported::{bytes, export, finished, half_a_turn};

const FORMS: [FileForm; 2] = [FileForm::Json, FileForm::Binary];

#[test]
fn both_forms_survive_the_round_trip_byte_for_byte() {
    for log in finished() {
        let json = bytes(&log, Viewer::Spectator, FileForm::Json);
        let binary = bytes(&log, Viewer::Spectator, FileForm::Binary);
        let (from_json, form) = LogFile::read(&json).unwrap();
        assert_eq!(form, FileForm::Json);
        let (from_binary, form) = LogFile::read(&binary).unwrap();
        assert_eq!(form, FileForm::Binary);
        assert!(from_json == from_binary);
        assert_eq!(from_binary.write(FileForm::Json), json);
        assert_eq!(from_json.write(FileForm::Binary), binary);
    }
}

/// The reader accepts no second spelling of a content, and never panics.
#[test]
fn a_file_with_a_changed_byte_is_rejected_or_canonical() {
    let log = half_a_turn();
    for form in FORMS {
        let whole = bytes(&log, Viewer::Spectator, form);
        for at in 0..whole.len() {
            for bit in [1, 0x20, 0x80] {
                let mut changed = whole.clone();
                changed[at] ^= bit;
                if let Ok((file, form)) = LogFile::read(&changed) {
                    assert_eq!(file.write(form), changed, "byte {at}");
                }
            }
        }
    }
}

#[test]
fn other_spellings_of_the_same_content_are_rejected() {
    let json = String::from_utf8(bytes(&half_a_turn(), Viewer::Spectator, FileForm::Json)).unwrap();
    let changed = [
        json.replacen("\"seq\":1,", "\"seq\": 1,", 1),
        json.replacen("\"seq\":1,", "\"seq\":01,", 1),
        json.replacen("\"seq\":1,", "\"seq\":1.0,", 1),
        json.replacen("\"kind\":1,", "", 1),
        json.replacen('\n', "\r\n", 1),
        json.replacen('\n', "\n\n", 1),
        json.replacen("play.example", "play\\u002eexample", 1),
        json.trim_end().to_owned(),
        json.clone() + "\n",
        json.replacen("=\"", "\"", 1),
    ];
    for (at, other) in changed.iter().enumerate() {
        assert_ne!(*other, json, "{at}");
        let error = LogFile::read(other.as_bytes()).err().expect("another spelling was accepted");
        assert!(matches!(error, FileError::Record { .. }), "{at}: {error}");
    }
}

#[test]
fn an_error_tells_which_record_is_wrong_counted_from_1() {
    let file = export(&half_a_turn(), Viewer::Spectator);
    for form in FORMS {
        // No text, and the length of a longer record.
        let whole = [&file.write(form)[..], b"\xff\n"].concat();
        let error = LogFile::read(&whole).err();
        let added = file.events.len() + 3;
        assert!(matches!(error, Some(FileError::Record { record, .. }) if record == added), "{error:?}");
    }
}

#[test]
fn a_text_has_no_control_characters_in_either_form() {
    for control in ['\u{7f}', '\u{9b}', '\u{1b}'] {
        let mut file = export(&half_a_turn(), Viewer::Spectator);
        file.header.game.push(control);
        for form in FORMS {
            let error = LogFile::read(&file.write(form)).err();
            assert!(matches!(error, Some(FileError::Record { .. })), "{form:?}, {control:?}: {error:?}");
        }
    }
}

#[test]
fn truncated_files_are_rejected() {
    for form in FORMS {
        let whole = bytes(&half_a_turn(), Viewer::Spectator, form);
        for end in 0..whole.len() {
            assert!(LogFile::read(&whole[..end]).is_err(), "{form:?} cut at {end}");
        }
    }
    let json = bytes(&half_a_turn(), Viewer::Spectator, FileForm::Json);
    let lines: Vec<_> = json.split_inclusive(|&byte| byte == b'\n').collect();
    let cut = lines[..lines.len() - 1].concat();
    assert_eq!(LogFile::read(&cut).err(), Some(FileError::NoHead { records: lines.len() - 1 }));
}

#[test]
fn unknown_forms_and_versions_are_rejected() {
    assert_eq!(LogFile::read(b"").err(), Some(FileError::UnknownForm));
    assert_eq!(LogFile::read(b"hello").err(), Some(FileError::UnknownForm));
    let later = b"{\"header\":{\"formatVersion\":2,\"service\":\"a\",\"matchId\":\"b\",\
        \"gameId\":\"c\",\"rulesVersion\":1}}\n";
    assert_eq!(LogFile::read(later).err(), Some(FileError::FormatVersion(2)));
}

/// The REST response of `ExportLog` is the file.
#[test]
fn the_json_form_is_canonical_proto_json() {
    use prost::Message as _;
    use prost_reflect::{DynamicMessage, SerializeOptions};
    use wire::v1::ExportLogResponse;

    let file = export(&half_a_turn(), Viewer::Spectator);
    let mut rest = &file.write(FileForm::Binary)[8..];
    let descriptor = wire::DESCRIPTORS.get_message_by_name("matchbook.v1.ExportLogResponse").unwrap();
    let mut lines = Vec::new();
    while !rest.is_empty() {
        let record = ExportLogResponse::decode_length_delimited(&mut rest).unwrap();
        let message = DynamicMessage::decode(descriptor.clone(), record.encode_to_vec().as_slice()).unwrap();
        let mut json = serde_json::Serializer::new(&mut lines);
        let options = SerializeOptions::new().skip_default_fields(false);
        message.serialize_with_options(&mut json, &options).unwrap();
        lines.push(b'\n');
    }
    assert_eq!(String::from_utf8(lines), String::from_utf8(file.write(FileForm::Json)));
}
