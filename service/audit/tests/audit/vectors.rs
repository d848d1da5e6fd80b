//! Compares the test vectors in `docs/audit.md` with fresh ones; `MATCHBOOK_BLESS=1` updates them. Seed and
//! digest are computed here as the page describes them, not by the code under test.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use audit::{FileForm, FileWriter, KeyName, Signer};
use event::{Event, MatchId, RecordTime, Seat};
use hmac::{Hmac, KeyInit, Mac};
use replay::{Decision, GivenTerms, NewMatch, Position, StartingPosition, side_of_seat};
use rules::games::angels_and_demons as ad;
use rules::{Games, Move, Options, Seed, State, Viewer};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use wire::v1::{ExportLogResponse, Visibility, export_log_response};

const BEGIN: &str = "<!-- vectors -->\n";
const END: &str = "<!-- /vectors -->\n";

const MATCH_ID: MatchId = MatchId(Uuid::from_bytes([7; 16]));
const OPTIONS: ad::Options = ad::Options { rows: 3, cols: 3, turns: 1 };

/// Each seat's choice in the only turn.
const CHOICES: [(Seat, ad::Space); 2] =
    [(Seat::ALL[1], ad::Space { row: 3, col: 3 }), (Seat::ALL[0], ad::Space { row: 2, col: 2 })];

fn options() -> Options {
    Options::AngelsAndDemons(OPTIONS)
}

fn choose(space: ad::Space) -> Move {
    Move::AngelsAndDemons(ad::Move::Choose(space))
}

/// Plays a whole match.
fn played() -> (Position, Vec<Event>) {
    let new = NewMatch {
        games: Games::built_in(),
        match_id: MATCH_ID,
        start: StartingPosition::Opening {
            options: options(),
            rules_version: 1,
            given: GivenTerms::default(),
            rematch_of: None,
        },
        visibility: Visibility::Public,
        clock_settings: None,
        salt: [1; 32],
        seed_bytes: [2; 32],
    };
    let mut decision = Decision::create(&new, RecordTime(1_790_000_000_000_000)).unwrap();
    decision.claim(Seat::ALL[0], "Ada", b"angel".to_vec(), [3; 32]).unwrap();
    decision.claim(Seat::ALL[1], "Bob", Vec::new(), [4; 32]).unwrap();
    for ((seat, space), salt) in CHOICES.into_iter().zip([[5; 32], [6; 32]]) {
        decision.submit(seat, &choose(space), salt).unwrap();
    }
    let decided = decision.finish();
    (decided.position, decided.events)
}

/// Plays the same moves on the rules alone.
fn canonical_state(seed: [u8; 32]) -> Vec<u8> {
    let mut state = State::setup(&options(), &Seed::new(seed)).unwrap();
    for (seat, space) in CHOICES {
        state = state.play(side_of_seat(seat).unwrap(), &choose(space)).unwrap().state;
    }
    state.reveal().unwrap().state.canonical()
}

fn seed() -> [u8; 32] {
    let hash = Sha256::new().chain_update(b"matchbook.seed.v1\0").chain_update(MATCH_ID.0.as_bytes());
    hash.chain_update([2; 32]).chain_update([5]).chain_update(b"angel").chain_update([0]).finalize().into()
}

fn digest(seed: [u8; 32], seq: u32, canonical: &[u8]) -> Vec<u8> {
    let key = Sha256::new().chain_update(b"matchbook.digest.v1\0").chain_update(seed);
    let key = key.chain_update(MATCH_ID.0.as_bytes()).finalize();
    let mac = Hmac::<Sha256>::new_from_slice(&key).unwrap().chain_update(seq.to_be_bytes());
    mac.chain_update(canonical).finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn vectors() -> String {
    let name: KeyName = "play.example".parse().unwrap();
    let signer = Signer::new(name.clone(), &[1; 32]);
    let (position, events) = played();
    let canonical = canonical_state(seed());
    let head = audit::sign_head(&position, &signer);

    let mut text = String::new();
    let mut line = |name: &str, value: &str| writeln!(text, "    {name:<18}{value}").unwrap();
    line("public key", &head.public_key);
    line("seed", &hex(&seed()));
    line("canonical state", &hex(&canonical));
    line("its digest, seq 8", &hex(&digest(seed(), 8, &canonical)));
    for event in &events {
        line(&format!("hash of event {}", event.seq), &hex(&event.hash));
    }
    text += "\nThe note:\n\n";
    text.extend(head.note.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n"));
    text += "\nThe file in JSON form (its lines are indented here):\n\n";
    let mut writer = FileWriter::new(FileForm::Json);
    let header = audit::header_record(&position, &name);
    let redacted = events.iter().map(|event| position.redacted_for(Viewer::Spectator, event));
    let events = redacted.map(|event| audit::event_record(&event));
    let head = ExportLogResponse { record: Some(export_log_response::Record::Head(head)) };
    for record in [header].into_iter().chain(events).chain([head]) {
        write!(text, "    {}", String::from_utf8(writer.record(&record)).unwrap()).unwrap();
    }
    text
}

#[test]
fn the_page_has_current_vectors() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/audit.md");
    let page = fs::read_to_string(&path).unwrap();
    let begin = page.find(BEGIN).expect("the page marks the start of its vectors") + BEGIN.len();
    let end = page.find(END).expect("the page marks the end of its vectors");
    let fresh = format!("\n{}\n", vectors());
    if std::env::var_os("MATCHBOOK_BLESS").is_some() {
        fs::write(&path, format!("{}{fresh}{}", &page[..begin], &page[end..])).unwrap();
    } else {
        assert_eq!(&page[begin..end], fresh, "MATCHBOOK_BLESS=1 updates the page");
    }
}
