//! The verifier in `clients/python`, written from `docs/audit.md` alone, agrees with ours on every sample.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use audit::{FileEvent, FileForm, LogFile, Trust};
use event::{Link, Seat};
use prost::Message;
use replay::{Entry, GivenTerms, MAX_ROTATIONS, ProposalKind, StartingPosition};
use rules::{Dice, GameId, Options, Seed, Viewer};
use serde_json::Value;
use wire::log::v1::{EventKind, SeatTokenRotated};

use crate::exported::{bytes, export, finished, half_a_turn, pinned, public_key, signer};
use crate::reseated;
use crate::sample::{Log, random_match};

/// Returns honest and tampered files.
fn samples() -> Vec<Vec<u8>> {
    let mut logs = finished();
    logs.push(half_a_turn());
    logs.push(Log::create(4, 4, 1));
    let mut resigned = half_a_turn();
    resigned.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    logs.push(resigned);
    let mut offered = half_a_turn();
    offered.grow(|decision| decision.propose(Seat::ALL[0], ProposalKind::Draw).unwrap());
    offered.grow(|decision| decision.decline(Seat::ALL[1], ProposalKind::Draw).unwrap());
    offered.grow(|decision| decision.rotate(Seat::ALL[1]).unwrap());
    logs.push(offered);
    let mut aborted = Log::create(4, 4, 1);
    aborted.grow(|decision| decision.claim(Seat::ALL[1], "Bob", vec![1], [9; 32]).unwrap());
    aborted.grow(|decision| decision.abort(Seat::ALL[1]).unwrap());
    logs.push(aborted);
    logs.push(random_match(rules::GameId::AceExorcist, 8));

    logs.push(taken_back());

    let mut samples = Vec::new();
    for log in &logs {
        for form in [FileForm::Json, FileForm::Binary] {
            samples.push(bytes(log, Viewer::Seat(Seat::ALL[0]), form));
            samples.push(bytes(log, Viewer::Spectator, form));
        }
    }
    samples.extend(tampered(&half_a_turn()));
    samples.extend(rotations());
    samples.extend(erased());
    samples.extend(reseated::samples());
    samples.extend(forged_takebacks());
    samples
}

/// Returns files of a log as exported after one of its players, and after both, were erased, and files in
/// which somebody put the second player in the place of the first.
fn erased() -> Vec<Vec<u8>> {
    let file = export(&random_match(GameId::AngelsAndDemons, 3), Viewer::Spectator);
    let claims: Vec<usize> = (0..file.events.len())
        .filter(|&at| file.events[at].kind == EventKind::SeatClaimed.number())
        .collect();
    let withhold = |file: &mut LogFile, at: usize| {
        let opened = file.events[at].sealed.as_mut().and_then(|part| part.opened.take());
        assert!(opened.is_some(), "an export opens the names of players");
    };
    let mut first = file.clone();
    withhold(&mut first, claims[0]);
    let mut both = first.clone();
    withhold(&mut both, claims[1]);
    let mut forged = file.clone();
    let own = forged.events[claims[1]].sealed.as_ref().and_then(|part| part.opened.clone());
    forged.events[claims[0]].sealed.as_mut().expect("a claim has a sealed part").opened = own;
    let forms = [FileForm::Json, FileForm::Binary];
    [first, both, forged].iter().flat_map(|file| forms.map(|form| file.write(form))).collect()
}

#[test]
fn both_verifiers_accept_the_log_of_an_erased_player_and_refuse_another_name() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = (0..6).map(|at| folder.path().join(format!("{at}.log"))).collect();
    for (path, bytes) in files.iter().zip(erased()) {
        fs::write(path, bytes).unwrap();
    }
    let verdicts = ["verified", "verified", "verified", "verified", "refused", "refused"];
    let found: Vec<String> = erased().iter().map(|file| ours(file, &pinned()).0).collect();
    assert_eq!(found, verdicts);
    let Some(reports) = theirs(&files, Some(public_key().to_string())) else { return };
    let found: Vec<&str> = reports.iter().map(|report| report["verdict"].as_str().unwrap()).collect();
    assert_eq!(found, verdicts.map(expected));
    assert!(reports[4..].iter().all(|report| report["failure"]["seq"] == 2), "{reports:?}");
}

/// Returns files with as many rotations of a seat as allowed, with one more, and with a generation left out.
fn rotations() -> [Vec<u8>; 3] {
    let mut log = half_a_turn();
    let skipped = with_rotation(&mut log, 3);
    for _ in 0..MAX_ROTATIONS {
        log.grow(|decision| decision.rotate(Seat::ALL[1]).unwrap());
    }
    let one_more = with_rotation(&mut log, MAX_ROTATIONS + 2);
    [bytes(&log, Viewer::Spectator, FileForm::Json), one_more, skipped]
}

/// Returns the file of a log to which its operator appended a rotation without asking whether it is possible.
/// Both verifiers must refuse it.
fn with_rotation(log: &mut Log, generation: u32) -> Vec<u8> {
    let mut event = log.events.last().unwrap().clone();
    let previous = Some(event.hash);
    event.seq = event.seq.next();
    event.record_time = event.record_time.next();
    event.kind = EventKind::SeatTokenRotated.number();
    event.public = SeatTokenRotated { seat: Some(1), generation }.encode_to_vec().into();
    event.sealed = None;
    event.hash = event.link(log.position.match_id(), previous).hash();
    let refused = ("refused".to_owned(), Some(u64::from(event.seq.0)));
    log.events.push(event);
    let file = bytes(log, Viewer::Spectator, FileForm::Json);
    log.events.pop();
    assert_eq!(ours(&file, &Trust::default()), refused);
    file
}

/// Plays a match in which one move and then two are taken back, until a seat resigns.
pub(crate) fn taken_back() -> Log {
    let mut log = Log::create_of(Options::default_of(GameId::LudusMagus)).claimed();
    let mut dice = Dice::new(&Seed::new([5; 32]));
    for (moves, seat) in [(1, 0), (2, 0), (4, 1)] {
        for _ in 0..moves {
            log.submit_random(&mut dice);
        }
        log.grow(|decision| decision.propose(Seat::ALL[seat], ProposalKind::Takeback).unwrap());
        log.grow(|decision| decision.accept(Seat::ALL[1 - seat], ProposalKind::Takeback).unwrap());
    }
    log.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    log
}

fn moved(game: GameId, forbid_takebacks: bool) -> Log {
    let (options, rules_version) = (Options::default_of(game), game.info().rules_version);
    let given = GivenTerms { forbid_takebacks };
    let start = StartingPosition::Opening { options, rules_version, given, rematch_of: None };
    let mut log = Log::create_from(start, None).claimed();
    log.submit_random(&mut Dice::new(&Seed::new([6; 32])));
    log
}

fn ask(seat: u32) -> Entry {
    Entry::ProposalMade(wire::log::v1::ProposalMade { seat: Some(seat), kind: 2 })
}

fn accept(seat: u32, kind: i32, digest_bytes: usize) -> Entry {
    let state_digest = vec![7; digest_bytes];
    Entry::ProposalAnswered(wire::log::v1::ProposalAnswered {
        seat: Some(seat),
        kind,
        accepted: true,
        state_digest,
    })
}

/// Returns files that are honest but for their last event, and that need no rules to be refused.
fn forged_takebacks() -> Vec<Vec<u8>> {
    let ludus = || moved(GameId::LudusMagus, false);
    let mut asked = ludus();
    asked.grow(|decision| decision.propose(Seat::ALL[0], ProposalKind::Takeback).unwrap());
    let mut offered = ludus();
    offered.grow(|decision| decision.propose(Seat::ALL[0], ProposalKind::Draw).unwrap());
    let mut over = ludus();
    over.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    let forged = [
        // Nothing to take back, an unknown kind, no proposal, its own proposal, no digest, half a digest.
        (ludus(), ask(1)),
        (ludus(), Entry::ProposalMade(wire::log::v1::ProposalMade { seat: Some(0), kind: 3 })),
        (ludus(), accept(1, 2, 32)),
        (asked, accept(0, 2, 32)),
        (offered, accept(1, 1, 0)),
        (over, ask(0)),
        (moved(GameId::LudusMagus, true), ask(0)),
        (moved(GameId::AceExorcist, false), ask(0)),
        (moved(GameId::AceExorcist, false), ask(1)),
        (moved(GameId::AngelsAndDemons, false), ask(0)),
    ];
    let mut files: Vec<_> = forged.iter().map(|(log, entry)| append(log, entry)).collect();
    let mut asked = ludus();
    asked.grow(|decision| decision.propose(Seat::ALL[0], ProposalKind::Takeback).unwrap());
    files.extend([0, 16].map(|digest_bytes| append(&asked, &accept(1, 2, digest_bytes))));
    files
}

/// Exports a log with one more event, whose hash fits.
fn append(log: &Log, entry: &Entry) -> Vec<u8> {
    let mut file = export(log, Viewer::Spectator);
    let last = file.events.last().unwrap();
    let (seq, record_time) = (last.seq.next(), last.record_time.next());
    let (kind, public) = (entry.kind().number(), entry.public_bytes());
    let (previous, match_id) = (Some(last.hash), log.position.match_id());
    let link = Link { previous, match_id, seq, kind, record_time, public: &public, commitment: None };
    file.events.push(FileEvent { seq, record_time, kind, hash: link.hash(), public, sealed: None });
    file.write(FileForm::Json)
}

#[test]
fn a_forged_takeback_is_refused_at_its_event() {
    for sample in forged_takebacks() {
        let last = LogFile::read(&sample).unwrap().0.events.last().unwrap().seq;
        assert_eq!(ours(&sample, &pinned()), ("refused".to_owned(), Some(u64::from(last.0))));
    }
}

fn tampered(log: &Log) -> Vec<Vec<u8>> {
    let mut samples = Vec::new();
    for form in [FileForm::Json, FileForm::Binary] {
        let whole = bytes(log, Viewer::Seat(Seat::ALL[0]), form);
        for at in (0..whole.len()).step_by(whole.len() / 60) {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            samples.push(changed);
        }
        samples.push(whole[..whole.len() / 2].to_vec());
    }
    let whole = bytes(log, Viewer::Spectator, FileForm::Json);
    let lines: Vec<_> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    samples.push([lines[..3].concat(), lines[4..].concat()].concat());
    samples.push([lines[..lines.len() - 2].concat(), lines[lines.len() - 1].to_vec()].concat());
    let (mut forged, _) = LogFile::read(&whole).unwrap();
    let head = audit::sign_head(&log.position, &signer(66));
    (forged.note, forged.public_key) = (head.note, head.public_key);
    samples.push(forged.write(FileForm::Json));
    samples
}

/// Returns our verdict on a file, and the seq of the first wrong event.
fn ours(bytes: &[u8], trust: &Trust) -> (String, Option<u64>) {
    let Ok((file, _)) = LogFile::read(bytes) else { return ("unreadable".to_owned(), None) };
    let report = file.verify(trust);
    let seq = report.failure.and_then(|failure| failure.seq).map(|seq| u64::from(seq.0));
    (report.verdict.as_str().to_owned(), seq)
}

/// Returns the second verifier's report on each file, or `None` if Python is not installed.
pub(crate) fn theirs(files: &[PathBuf], key: Option<String>) -> Option<Vec<Value>> {
    let key = key.into_iter().flat_map(|key| ["--key".to_owned(), key]);
    let lines = run_second(files, ["--json".to_owned()].into_iter().chain(key))?;
    Some(lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Returns what the second verifier prints for a reader, or `None` if Python is not installed.
pub(crate) fn theirs_as_text(files: &[PathBuf]) -> Option<String> {
    run_second(files, [])
}

fn run_second(files: &[PathBuf], arguments: impl IntoIterator<Item = String>) -> Option<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../clients/python/src");
    let mut command = Command::new("python3");
    command
        .current_dir(folder)
        .args(["-B", "-X", "utf8", "-m", "matchbook.audit"])
        .args(files)
        .args(arguments);
    let Ok(output) = command.output() else {
        eprintln!("SKIPPED: python3 is not installed, so the second verifier was not compared with ours");
        return None;
    };
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn both_verifiers_agree_on_every_sample() {
    let folder = tempfile::tempdir().unwrap();
    let samples = samples();
    let mut files = Vec::new();
    for (at, sample) in samples.iter().enumerate() {
        let path = folder.path().join(format!("{at}.log"));
        fs::write(&path, sample).unwrap();
        files.push(path);
    }
    let mut verdicts = BTreeMap::new();
    for (trust, key) in [(pinned(), Some(public_key().to_string())), (Trust::default(), None)] {
        let Some(reports) = theirs(&files, key) else { return };
        assert_eq!(reports.len(), samples.len());
        for (sample, report) in samples.iter().zip(&reports) {
            let (verdict, seq) = ours(sample, &trust);
            let theirs = report["verdict"].as_str().unwrap().to_owned();
            assert_eq!(
                (theirs.as_str(), report["failure"]["seq"].as_u64()),
                (expected(&verdict), seq),
                "{report}"
            );
            *verdicts.entry(theirs).or_insert(0) += 1;
        }
    }
    let seen: Vec<_> = verdicts.keys().map(String::as_str).collect();
    assert_eq!(seen, ["incomplete", "key_unknown", "refused", "unreadable"]);
}

/// Returns what the second verifier says where ours has this verdict. It never says `verified`, because it
/// does not have the rules.
fn expected(ours: &str) -> &str {
    if ours == "verified" { "incomplete" } else { ours }
}

/// The second verifier derives the hands that the rules deal from the same seed.
#[test]
fn both_verifiers_deal_the_same_hands() {
    use wire::games::ace_exorcist::v1::Suit;
    use wire::v1::game_view::Game;

    let log = random_match(rules::GameId::AceExorcist, 4);
    let (start, _) = crate::sample::replay(&log.events[..4]).unwrap();
    let Some(Game::AceExorcist(view)) = start.shown(Viewer::Open).game_view.unwrap().game else {
        panic!("the view is of another game")
    };
    let hand = |holding: Option<wire::games::ace_exorcist::v1::Holding>| {
        let cards = holding.unwrap().hand.unwrap().cards;
        let name = |suit: Suit| {
            let name = suit.as_str_name().trim_start_matches("SUIT_").to_lowercase();
            name[..1].to_uppercase() + &name[1..]
        };
        let mut cards: Vec<_> =
            cards.iter().map(|card| format!("{} {}", name(card.suit()), card.value)).collect();
        cards.sort();
        cards
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    fs::write(&path, bytes(&log, Viewer::Spectator, FileForm::Json)).unwrap();
    let Some(reports) = theirs(&[path], None) else { return };
    let dealt = reports[0]["hands"].as_array().unwrap().iter().map(|hand| {
        let mut cards: Vec<_> =
            hand.as_array().unwrap().iter().map(|card| card.as_str().unwrap().to_owned()).collect();
        cards.sort();
        cards
    });
    assert_eq!(dealt.collect::<Vec<_>>(), [hand(view.summoner), hand(view.exorcist)]);
}
