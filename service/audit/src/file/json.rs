//! The JSON form: one line per record, in canonical ProtoJSON without spaces. The reader accepts exactly what
//! the writer writes, so nothing has to be compared afterwards.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use wire::v1::export_log_response::Record;
use wire::v1::{ExportLogResponse, LogEvent, LogHead, LogHeader};

use super::FileError;
use super::scan::Scan;

/// Formats a record as a line, line feed included.
pub(super) fn line(record: &ExportLogResponse) -> Vec<u8> {
    let mut line = match &record.record {
        Some(Record::Header(header)) => header_line(header),
        Some(Record::Event(event)) => event_line(event),
        Some(Record::Head(head)) => head_line(head),
        None => "{}".to_owned(),
    };
    line.push('\n');
    line.into_bytes()
}

fn header_line(header: &LogHeader) -> String {
    format!(
        "{{\"header\":{{\"formatVersion\":{},\"service\":\"{}\",\"matchId\":\"{}\",\
         \"gameId\":\"{}\",\"rulesVersion\":{}}}}}",
        header.format_version,
        escaped(&header.service),
        escaped(&header.match_id),
        escaped(&header.game_id),
        header.rules_version
    )
}

fn event_line(event: &LogEvent) -> String {
    let optional = |name: &str, bytes: &Option<Vec<u8>>| match bytes {
        Some(bytes) => format!(",\"{name}\":\"{}\"", STANDARD.encode(bytes)),
        None => String::new(),
    };
    format!(
        "{{\"event\":{{\"seq\":{},\"recordTimeUs\":\"{}\",\"kind\":{},\
         \"publicPart\":\"{}\"{}{},\"hash\":\"{}\"}}}}",
        event.seq,
        event.record_time_us,
        event.kind,
        STANDARD.encode(&event.public_part),
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

/// Escapes the contents of a JSON string. Records have no characters that need other escapes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Reads the records of a file.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<ExportLogResponse>, FileError> {
    let mut records = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let index = records.len() + 1;
        let bad = |problem| FileError::Record { record: index, problem };
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or(bad("its line has no line feed"))?;
        let line = str::from_utf8(&rest[..end]).map_err(|_| bad("it is not UTF-8"))?;
        records.push(ExportLogResponse { record: Some(read_line(line).map_err(bad)?) });
        rest = &rest[end + 1..];
    }
    Ok(records)
}

fn read_line(line: &str) -> Result<Record, &'static str> {
    let mut scan = Scan::new(line);
    let read = if scan.skip("{\"event\":{\"seq\":") {
        Record::Event(read_event(&mut scan)?)
    } else if scan.skip("{\"header\":{\"formatVersion\":") {
        Record::Header(read_header(&mut scan)?)
    } else if scan.skip("{\"head\":{\"note\":") {
        Record::Head(read_head(&mut scan)?)
    } else {
        return Err("it must be a header, an event or a head");
    };
    scan.expect("}}")?;
    scan.expect_end()?;
    Ok(read)
}

fn read_header(scan: &mut Scan<'_>) -> Result<LogHeader, &'static str> {
    Ok(LogHeader {
        format_version: scan.number()?,
        service: scan.expect(",\"service\":")?.text()?,
        match_id: scan.expect(",\"matchId\":")?.text()?,
        game_id: scan.expect(",\"gameId\":")?.text()?,
        rules_version: scan.expect(",\"rulesVersion\":")?.number()?,
    })
}

fn read_event(scan: &mut Scan<'_>) -> Result<LogEvent, &'static str> {
    Ok(LogEvent {
        seq: scan.number()?,
        record_time_us: scan.expect(",\"recordTimeUs\":")?.quoted_number()?,
        kind: scan.expect(",\"kind\":")?.number()?,
        public_part: scan.expect(",\"publicPart\":")?.bytes()?,
        commitment: scan.optional_bytes(",\"commitment\":")?,
        opened: scan.optional_bytes(",\"opened\":")?,
        hash: scan.expect(",\"hash\":")?.bytes()?,
    })
}

fn read_head(scan: &mut Scan<'_>) -> Result<LogHead, &'static str> {
    Ok(LogHead { note: scan.text()?, public_key: scan.expect(",\"publicKey\":")?.text()? })
}
