//! The test vectors of `docs/audit.md`, made anew and compared with the page. `MATCHBOOK_BLESS=1` writes them there.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use event::{Event, MatchId, RecordedTime, Seq};
use rules::games::angels_and_demons as ad;
use rules::{BySeat, Move, Options, Seat, Viewer};
use uuid::Uuid;
use wire::v1 as proto;

use crate::digest::DigestKey;
use crate::note::hex;
use crate::{Draft, FileForm, FileWriter, KeyName, NewMatch, Origin, Phase, Position, Signer, seed};

const BEGIN: &str = "<!-- vectors -->\n";
const END: &str = "<!-- /vectors -->\n";

/// A whole match of one turn.
fn log() -> (Position, Vec<Event>) {
    let options = ad::Options { rows: 3, cols: 3, turns: 1 };
    let new = NewMatch {
        match_id: MatchId(Uuid::from_bytes([7; 16])),
        origin: Origin::Opening { options: Options::AngelsAndDemons(options), rematch_of: None },
        visibility: proto::Visibility::Public,
        timing: None,
        salt: [1; 32],
        seed_bytes: [2; 32],
    };
    let mut draft = Draft::create(&new, RecordedTime(1_790_000_000_000_000)).unwrap();
    draft.claim(Seat::Zero, "Ada", b"angel".to_vec(), [3; 32]).unwrap();
    draft.claim(Seat::One, "Bob", Vec::new(), [4; 32]).unwrap();
    let choose = |row, col| Move::AngelsAndDemons(ad::Move::Choose(ad::Space { row, col }));
    draft.submit(Seat::One, &choose(3, 3), [5; 32]).unwrap();
    draft.submit(Seat::Zero, &choose(2, 2), [6; 32]).unwrap();
    let ended = draft.finish();
    (ended.position, ended.events)
}

fn vectors() -> String {
    let signer = Signer::new("play.example".parse::<KeyName>().unwrap(), &[1; 32]);
    let (position, records) = log();
    let seed = seed::derive(position.match_id, &[2; 32], &BySeat::new(b"angel".to_vec(), Vec::new()));
    let key = DigestKey::derive(&seed, position.match_id);
    let Phase::Over(finished) = &position.phase else { panic!("the match is over") };
    let canonical = finished.state.as_ref().unwrap().canonical();
    let head = position.head_signed(&signer);

    let mut text = String::new();
    let mut tell = |name: &str, value: &str| writeln!(text, "    {name:<18}{value}").unwrap();
    tell("public key", &head.public_key);
    tell("seed", &hex(&seed));
    tell("canonical state", &hex(&canonical));
    tell("its digest, seq 8", &hex(&key.digest(Seq(8), &canonical)));
    for record in &records {
        tell(&format!("hash of event {}", record.seq), &hex(&record.hash));
    }
    text += "\nThe note:\n\n";
    text.extend(head.note.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n"));
    text += "\nThe file in JSON form (its lines are indented here):\n\n";
    let mut writer = FileWriter::new(FileForm::Json);
    let events = records.iter().map(|record| position.record_shown(record, Viewer::Spectator));
    let record = proto::export_log_response::Record::Head(head);
    let head = proto::ExportLogResponse { record: Some(record) };
    for record in
        [position.header_shown(&"play.example".parse().unwrap())].into_iter().chain(events).chain([head])
    {
        write!(text, "    {}", String::from_utf8(writer.record(&record)).unwrap()).unwrap();
    }
    text
}

#[test]
fn the_page_has_these_vectors() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/audit.md");
    let page = fs::read_to_string(&path).unwrap();
    let begin = page.find(BEGIN).expect("the page marks its vectors") + BEGIN.len();
    let end = page.find(END).expect("the page marks their end");
    let fresh = format!("\n{}\n", vectors());
    if std::env::var_os("MATCHBOOK_BLESS").is_some() {
        fs::write(&path, format!("{}{fresh}{}", &page[..begin], &page[end..])).unwrap();
    } else {
        assert_eq!(&page[begin..end], fresh, "MATCHBOOK_BLESS=1 writes them");
    }
}
