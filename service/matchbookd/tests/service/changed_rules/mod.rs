//! `matchbookd check-rules` on matches that were played by other rules than this build's: it names the first event that
//! differs, and no match that does not.

mod scribe;

use std::collections::BTreeMap;

use journal::{Journal, JournalConfig};
use rstest::rstest;
use rules::games::angels_and_demons::{self as angels, Options as AngelsOptions};
use rules::{GameId, Move, Options, Seat, Seed, State};
use serde_json::Value;

use crate::stage::{Backend, Client, Process, Storage, run};
use scribe::Scribe;

/// What must be named: seq, kind, check.
type Named = (u32, &'static str, &'static str);

/// The rules said once that a match lasts a turn longer: the states differ from the first turn that was resolved.
fn longer_match() -> (Scribe, Named) {
    let declared = AngelsOptions { rows: 4, cols: 4, turns: 3 };
    let mut scribe = Scribe::begin(Options::AngelsAndDemons(declared));
    let played = Options::AngelsAndDemons(AngelsOptions { turns: 4, ..declared });
    scribe.state = State::setup(&played, &Seed::new([0; 32])).unwrap();
    let first = scribe.head() + 3;
    scribe.play_on(4);
    (scribe, (first, "turn_revealed", "digests"))
}

/// The cards were shuffled in another order: nobody can tell before the first move. By today's deal the seat may not even
/// have what it played.
fn other_shuffle() -> (Scribe, Named) {
    let options = Options::default_of(GameId::AceExorcist);
    let mut scribe = Scribe::begin(options.clone());
    let today = scribe.state.clone();
    scribe.state = State::setup(&options, &Seed::new([77; 32])).unwrap();
    let seat = scribe.state.to_act().iter().next().unwrap();
    let made = scribe.any_move(seat);
    let check = if today.play(seat, &made).is_ok() { "digests" } else { "moves" };
    let first = scribe.head() + 1;
    scribe.make(seat, &made);
    scribe.play_on(5);
    (scribe, (first, "move_made", check))
}

/// A move in the middle of a match had another effect once. All before it replays.
fn other_effect() -> (Scribe, Named) {
    let mut scribe = Scribe::begin(Options::default_of(GameId::LudusMagus));
    scribe.play_on(10);
    let seat = scribe.state.to_act().iter().next().unwrap();
    let made = scribe.any_move(seat);
    let after = loop {
        let other = scribe.any_move(seat);
        if other != made {
            break scribe.state.play(seat, &other).unwrap().state;
        }
    };
    let first = scribe.head() + 1;
    scribe.make_leading_to(seat, &made, after);
    scribe.play_on(5);
    (scribe, (first, "move_made", "digests"))
}

/// White spaces could be chosen once, too.
fn looser_choice() -> (Scribe, Named) {
    let options = AngelsOptions { rows: 4, cols: 4, turns: 3 };
    let mut scribe = Scribe::begin(Options::AngelsAndDemons(options));
    scribe.play_on(1);
    let white = Move::AngelsAndDemons(angels::Move::Choose(angels::Space { row: 1, col: 2 }));
    assert!(scribe.state.play(Seat::Zero, &white).is_err());
    let first = scribe.head() + 1;
    scribe.choose(Seat::Zero, &white);
    (scribe, (first, "move_sealed", "moves"))
}

/// The seat with fewer spaces won once.
fn other_winner() -> (Scribe, Named) {
    let options = AngelsOptions { rows: 3, cols: 5, turns: 2 };
    let mut scribe = Scribe::begin(Options::AngelsAndDemons(options));
    scribe.play_on(2);
    let mut ending = scribe.state.ending().unwrap();
    ending.winner = match ending.winner {
        Some(winner) => Some(winner.other()),
        None => Some(Seat::Zero),
    };
    let first = scribe.head() + 1;
    scribe.end(&ending);
    (scribe, (first, "match_ended", "result"))
}

/// A rules version that this build does not have.
fn unknown_version() -> (Scribe, Named) {
    let mut scribe = Scribe::begin(Options::default_of(GameId::CresnovianChess));
    scribe.pin(7);
    (scribe, (1, "match_created", "moves"))
}

/// The same writer by today's rules, to the end.
fn unchanged(game: GameId) -> Scribe {
    let mut scribe = Scribe::begin(Options::default_of(game));
    scribe.play_on(10_000);
    let ending = scribe.state.ending().expect("every match ends");
    scribe.end(&ending);
    scribe
}

/// What check-rules says of this database as JSON: its exit code, the differences by match, the summary.
fn check(storage: &Storage, more: &[&str]) -> (i32, BTreeMap<String, Value>, Value) {
    let arguments = [&["check-rules", "--json", "--database", storage.url()], more].concat();
    let (code, said, complaint) = run(&arguments);
    let mut lines: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap_or_else(|| panic!("{complaint}"))["summary"].take();
    let difference = |mut line: Value| {
        let difference = line["difference"].take();
        (difference["matchId"].as_str().unwrap().to_owned(), difference)
    };
    (code, lines.into_iter().map(difference).collect(), summary)
}

#[rstest]
#[tokio::test]
async fn the_first_event_that_differs_is_named(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let journal = Journal::open(JournalConfig::new(storage.url().parse().unwrap())).await.unwrap();
    let mut wanted = BTreeMap::new();
    let changed =
        [longer_match(), other_shuffle(), other_effect(), looser_choice(), other_winner(), unknown_version()];
    let mut events = 0;
    for (scribe, named) in changed {
        events += named.0;
        wanted.insert(scribe.store(&journal).await.to_string(), named);
    }
    for game in GameId::ALL {
        let scribe = unchanged(game);
        events += scribe.head();
        scribe.store(&journal).await;
    }
    journal.close().await;

    let (code, differences, summary) = check(&storage, &[]);
    assert_eq!(code, 9, "{differences:?}");
    let told = differences.iter().map(|(id, told)| {
        let text = |field: &str| told[field].as_str().unwrap();
        assert!(text("reason").len() > 10, "{told}");
        (id.clone(), (told["seq"].as_u64().unwrap(), text("kind"), text("check")))
    });
    let wanted = wanted.iter().map(|(id, &(seq, kind, check))| (id.clone(), (u64::from(seq), kind, check)));
    assert_eq!(told.collect::<BTreeMap<_, _>>(), wanted.clone().collect());
    assert_eq!((summary["matches"].as_u64(), summary["different"].as_u64()), (Some(10), Some(6)));
    assert_eq!(summary["events"], events, "up to the first that differs, and of the others all");

    // One alone, one game, a time.
    let (id, _) = wanted.clone().next().unwrap();
    let (code, differences, _) = check(&storage, &["--match", &id]);
    assert_eq!((code, differences.keys().collect::<Vec<_>>()), (9, vec![&id]));
    let (code, differences, summary) = check(&storage, &["--game", "ludus-magus"]);
    assert_eq!((code, differences.len(), summary["matches"].as_u64()), (9, 1, Some(2)));
    let (code, _, summary) = check(&storage, &["--since", "2999-01-01"]);
    assert_eq!((code, summary["matches"].as_u64()), (0, Some(0)));
}

#[tokio::test]
async fn rules_versions_that_are_needed_are_told() {
    let storage = Storage::here(Backend::Sqlite).await;
    let journal = Journal::open(JournalConfig::new(storage.url().parse().unwrap())).await.unwrap();
    unknown_version().0.store(&journal).await;
    unchanged(GameId::LudusMagus).store(&journal).await;
    journal.close().await;
    let (_, _, summary) = check(&storage, &[]);
    let told = summary["rules"].as_array().unwrap().iter().map(|rules| {
        let text = |field: &str| rules[field].as_str().unwrap().to_owned();
        (
            text("game"),
            rules["rulesVersion"].as_u64().unwrap(),
            text("standing"),
            rules["running"].as_u64().unwrap(),
        )
    });
    let told: Vec<_> = told.collect();
    for (game, version, standing, running) in [
        ("ace-exorcist", 1, "new", 0),
        ("cresnovian-chess", 1, "new", 0),
        ("cresnovian-chess", 7, "missing", 1),
        ("ludus-magus", 1, "new", 1),
    ] {
        assert!(told.contains(&(game.to_owned(), version, standing.to_owned(), running)), "{told:?}");
    }
    let (_, said, complaint) = run(&["check-rules", "--database", storage.url()]);
    assert!(
        said.contains("cresnovian-chess, rules version 7: 0 open, 1 running, 0 over; NOT IN THIS BUILD"),
        "{said}"
    );
    assert!(said.contains("event 1, match_created: this build does not have rules version 7"), "{said}");
    assert_eq!(complaint, "matchbookd: 1 match differs\n");
}

#[rstest]
#[tokio::test]
async fn it_reads_beside_a_service_and_writes_nothing(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(3, 3, 2).await;
    client.turn(&table, "1,1", "3,3").await;
    let (code, differences, summary) = check(&storage, &[]);
    assert_eq!((code, differences.len(), summary["events"].as_u64()), (0, 0, Some(7)));
    // The match goes on, and the next look sees it.
    client.turn(&table, "2,2", "1,3").await;
    assert_eq!(check(&storage, &[]).2["events"], 11);
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test]
async fn what_can_t_be_checked() {
    let storage = Storage::here(Backend::Sqlite).await;
    let (code, said, complaint) = run(&["check-rules", "--database", storage.url()]);
    assert_eq!((code, said.as_str()), (4, ""), "{complaint}");
    assert!(!storage.key_file().with_file_name("matchbook.db").exists(), "a check makes no database");

    assert_eq!(run(&["migrate", "--database", storage.url()]).0, 0);
    let (code, said, _) = run(&["check-rules", "--database", storage.url()]);
    assert_eq!(code, 0);
    assert!(said.starts_with("0 matches, 0 events"), "{said}");
    let unknown = "01980d1e-7c3a-7bb0-8d7e-0242ac120002";
    let (code, _, complaint) = run(&["check-rules", "--database", storage.url(), "--match", unknown]);
    assert_eq!(code, 1);
    assert!(complaint.contains(unknown), "{complaint}");
    for more in [["--since", "soon"], ["--match", "mine"]] {
        let (code, ..) = run(&[&["check-rules", "--database", storage.url()], &more[..]].concat());
        assert_eq!(code, 2);
    }
}
