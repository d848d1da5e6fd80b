//! What stays the same when a walk is repeated: its texts without ids, secrets, hashes, times and sizes, and
//! of JSON the keys at all paths with the kinds of their values.

use std::collections::BTreeSet;

use serde_json::{Deserializer, Value};

/// A part of an output.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    /// Paths and kinds of values of all JSON messages up to the next text.
    Json(BTreeSet<String>),
}

/// Returns the parts of an output in order.
pub(super) fn shape(output: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = output;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        // Server-sent events carry JSON after this prefix.
        let json = rest.strip_prefix("data: ").unwrap_or(rest);
        if let Some((value, length)) = first_json(json) {
            rest = json[length..].trim_start_matches('\n');
            // A watch of a walk that takes its time.
            if value["heartbeat"]["headSeq"].is_number() {
                continue;
            }
            let mut paths = BTreeSet::new();
            add_paths(&value, String::new(), &mut paths);
            match parts.last_mut() {
                Some(Part::Json(known)) => known.extend(paths),
                _ => parts.push(Part::Json(paths)),
            }
        } else {
            if !line.is_empty() {
                parts.push(Part::Text(masked(line)));
            }
            rest = after;
        }
    }
    parts
}

/// Returns the JSON object at the beginning of a text and its length.
fn first_json(text: &str) -> Option<(Value, usize)> {
    if !text.starts_with('{') {
        return None;
    }
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

fn add_paths(value: &Value, path: String, paths: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            // A watch that has just ended may still count; grpcurl leaves 0 out.
            let stable = fields.iter().filter(|(name, _)| *name != "spectatorCount");
            stable.for_each(|(name, value)| add_paths(value, format!("{path}.{name}"), paths));
        }
        Value::Array(items) => {
            paths.insert(format!("{path}: list"));
            items.iter().for_each(|item| add_paths(item, format!("{path}[]"), paths));
        }
        Value::String(text) => _ = paths.insert(format!("{path}: {}", kind(text))),
        Value::Number(_) => _ = paths.insert(format!("{path}: number")),
        Value::Bool(_) => _ = paths.insert(format!("{path}: boolean")),
        Value::Null => _ = paths.insert(format!("{path}: null")),
    }
}

/// Returns the kind of a text; names of enum values stand for themselves.
fn kind(text: &str) -> &str {
    let is_name = |char: char| char.is_ascii_uppercase() || char == '_';
    if text.len() > 3 && text.chars().all(is_name) {
        return text;
    }
    match masked(text).as_str() {
        "ID" => "id",
        "TIME" => "time",
        _ => "text",
    }
}

/// Replaces what differs between two runs.
fn masked(line: &str) -> String {
    let mut line = line.to_owned();
    for (before, end) in [("\"claimSecret\": \"", '"'), ("if-none-match: ", '\'')] {
        line = masked_after(&line, before, |char| char == end);
    }
    for prefix in ["mbs_", "mbp_", "mbc_"] {
        line = masked_after(&line, prefix, |char| !char.is_ascii_alphanumeric() && !"-_".contains(char));
    }
    let mut text = String::new();
    for word in line.split_inclusive(|char: char| !char.is_ascii_alphanumeric() && !"-_+/=:.".contains(char))
    {
        let name = word.trim_end_matches(|char: char| !char.is_ascii_alphanumeric() && char != '=');
        text += &masked_word(name);
        text += &word[name.len()..];
    }
    text
}

/// Replaces the value between `before` and its end everywhere.
fn masked_after(line: &str, before: &str, is_end: impl Fn(char) -> bool) -> String {
    let mut parts = line.split(before);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(&is_end).unwrap_or(part.len());
        text += &format!("{before}SECRET{}", &part[end..]);
    }
    text
}

fn masked_word(word: &str) -> String {
    let pieces: Vec<String> = word.split('/').map(masked_piece).collect();
    pieces.join("/")
}

fn masked_piece(piece: &str) -> String {
    let is_uuid = |text: &str| text.len() == 36 && text.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    let digits = |text: &str| text.chars().all(|char| char.is_ascii_digit());
    let uuid = piece.get(..36).filter(|start| is_uuid(start));
    if let Some(uuid) = uuid {
        return format!("ID{}", &piece[uuid.len()..]);
    }
    if piece.len() > 18 && piece.ends_with('Z') && piece.contains('T') && piece.starts_with("20") {
        return "TIME".to_owned();
    }
    // Sizes of what is generated.
    if piece.len() > 3 && digits(piece) { "NUMBER".to_owned() } else { piece.to_owned() }
}

#[test]
fn another_run_has_the_same_shape_and_another_key_has_not() {
    let run = |id: &str, time: &str, key: &str| {
        format!(
            "### 1. Watch.\n\n$ curl -d '{{\"claimSecret\": \"s{id}\"}}' 127.0.0.1:7420/v1/matches/{id}\n\
             {{\n\"matchId\": \"{id}\", \"{key}\": [{{\"time\": \"{time}\"}}],\n\"kind\": \"KIND_SEAT\"\n}}\n\
             data: {{\"more\": 1}}\n\n({id} has 12345 bytes)\n"
        )
    };
    let one = run("01a2059f-fdfd-75aa-b9a8-e15d9adfaabf", "2026-11-22T23:38:21.053898Z", "seats");
    let parts = shape(&one);
    assert_eq!(parts.len(), 4, "{parts:?}");
    assert_eq!(parts[3], Part::Text("(ID has NUMBER bytes)".to_owned()));
    let Part::Json(paths) = &parts[2] else { panic!("{parts:?}") };
    let expected =
        [".kind: KIND_SEAT", ".matchId: id", ".more: number", ".seats: list", ".seats[].time: time"];
    assert_eq!(paths.iter().collect::<Vec<_>>(), expected);
    let other = run("0198f2c0-5b1e-7c3a-9d51-3f0a64c1e2b7", "2027-01-02T03:04:05Z", "seats");
    assert_eq!(shape(&other), parts);
    assert_ne!(shape(&other.replace("seats", "places")), parts);
    let page = |token: &str| shape(&format!("$ curl '127.0.0.1:7420/v1/games?pageToken=mbp_{token}'\n"));
    assert_eq!(page("aB-_9"), page("zz0"));
    assert_ne!(shape(&other.replace("KIND_SEAT", "KIND_OPEN")), parts);
}
