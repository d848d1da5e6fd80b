//! Time to verify a log file with every check, and its size, for random matches of each game.

use audit::{FileForm, FileWriter, LogFile, Signer, Trust, Verification};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use event::{MatchId, RecordTime};
use replay::{Decision, GivenTerms, NewMatch, StartingPosition};
use rules::{Dice, GameId, Games, Options, Seed, Viewer};
use uuid::Uuid;
use wire::v1::export_log_response::Record as Line;
use wire::v1::{ExportLogResponse, Visibility};

/// Number of matches per game whose files are measured for size.
const MATCHES: u8 = 100;

fn main() {
    println!(
        "{:<20} {:>8} {:>8} {:>12} {:>12}",
        "100 random matches", "events", "moves", "JSON B/move", "bin B/move"
    );
    for game in GameId::ALL {
        sizes(game);
    }
    divan::main();
}

fn signer() -> Signer {
    Signer::new("play.example".parse().expect("the name is valid"), &[1; 32])
}

/// Exports a random match.
fn file(game: GameId, seed: u8) -> LogFile {
    let new = NewMatch {
        games: Games::built_in(),
        match_id: MatchId(Uuid::from_u128(7)),
        start: StartingPosition::Opening {
            options: Options::default_of(game),
            rules_version: game.info().rules_version,
            given: GivenTerms::default(),
            rematch_of: None,
        },
        clock_settings: None,
        visibility: Visibility::Public,
        salt: [1; 32],
        seed_bytes: [seed; 32],
    };
    let mut decision =
        Decision::create(&new, RecordTime(1_790_000_000_000_000)).expect("the options are valid");
    for seat in decision.position().seats() {
        decision.claim(seat, "Ada", vec![7; 16], [3; 32]).expect("the seat is free");
    }
    let mut dice = Dice::new(&Seed::new([seed; 32]));
    while let Some(seat) = decision.position().to_act().iter().next() {
        let state = decision.position().running_state().expect("a seat is to act");
        let mv = state.sample(seat, &mut dice).expect("a seat to act has a move");
        decision.submit(seat, &mv, [5; 32]).expect("a sampled move is legal");
    }
    let ended = decision.finish();
    let mut writer = FileWriter::new(FileForm::Binary);
    let name = signer().public_key().name().clone();
    let mut bytes = writer.record(&audit::header_record(&ended.position, &name));
    for event in &ended.events {
        bytes.extend(
            writer.record(&audit::event_record(&ended.position.redacted_for(Viewer::Spectator, event))),
        );
    }
    let head = Line::Head(audit::sign_head(&ended.position, &signer()));
    bytes.extend(writer.record(&ExportLogResponse { record: Some(head) }));
    LogFile::read(&bytes).expect("a written file can be read").0
}

fn sizes(game: GameId) {
    let trust = Trust { keys: vec![signer().public_key()], ..Trust::default() };
    let (mut events, mut moves, mut json, mut binary) = (0, 0, 0, 0);
    for seed in 0..MATCHES {
        let file = file(game, seed);
        let report = file.verify(&trust);
        assert_eq!(report.verdict, Verification::Verified);
        events += report.events;
        moves += report.moves;
        json += file.write(FileForm::Json).len();
        binary += file.write(FileForm::Binary).len();
    }
    println!("{:<20} {events:>8} {moves:>8} {:>12} {:>12}", game.as_str(), json / moves, binary / moves);
}

#[divan::bench(args = GameId::ALL)]
fn read_and_verify(bencher: Bencher<'_, '_>, game: GameId) {
    let trust = Trust { keys: vec![signer().public_key()], ..Trust::default() };
    let file = file(game, 3);
    let bytes = file.write(FileForm::Binary);
    bencher.counter(ItemsCount::new(file.events.len())).bench_local(|| {
        let (file, _) = LogFile::read(&bytes).expect("a written file can be read");
        assert_eq!(black_box(file.verify(&trust)).verdict, Verification::Verified);
    });
}
