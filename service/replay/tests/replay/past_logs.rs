//! Logs of earlier versions must load for ever. Each file is a log as it was
//! written once; the test never rewrites one, it only adds what is new.

use std::{fmt::Write as _, fs, path::PathBuf};

use replay::{Record, Sealed};

use crate::sample::{Log, fold};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/past_logs")
}

/// One event a line: seq, time, kind, hash, public part, sealed part.
fn write(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        let sealed = record.sealed.as_ref().map_or_else(|| "-".to_owned(), |sealed| hex(sealed.as_bytes()));
        writeln!(
            text,
            "{} {} {} {} {} {sealed}",
            record.seq,
            record.recorded_time,
            record.kind,
            hex(&record.hash),
            if record.public.is_empty() { "-".to_owned() } else { hex(&record.public) },
        )
        .unwrap();
    }
    text
}

fn read(text: &str) -> Vec<Record> {
    let record = |line: &str| {
        let fields: Vec<_> = line.split(' ').collect();
        Record {
            seq: fields[0].parse().unwrap(),
            recorded_time: fields[1].parse().unwrap(),
            kind: fields[2].parse().unwrap(),
            hash: bytes(fields[3]).try_into().unwrap(),
            public: bytes(fields[4]).into(),
            sealed: (fields[5] != "-").then(|| Sealed::from_bytes(bytes(fields[5]).into()).unwrap()),
        }
    };
    text.lines().map(record).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    if hex == "-" {
        return Vec::new();
    }
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn every_past_log_still_folds_to_its_result() {
    let mut count = 0;
    for file in fs::read_dir(folder()).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let (position, _) = fold(&read(&text)).unwrap();
        assert!(position.result().is_some());
        count += 1;
    }
    assert!(count > 0, "the folder of past logs is empty");
}

#[test]
fn a_log_written_today_has_the_bytes_of_the_first_version() {
    let mut log = Log::started(4, 4, 2);
    log.play_out(9);
    let path = folder().join("angels_and_demons_1.txt");
    if std::env::var_os("MATCHBOOK_BLESS").is_some() && !path.exists() {
        fs::create_dir_all(folder()).unwrap();
        fs::write(&path, write(&log.records)).unwrap();
    }
    assert_eq!(write(&log.records), fs::read_to_string(path).unwrap());
}
