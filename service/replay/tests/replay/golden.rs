//! What viewers are shown of a match of each game, compared with `tests/golden`: views between and within
//! turns, and one fact of every shape. `MATCHBOOK_BLESS=1` writes the files; read the diff before you commit.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use event::Seat;
use rules::{GameId, Viewer};

use crate::sample::{Log, random_match, replay};

const VIEWERS: [Viewer<Seat>; 3] =
    [Viewer::Seat(Seat::ALL[0]), Viewer::Seat(Seat::ALL[1]), Viewer::Spectator];

/// Number of matches whose facts are shown.
const MATCHES: u8 = 8;

#[test]
fn views_and_facts_are_those_of_the_golden_files() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for game in GameId::ALL {
        let logs: Vec<_> = (0..MATCHES).map(|seed| random_match(game, seed)).collect();
        let shown = views(&logs[0]) + &facts(&logs);
        let path = folder.join(format!("{game}.txt"));
        if std::env::var_os("MATCHBOOK_BLESS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, shown).unwrap();
            continue;
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        let different = kept.lines().zip(shown.lines()).find(|(kept, shown)| kept != shown);
        assert!(kept == shown, "{game}.txt differs; MATCHBOOK_BLESS=1 writes it: {different:?}");
    }
}

/// Shows a match after its start, after the next event, in the middle and at its end.
fn views(log: &Log) -> String {
    let mut text = String::new();
    for events in [4, 5, log.events.len() / 2, log.events.len()] {
        let (position, _) = replay(&log.events[..events]).unwrap();
        let mut shown = BTreeSet::new();
        for viewer in VIEWERS {
            let view = format!("{:#?}", position.shown(viewer).game_view);
            // Where nothing is hidden, everybody sees the same.
            if shown.insert(view.clone()) {
                let _ = writeln!(text, "after event {events}, {viewer:?}: {view}");
            }
        }
    }
    text
}

/// Shows the first fact of each shape: facts that differ in numbers only have the same.
fn facts(logs: &[Log]) -> String {
    let (mut text, mut shapes) = (String::new(), BTreeSet::new());
    for applied in logs.iter().flat_map(|log| &log.applied) {
        for viewer in VIEWERS {
            for fact in applied.shown(viewer).facts {
                let fact = format!("{fact:?}");
                if shapes.insert(fact.replace(|c: char| c.is_ascii_digit(), "")) {
                    let _ = writeln!(text, "{fact}");
                }
            }
        }
    }
    text
}
