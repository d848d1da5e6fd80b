//! `matchbookd check-rules` on matches played by other rules than this build's: it reports the first event
//! that differs, and no match that does not.

mod log_builder;

use std::collections::BTreeMap;

use journal::{Journal, JournalConfig};
use rstest::rstest;
use rules::games::angels_and_demons::{self as angels, Options as AngelsOptions};
use rules::{GameId, Move, Options, Seed, Side, State};
use serde_json::Value;

use crate::stage::{Backend, Client, Process, Storage, run};
use log_builder::LogBuilder;

/// The difference that must be reported: seq, kind, check.
type Expected = (u32, &'static str, &'static str);

/// Old rules in which a match lasts a turn longer: the states differ from the first resolved turn on.
fn longer_match() -> (LogBuilder, Expected) {
    let declared = AngelsOptions { rows: 4, cols: 4, turns: 3 };
    let mut log = LogBuilder::start(Options::AngelsAndDemons(declared));
    let played = Options::AngelsAndDemons(AngelsOptions { turns: 4, ..declared });
    log.state = State::setup(&played, &Seed::new([0; 32])).unwrap();
    let first = log.head_seq() + 3;
    log.play_turns(4);
    (log, (first, "turn_revealed", "digests"))
}

/// Old rules with another shuffle, which shows only at the first move. By the current deal the seat may not
/// even hold the cards it played.
fn other_shuffle() -> (LogBuilder, Expected) {
    let options = Options::default_of(GameId::AceExorcist);
    let mut log = LogBuilder::start(options.clone());
    let current = log.state.clone();
    log.state = State::setup(&options, &Seed::new([77; 32])).unwrap();
    let seat = log.state.to_act().iter().next().unwrap();
    let chosen = log.any_move(seat);
    let check = if current.play(seat, &chosen).is_ok() { "digests" } else { "moves" };
    let first = log.head_seq() + 1;
    log.play_move(seat, &chosen);
    log.play_turns(5);
    (log, (first, "move_made", check))
}

/// Old rules in which a move in mid-match had another effect. All events before it replay.
fn other_effect() -> (LogBuilder, Expected) {
    let mut log = LogBuilder::start(Options::default_of(GameId::LudusMagus));
    log.play_turns(10);
    let seat = log.state.to_act().iter().next().unwrap();
    let chosen = log.any_move(seat);
    let after = loop {
        let other = log.any_move(seat);
        if other != chosen {
            break log.state.play(seat, &other).unwrap().state;
        }
    };
    let first = log.head_seq() + 1;
    log.play_move_to(seat, &chosen, after);
    log.play_turns(5);
    (log, (first, "move_made", "digests"))
}

/// Old rules in which white spaces could be chosen, too.
fn looser_choice() -> (LogBuilder, Expected) {
    let options = AngelsOptions { rows: 4, cols: 4, turns: 3 };
    let mut log = LogBuilder::start(Options::AngelsAndDemons(options));
    log.play_turns(1);
    let white = Move::AngelsAndDemons(angels::Move::Choose(angels::Space { row: 1, col: 2 }));
    assert!(log.state.play(Side::Zero, &white).is_err());
    let first = log.head_seq() + 1;
    log.seal_choice(Side::Zero, &white);
    (log, (first, "move_sealed", "moves"))
}

/// Old rules in which the seat with fewer spaces won.
fn other_winner() -> (LogBuilder, Expected) {
    let options = AngelsOptions { rows: 3, cols: 5, turns: 2 };
    let mut log = LogBuilder::start(Options::AngelsAndDemons(options));
    log.play_turns(2);
    let mut ending = log.state.ending().unwrap();
    ending.winner = match ending.winner {
        Some(winner) => Some(winner.other()),
        None => Some(Side::Zero),
    };
    let first = log.head_seq() + 1;
    log.end(&ending);
    (log, (first, "match_ended", "result"))
}

/// A match of a rules version that this build does not have.
fn unknown_version() -> (LogBuilder, Expected) {
    let mut log = LogBuilder::start(Options::default_of(GameId::CresnovianChess));
    log.set_rules_version(7);
    (log, (1, "match_created", "moves"))
}

/// A whole match by the current rules.
fn unchanged(game: GameId) -> LogBuilder {
    let mut log = LogBuilder::start(Options::default_of(game));
    log.play_turns(10_000);
    let ending = log.state.ending().expect("the match ends within 10 000 turns");
    log.end(&ending);
    log
}

/// Runs `check-rules --json`; returns the exit code, the differences by match, and the summary.
fn check(storage: &Storage, more: &[&str]) -> (i32, BTreeMap<String, Value>, Value) {
    let arguments = [&["check-rules", "--json", "--database", storage.url()], more].concat();
    let (code, stdout, stderr) = run(&arguments);
    let mut lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap_or_else(|| panic!("{stderr}"))["summary"].take();
    let difference = |mut line: Value| {
        let difference = line["difference"].take();
        (difference["matchId"].as_str().unwrap().to_owned(), difference)
    };
    (code, lines.into_iter().map(difference).collect(), summary)
}

#[rstest]
#[tokio::test]
async fn the_first_event_that_differs_is_reported(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let journal = Journal::open(JournalConfig::new(storage.url().parse().unwrap())).await.unwrap();
    let mut expected = BTreeMap::new();
    let changed =
        [longer_match(), other_shuffle(), other_effect(), looser_choice(), other_winner(), unknown_version()];
    let mut events = 0;
    for (log, difference) in changed {
        events += difference.0;
        expected.insert(log.store(&journal).await.to_string(), difference);
    }
    for game in GameId::ALL {
        let log = unchanged(game);
        events += log.head_seq();
        log.store(&journal).await;
    }
    journal.close().await;

    let (code, differences, summary) = check(&storage, &[]);
    assert_eq!(code, 9, "{differences:?}");
    let reported = differences.iter().map(|(id, difference)| {
        let text = |field: &str| difference[field].as_str().unwrap();
        assert!(text("reason").len() > 10, "{difference}");
        (id.clone(), (difference["seq"].as_u64().unwrap(), text("kind"), text("check")))
    });
    let expected =
        expected.iter().map(|(id, &(seq, kind, check))| (id.clone(), (u64::from(seq), kind, check)));
    assert_eq!(reported.collect::<BTreeMap<_, _>>(), expected.clone().collect());
    assert_eq!((summary["matches"].as_u64(), summary["different"].as_u64()), (Some(10), Some(6)));
    assert_eq!(
        summary["events"], events,
        "the events up to each first difference, and all of the unchanged matches"
    );

    // Only one match, one game, or matches since a time.
    let (id, _) = expected.clone().next().unwrap();
    let (code, differences, _) = check(&storage, &["--match", &id]);
    assert_eq!((code, differences.keys().collect::<Vec<_>>()), (9, vec![&id]));
    let (code, differences, summary) = check(&storage, &["--game", "ludus-magus"]);
    assert_eq!((code, differences.len(), summary["matches"].as_u64()), (9, 1, Some(2)));
    let (code, _, summary) = check(&storage, &["--since", "2999-01-01"]);
    assert_eq!((code, summary["matches"].as_u64()), (0, Some(0)));
}

#[tokio::test]
async fn needed_rules_versions_are_reported() {
    let storage = Storage::here(Backend::Sqlite).await;
    let journal = Journal::open(JournalConfig::new(storage.url().parse().unwrap())).await.unwrap();
    unknown_version().0.store(&journal).await;
    unchanged(GameId::LudusMagus).store(&journal).await;
    journal.close().await;
    let (_, _, summary) = check(&storage, &[]);
    let reported = summary["rules"].as_array().unwrap().iter().map(|rules| {
        let text = |field: &str| rules[field].as_str().unwrap().to_owned();
        (
            text("game"),
            rules["rulesVersion"].as_u64().unwrap(),
            text("standing"),
            rules["running"].as_u64().unwrap(),
        )
    });
    let reported: Vec<_> = reported.collect();
    for (game, version, standing, running) in [
        ("ace-exorcist", 1, "current", 0),
        ("cresnovian-chess", 1, "current", 0),
        ("cresnovian-chess", 7, "missing", 1),
        ("ludus-magus", 1, "current", 1),
    ] {
        assert!(reported.contains(&(game.to_owned(), version, standing.to_owned(), running)), "{reported:?}");
    }
    let (_, stdout, stderr) = run(&["check-rules", "--database", storage.url()]);
    assert!(
        stdout.contains("cresnovian-chess, rules version 7: 0 open, 1 running, 0 over; NOT IN THIS BUILD"),
        "{stdout}"
    );
    assert!(stdout.contains("event 1, match_created: this build does not have rules version 7"), "{stdout}");
    assert_eq!(stderr, "matchbookd: 1 match differs\n");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn the_check_reads_beside_a_running_service(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(3, 3, 2).await;
    client.turn(&table, "1,1", "3,3").await;
    let (code, differences, summary) = check(&storage, &[]);
    assert_eq!((code, differences.len(), summary["events"].as_u64()), (0, 0, Some(7)));
    // The next check includes the events appended since.
    client.turn(&table, "2,2", "1,3").await;
    assert_eq!(check(&storage, &[]).2["events"], 11);
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test]
async fn missing_databases_unknown_matches_and_bad_arguments_are_rejected() {
    let storage = Storage::here(Backend::Sqlite).await;
    let (code, stdout, stderr) = run(&["check-rules", "--database", storage.url()]);
    assert_eq!((code, stdout.as_str()), (4, ""), "{stderr}");
    assert!(!storage.key_file().with_file_name("matchbook.db").exists(), "the check created a database");

    assert_eq!(run(&["migrate", "--database", storage.url()]).0, 0);
    let (code, stdout, _) = run(&["check-rules", "--database", storage.url()]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("0 matches, 0 events"), "{stdout}");
    let unknown = "01980d1e-7c3a-7bb0-8d7e-0242ac120002";
    let (code, _, stderr) = run(&["check-rules", "--database", storage.url(), "--match", unknown]);
    assert_eq!(code, 1);
    assert!(stderr.contains(unknown), "{stderr}");
    let unknown = ["--game", "chess", "--json"];
    let (code, stdout, stderr) = run(&[&["check-rules", "--database", storage.url()], &unknown[..]].concat());
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    assert!(stderr.contains("--game chess: "), "{stderr}");
    for game in ["ace-exorcist", "angels-and-demons", "cresnovian-chess", "ludus-magus"] {
        assert!(stderr.contains(game), "{stderr}");
    }
    let known = ["--game", "ludus-magus"];
    assert_eq!(run(&[&["check-rules", "--database", storage.url()], &known[..]].concat()).0, 0);
    for more in [["--since", "soon"], ["--match", "mine"]] {
        let (code, ..) = run(&[&["check-rules", "--database", storage.url()], &more[..]].concat());
        assert_eq!(code, 2);
    }
}
