//! Golden playthroughs: a whole match of each game as readable text, compared exactly with a file. A changed
//! file of a released game means changed rules. `MATCHBOOK_BLESS=1` rewrites the files.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod ludus_magus;

use std::path::Path;
use std::{env, fs};

use rules::{Side, Viewer};

/// The viewers of a playthrough.
const VIEWERS: [Viewer; 3] = [Viewer::Spectator, Viewer::Seat(Side::Zero), Viewer::Seat(Side::One)];

#[test]
fn angels_and_demons() {
    compare("angels_and_demons.txt", &angels_and_demons::playthrough());
}

#[test]
fn ace_exorcist() {
    compare("ace_exorcist.txt", &ace_exorcist::playthrough());
}

#[test]
fn cresnovian_chess() {
    compare("cresnovian_chess.txt", &cresnovian_chess::playthrough());
}

#[test]
fn ludus_magus() {
    compare("ludus_magus.txt", &ludus_magus::playthrough());
}

fn compare(name: &str, out: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if env::var_os("MATCHBOOK_BLESS").is_some_and(|value| value == "1") {
        fs::write(&file, out).expect("the golden file can be written");
    }
    let golden = fs::read_to_string(&file).expect("the golden file is there");
    assert!(golden == out, "{name} differs; MATCHBOOK_BLESS=1 rewrites it.\n{out}");
}

/// Returns the text for every viewer, or once if it is the same for all.
fn facts_by_viewer(text: impl Fn(Viewer) -> String, name: impl Fn(Viewer) -> &'static str) -> String {
    let texts = VIEWERS.map(|viewer| (name(viewer), text(viewer)));
    if texts.iter().all(|(_, out)| *out == texts[0].1) {
        return format!("facts to everybody:\n{}", texts[0].1);
    }
    texts.map(|(name, out)| format!("facts to {name}:\n{out}")).concat()
}
