//! The longest log of each game, computed from the bounds that hold while it is written: a file can always
//! hold it, so no match can outgrow its proof.

use audit::{FileForm, LogFile, MAX_FILE_BYTES, MAX_FILE_EVENTS};
use bytes::Bytes;
use event::{RecordTime, Seq};
use replay::{MAX_ROTATIONS, MAX_TAKEBACKS, ProposalKind, TAKEBACK_MOVES, move_to_log};
use rules::games::cresnovian_chess::{Move, Word};
use rules::{GameId, OptionType, Viewer};
use wire::log::v1::EventKind;

use crate::exported::{export, finished, half_a_turn};

/// Maximum size of a match's first event, which a fork fills with moves: the journal's limit of an append.
const FIRST_EVENT_BYTES: usize = 4 << 20;

/// Bound on the parts of an event that is neither the first nor about moves.
const OTHER_PARTS_BYTES: usize = 256;

/// Bound on what an event of a move has beside the moves: seats, salts, digest, tags and lengths.
const BESIDE_MOVES_BYTES: usize = 160;

/// What a game's rules bound.
struct Play {
    /// Moves and secret choices from the start to the end, as the laws of `rules` test it.
    moves: usize,
    /// Size of a stored move.
    move_bytes: usize,
}

fn play(game: GameId) -> Play {
    match game {
        GameId::AngelsAndDemons => Play { moves: 2 * greatest(game, "turns"), move_bytes: 128 },
        GameId::AceExorcist => Play { moves: 5 * 2 * 60, move_bytes: 512 },
        GameId::CresnovianChess => Play { moves: greatest(game, "max_turns") + 2, move_bytes: 1280 },
        GameId::LudusMagus => Play { moves: greatest(game, "max_turns"), move_bytes: 128 },
    }
}

/// Returns the greatest value of an option.
fn greatest(game: GameId, name: &str) -> usize {
    let option = game.info().options.iter().find(|option| option.name == name).unwrap();
    let OptionType::Integer { max, .. } = option.option_type else { panic!("{name} is not a number") };
    max as usize
}

/// The events of a game's longest log.
struct Longest {
    /// Events of moves and of turns revealed.
    of_moves: usize,
    /// All others but the first.
    others: usize,
}

impl Longest {
    fn of(game: GameId) -> Self {
        let (info, seats) = (game.info(), *game.info().seats().end());
        let takebacks = if info.allows_takebacks() { MAX_TAKEBACKS as usize } else { 0 };
        let moves = play(game).moves + takebacks * TAKEBACK_MOVES;
        let turns = if info.simultaneous { play(game).moves / seats } else { 0 };
        // Of each kind a seat makes one proposal before its first move, after each move, and after each
        // takeback, and each may be declined.
        let proposals = ProposalKind::ALL.len() * (moves + seats * (1 + takebacks));
        let claims_and_rotations = seats * (1 + MAX_ROTATIONS as usize);
        let (start, end) = (1, 1);
        Self { of_moves: moves + turns, others: 2 * proposals + claims_and_rotations + start + end }
    }

    fn events(&self) -> usize {
        1 + self.of_moves + self.others
    }

    /// Returns the size of the file in JSON, the larger form. The head and the header have no more than an
    /// event's envelope and its other parts.
    fn file_bytes(&self, game: GameId) -> usize {
        let seats = *game.info().seats().end();
        let of_move = seats * play(game).move_bytes + BESIDE_MOVES_BYTES;
        let parts = in_base64(FIRST_EVENT_BYTES)
            + self.of_moves * in_base64(of_move)
            + self.others * in_base64(OTHER_PARTS_BYTES);
        parts + (self.events() + 2) * envelope_bytes()
    }
}

fn in_base64(bytes: usize) -> usize {
    bytes.div_ceil(3) * 4
}

/// Returns the size of an event in JSON without its parts, with the longest numbers.
fn envelope_bytes() -> usize {
    let mut file = export(&half_a_turn(), Viewer::Spectator);
    file.events.truncate(1);
    let event = &mut file.events[0];
    (event.seq, event.record_time, event.kind) = (Seq(u32::MAX), RecordTime(i64::MAX), u16::MAX);
    event.public = Bytes::new();
    event.sealed.as_mut().unwrap().opened = Some(Bytes::new());
    let with = file.write(FileForm::Json).len();
    file.events.clear();
    with - file.write(FileForm::Json).len()
}

#[test]
fn a_file_holds_the_longest_log_of_each_game_as_the_page_says() {
    let page = include_str!("../../../../docs/audit.md");
    for game in GameId::ALL {
        let longest = Longest::of(game);
        let (events, bytes) = (longest.events(), longest.file_bytes(game));
        assert!(events <= MAX_FILE_EVENTS && bytes <= MAX_FILE_BYTES, "{game}: {events}, {bytes}");
        let row = format!("| {} | {events} | {} MiB |", game.info().title, bytes.div_ceil(1 << 20));
        assert!(page.contains(&row), "docs/audit.md lacks: {row}");
        // A fork of the longest match fits into one event.
        let forked = play(game).moves * (play(game).move_bytes + 8);
        assert!(forked + OTHER_PARTS_BYTES <= FIRST_EVENT_BYTES, "{game}: {forked}");
    }
    let most = GameId::ALL.into_iter().map(|game| Longest::of(game).events()).max().unwrap();
    let row = format!("| events of a match | {most}, ");
    assert!(include_str!("../../../../docs/api.md").contains(&row), "docs/api.md lacks: {row}");
}

#[test]
fn the_longest_document_is_within_the_bound_of_a_move() {
    let words = vec![Word::new(&"\u{10FFFF}".repeat(32)); 9];
    let document = rules::Move::CresnovianChess(Move::Document(words));
    let size = move_to_log(&document).len();
    assert!((9 * 32 * 4..=play(GameId::CresnovianChess).move_bytes).contains(&size), "{size}");
}

#[test]
fn events_of_sample_matches_are_within_the_bounds() {
    for log in finished() {
        let LogFile { events, header, .. } = export(&log, Viewer::Spectator);
        let game = GameId::parse(&header.game).unwrap();
        let of_moves = [EventKind::MoveMade, EventKind::MoveSealed, EventKind::TurnRevealed];
        let of_moves = of_moves.map(EventKind::number);
        assert!(events.len() <= Longest::of(game).events());
        for event in &events[1..] {
            let opened = event.sealed.as_ref().and_then(|part| part.opened.as_ref());
            let size = event.public.len() + opened.map_or(0, Bytes::len);
            let bound = if of_moves.contains(&event.kind) {
                2 * play(game).move_bytes + BESIDE_MOVES_BYTES
            } else {
                OTHER_PARTS_BYTES
            };
            assert!(size <= bound, "{game}: {size} bytes of kind {}", event.kind);
        }
    }
}
