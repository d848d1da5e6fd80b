//! The JSON form: a line a record, as canonical ProtoJSON without blanks. The reader takes exactly what the writer writes,
//! so there is nothing to compare afterwards.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use wire::v1::export_log_response::Record as Line;
use wire::v1::{ExportLogResponse, LogEvent, LogHead, LogHeader};

use super::FileError;
use super::scan::Scan;

/// A record as its line, line feed included.
pub(super) fn line(record: &ExportLogResponse) -> Vec<u8> {
    let mut line = match &record.record {
        Some(Line::Header(header)) => header_line(header),
        Some(Line::Event(event)) => event_line(event),
        Some(Line::Head(head)) => head_line(head),
        None => "{}".to_owned(),
    };
    line.push('\n');
    line.into_bytes()
}

fn header_line(header: &LogHeader) -> String {
    format!(
        "{{\"header\":{{\"formatVersion\":{},\"service\":\"{}\",\"matchId\":\"{}\",\"game\":\"{}\",\"rulesVersion\":{}}}}}",
        header.format_version,
        escaped(&header.service),
        escaped(&header.match_id),
        escaped(&header.game),
        header.rules_version
    )
}

fn event_line(event: &LogEvent) -> String {
    let optional = |name: &str, bytes: &Option<Vec<u8>>| match bytes {
        Some(bytes) => format!(",\"{name}\":\"{}\"", STANDARD.encode(bytes)),
        None => String::new(),
    };
    format!(
        "{{\"event\":{{\"seq\":{},\"recordedTime\":\"{}\",\"kind\":{},\"public\":\"{}\"{}{},\"hash\":\"{}\"}}}}",
        event.seq,
        event.recorded_time,
        event.kind,
        STANDARD.encode(&event.public),
        optional("commitment", &event.commitment),
        optional("opened", &event.opened),
        STANDARD.encode(&event.hash)
    )
}

fn head_line(head: &LogHead) -> String {
    format!(
        "{{\"head\":{{\"note\":\"{}\",\"publicKey\":\"{}\"}}}}",
        escaped(&head.note),
        escaped(&head.public_key)
    )
}

/// The inside of a JSON string. What needs more than these escapes no record has.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// The records of a file.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<ExportLogResponse>, FileError> {
    let mut records = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let at = records.len() + 1;
        let bad = |problem| FileError::Record { record: at, problem };
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or(bad("its line has no end"))?;
        let line = str::from_utf8(&rest[..end]).map_err(|_| bad("it is not UTF-8"))?;
        records.push(ExportLogResponse { record: Some(read_line(line).map_err(bad)?) });
        rest = &rest[end + 1..];
    }
    Ok(records)
}

fn read_line(line: &str) -> Result<Line, &'static str> {
    let mut scan = Scan::new(line);
    let read = if scan.skips("{\"event\":{\"seq\":") {
        Line::Event(read_event(&mut scan)?)
    } else if scan.skips("{\"header\":{\"formatVersion\":") {
        Line::Header(read_header(&mut scan)?)
    } else if scan.skips("{\"head\":{\"note\":") {
        Line::Head(read_head(&mut scan)?)
    } else {
        return Err("it is a header, an event or a head");
    };
    scan.expect("}}")?;
    scan.end()?;
    Ok(read)
}

fn read_header(scan: &mut Scan<'_>) -> Result<LogHeader, &'static str> {
    Ok(LogHeader {
        format_version: scan.number()?,
        service: scan.expect(",\"service\":")?.text()?,
        match_id: scan.expect(",\"matchId\":")?.text()?,
        game: scan.expect(",\"game\":")?.text()?,
        rules_version: scan.expect(",\"rulesVersion\":")?.number()?,
    })
}

fn read_event(scan: &mut Scan<'_>) -> Result<LogEvent, &'static str> {
    Ok(LogEvent {
        seq: scan.number()?,
        recorded_time: scan.expect(",\"recordedTime\":")?.quoted_number()?,
        kind: scan.expect(",\"kind\":")?.number()?,
        public: scan.expect(",\"public\":")?.bytes()?,
        commitment: scan.optional_bytes(",\"commitment\":")?,
        opened: scan.optional_bytes(",\"opened\":")?,
        hash: scan.expect(",\"hash\":")?.bytes()?,
    })
}

fn read_head(scan: &mut Scan<'_>) -> Result<LogHead, &'static str> {
    Ok(LogHead { note: scan.text()?, public_key: scan.expect(",\"publicKey\":")?.text()? })
}
