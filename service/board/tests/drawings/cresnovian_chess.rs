//! Sticky Cresnovian Chess as text, and its moves in words.

use board::{Colour, Orientation, TextStyle, event_line, result_line, text};
use wire::games::cresnovian_chess::v1 as game;
use wire::v1::{
    Event, Fact, GameView, MatchStatus, MoveMade, Player, SeatStatus, View, event, fact, game_view,
};

use crate::golden::golden;
use crate::positions::result;

const PLAIN: TextStyle = TextStyle { colour: Colour::Plain, orientation: Orientation::Viewer };

pub(crate) fn square(row: u32, col: u32) -> Option<game::Square> {
    Some(game::Square { row, col })
}

pub(crate) fn piece(
    umbration: game::Umbration,
    (row, col): (u32, u32),
    q: u32,
    status: game::Status,
) -> game::Piece {
    let condition = Some(game::Condition { q, status: status.into() });
    game::Piece { umbration: umbration.into(), square: square(row, col), home: square(row, col), condition }
}

fn pieces() -> Vec<game::Piece> {
    use game::{Status, Umbration};
    vec![
        piece(Umbration::Essence, (1, 1), 3, Status::Whole),
        piece(Umbration::Duality, (2, 2), 12, Status::Broken),
        piece(Umbration::Cosmos, (3, 1), 3, Status::Eternal),
        piece(Umbration::Velocity, (1, 5), 0, Status::Whole),
        piece(Umbration::Radiance, (3, 5), 3, Status::Whole),
        piece(Umbration::Corporeality, (3, 6), 3, Status::Whole),
        piece(Umbration::Innervation, (1, 9), 9, Status::Whole),
        piece(Umbration::Caprice, (2, 9), 3, Status::Whole),
        piece(Umbration::Cognizance, (3, 9), 0, Status::Broken),
    ]
}

pub(crate) fn seats() -> Vec<SeatStatus> {
    let seat = |seat: u32, title: &str, name: &str| SeatStatus {
        seat: Some(seat),
        title: title.to_owned(),
        claimed: true,
        player: Some(Player::named(name)),
    };
    vec![seat(0, "Player One", "Zules"), seat(1, "Player Two", "Dzuna")]
}

pub(crate) fn view(board: game::View) -> View {
    View {
        status: MatchStatus::Running.into(),
        seats: seats(),
        to_act: vec![1],
        game_view: Some(GameView { game: Some(game_view::Game::CresnovianChess(board)) }),
        ..View::default()
    }
}

/// Returns a poem of these words as a view shows it.
pub(crate) fn poem(words: impl IntoIterator<Item = String>) -> Option<game::Poem> {
    let words: Vec<String> = words.into_iter().collect();
    let word_count = u32::try_from(words.len()).expect("a poem is short");
    let last_words = words[words.len().saturating_sub(180)..].to_vec();
    Some(game::Poem { last_words, word_count, hash: vec![7; 32] })
}

pub(crate) fn running() -> game::View {
    let monument = game::Placement { umbration: game::Umbration::Caprice.into(), square: square(2, 7) };
    let word = game::FieldWord { square: square(2, 4), word: "sea\u{202e}".to_owned() };
    let forbidden = game::Deed { deed: Some(game::deed::Deed::Perform(game::Umbration::Duality.into())) };
    let words = "no one owns what stands where you stand now".split(' ').map(str::to_owned);
    game::View {
        phase: game::Phase::Playing.into(),
        player_two_kingdom: Some(game::Kingdom::Left.into()),
        field: Some(game::Field { pieces: pieces(), monuments: vec![monument], word: Some(word) }),
        poem: poem(words.cycle().take(70)),
        turns_taken: 12,
        max_turns: 400,
        player_one_q: Some(12),
        player_two_q: Some(18),
        locked: Some(game::Umbration::Innervation.into()),
        forbidden: Some(forbidden),
        undo: None,
    }
}

#[test]
fn a_running_match_shows_field_remarks_and_the_end_of_the_poem() {
    golden("cresnovian-running.txt", &text(&view(running()), PLAIN));
}

#[test]
fn kingdoms_differ_in_colour() {
    let style = TextStyle { colour: Colour::Ansi, orientation: Orientation::Viewer };
    golden("cresnovian-running.ansi", &text(&view(running()), style));
}

#[test]
fn the_field_is_empty_before_the_placement() {
    let board = game::View {
        phase: game::Phase::Placing.into(),
        field: Some(game::Field::default()),
        max_turns: 400,
        ..game::View::default()
    };
    golden("cresnovian-placing.txt", &text(&view(board), PLAIN));
}

#[test]
fn a_lost_kingdom_in_words() {
    let board = game::View { player_one_q: Some(8), player_two_q: Some(0), ..running() };
    let result = result(Some(0), "kingdom-lost");
    let over = View { status: MatchStatus::Over.into(), result: Some(result), ..view(board) };
    assert_eq!(result_line(&over), "Winner: Player One (Zules), 8Q to 0Q");
}

#[test]
fn a_move_is_followed_by_the_counts() {
    let end = game::TurnTaken { turn: 3, player_one_q: 9, player_two_q: 8, ..game::TurnTaken::default() };
    let end = game::Fact { fact: Some(game::fact::Fact::TurnTaken(end)) };
    let made = MoveMade { seat: Some(1), r#move: None, notation: "cut inn".to_owned() };
    let event = Event {
        kind: Some(event::Kind::MoveMade(made)),
        facts: vec![Fact { game: Some(fact::Game::CresnovianChess(end)) }],
        ..Event::default()
    };
    let line = "Player Two played cut inn; turn 3, Player One 9Q, Player Two 8Q";
    assert_eq!(event_line(&event, None, &seats()), line);
}

#[test]
fn of_a_long_poem_the_last_lines_are_shown_at_their_places() {
    let words = (0..18_000).map(|nth| format!("w{nth}"));
    // One word is on the field, so the last line has eight.
    let board = game::View { poem: poem(words.take(17_999)), ..running() };
    let drawn = text(&view(board.clone()), PLAIN);
    let (_, end) = drawn.split_once("Communal poem, 17999 words\n  ...\n").expect("the poem is cut");
    let lines: Vec<&str> = end.lines().collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[0].starts_with("  w17946 ") && lines[5].ends_with(" w17998"), "{end}");
    let picture = board::svg(&view(board), &[], board::SvgStyle::default());
    assert!(picture.contains("data-word=\"17998\"") && !picture.contains("data-word=\"100\""));
    assert!(picture.contains("Communal poem, 17999 words; the last "));
}
