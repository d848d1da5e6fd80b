//! The report on a file, as `matchbook verify --json` prints it, with the name of the service.

use audit::{LogFile, PublicKey, Trust, keys_in};
use rules::Games;
use serde_json::{Value, json};

/// Verifies a file, trusting those of the keys that are its service's.
pub(crate) fn of(bytes: &[u8], keys: &str) -> Value {
    let file = match LogFile::read(bytes) {
        Ok((file, _)) => file,
        Err(error) => return json!({ "verdict": "unreadable", "problem": error.to_string() }),
    };
    let is_of_service = |key: &PublicKey| key.name().to_string() == file.header.service;
    let keys = keys_in(keys).filter(is_of_service).collect();
    let trust = Trust { keys, receipts: Vec::new(), games: Games::built_in() };
    let mut report = file.verify(&trust).to_json();
    report["service"] = file.header.service.clone().into();
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = include_bytes!("../../../../service/audit/tests/forged/control-resignation.jsonl");
    const FORGED: &[u8] = include_bytes!("../../../../service/audit/tests/forged/abort-after-a-move.jsonl");

    #[test]
    fn a_key_counts_only_for_the_service_that_it_names() {
        let unknown = of(FILE, "");
        assert_eq!(unknown["verdict"], "key_unknown");
        let key = unknown["signedBy"].as_str().unwrap().to_owned();
        assert!(key.starts_with(unknown["service"].as_str().unwrap()));
        assert_eq!(of(FILE, &key)["verdict"], "verified");
        assert_eq!(of(FILE, &format!("# mine\n{key}\n"))["verdict"], "verified");
        let elsewhere = "example.org+c4f8ea10+AU4pcH1oXTr5fZsjlqtrzb0aSGsiPsNtHWvxgAuk6JYw";
        assert_eq!(of(FILE, elsewhere)["verdict"], "key_unknown");
    }

    #[test]
    fn a_forged_file_is_refused_and_other_bytes_are_unreadable() {
        assert_eq!(of(FORGED, "")["verdict"], "refused");
        assert!(of(FORGED, "")["failure"]["seq"].is_number());
        for bytes in [b"".as_slice(), b"{", b"\xff\xfe", &FILE[..FILE.len() / 2]] {
            let report = of(bytes, "");
            assert_eq!(report["verdict"], "unreadable");
            assert!(!report["problem"].as_str().unwrap().is_empty());
        }
    }
}
