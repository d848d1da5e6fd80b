//! Drawings of untrusted texts (names, titles, words) and of messages that the service never sends.

use board::{Orientation, SvgStyle, Theme, svg};
use roxmltree::Document;
use wire::games::ace_exorcist::v1 as ace;
use wire::games::angels_and_demons::v1 as angels;
use wire::games::cresnovian_chess::v1 as cresnovian;
use wire::games::ludus_magus::v1 as ludus;
use wire::v1::{GameView, MatchStatus, Player, View, game_view};

use super::{AUTO, golden_svg, well_formed};
use crate::ace_exorcist::{attacked, card};
use crate::cresnovian_chess::{running, square, view};
use crate::ludus_magus::position;
use crate::positions::{Position, result};

/// Closes elements, runs a script, reverses text, and is not valid XML.
const HOSTILE: &str =
    "</text></svg><script>alert(1)</script>\"'&amp;]]><!--\u{202e}\0\u{1b}[2J\u{FFFE}\u{200b}";

fn with_names(mut view: View) -> View {
    for status in &mut view.seats {
        status.player = Some(Player::named(HOSTILE));
        status.title = HOSTILE.to_owned();
    }
    view.result = Some(result(Some(1), HOSTILE));
    view
}

fn poem() -> View {
    let mut board = running();
    board.field.as_mut().expect("a field").word =
        Some(cresnovian::FieldWord { square: square(2, 4), word: HOSTILE.to_owned() });
    board.poem = crate::cresnovian_chess::poem(vec![HOSTILE.to_owned(); 30]);
    view(board)
}

#[test]
fn names_and_words_remain_text() {
    let lobby = Position::running().without_board().view();
    for view in [Position::running().view(), attacked(), position(), poem(), lobby] {
        for status in [MatchStatus::Open, MatchStatus::Running, MatchStatus::Over] {
            let view = View { status: status.into(), ..with_names(view.clone()) };
            let drawn = svg(&view, &[], AUTO);
            well_formed::check(&drawn);
            let document = Document::parse(&drawn).expect("well-formed XML");
            let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
            assert!(
                texts.iter().any(|text| text.contains("</svg><script>alert(1)</script>\"'&amp;")),
                "{drawn}"
            );
        }
    }
}

#[test]
fn a_hostile_poem() {
    golden_svg("hostile", &with_names(poem()), &[]);
}

fn of(game: game_view::Game) -> View {
    View { game_view: Some(GameView { game: Some(game) }), ..View::default() }
}

#[test]
fn meaningless_messages_are_drawn_without_panicking() {
    let far = ludus::Place { place: Some(ludus::place::Place::Cell(ludus::Cell { x: u32::MAX, y: 8 })) };
    let strange = ludus::Piece { place: Some(far), ..ludus::Piece::default() };
    let nothing = ludus::Piece::default();
    let holding = ace::Holding {
        hit_points: u32::MAX,
        hand_size: u32::MAX,
        stack_size: u32::MAX,
        ..ace::Holding::default()
    };
    let table = ace::View {
        summoner: Some(holding),
        ritual: vec![card(ace::Suit::Unspecified, u32::MAX)],
        attack: (1..=10).map(|value| card(ace::Suit::Blade, value)).collect(),
        ..ace::View::default()
    };
    let ragged = vec![angels::Row { spaces: vec![] }, angels::Row { spaces: vec![77, -1, 3] }];
    let beyond =
        cresnovian::Piece { square: square(0, u32::MAX), home: square(9, 9), ..cresnovian::Piece::default() };
    let field = cresnovian::Field { pieces: vec![beyond], ..cresnovian::Field::default() };
    let views = [
        of(game_view::Game::LudusMagus(ludus::View {
            pieces: vec![strange, nothing],
            turns_taken: u32::MAX,
            ..ludus::View::default()
        })),
        of(game_view::Game::LudusMagus(ludus::View::default())),
        of(game_view::Game::AceExorcist(table)),
        of(game_view::Game::AceExorcist(ace::View::default())),
        of(game_view::Game::AngelsAndDemons(angels::View { rows: ragged, ..angels::View::default() })),
        of(game_view::Game::AngelsAndDemons(angels::View::default())),
        of(game_view::Game::CresnovianChess(cresnovian::View {
            field: Some(field),
            turns_taken: u32::MAX,
            ..cresnovian::View::default()
        })),
        of(game_view::Game::CresnovianChess(cresnovian::View::default())),
        View::default(),
    ];
    for view in views {
        for theme in Theme::ALL {
            for orientation in [Orientation::Viewer, Orientation::Zero, Orientation::One] {
                well_formed::check(&svg(&view, &[], SvgStyle { theme, orientation }));
            }
        }
    }
}
