//! A view has a bounded size, however long the match is. `docs/api.md` lists the bounds.

use event::{Event, Seat};
use prost::Message as _;
use replay::Position;
use rules::games::{cresnovian_chess as cc, ludus_magus as lm};
use rules::{GameId, Games, Move, Options, Side, Viewer};
use wire::v1::View;

use crate::sample::{Log, random_match};

const VIEWERS: [Viewer<Seat>; 4] =
    [Viewer::Seat(Seat::ALL[0]), Viewer::Seat(Seat::ALL[1]), Viewer::Spectator, Viewer::Open];

/// Space for what the matches here lack: the longest names, clocks and a result.
const REST: usize = 600;

/// Returns the maximum size of a game's views in KiB.
fn largest_kib(game: GameId) -> usize {
    match game {
        GameId::AngelsAndDemons | GameId::AceExorcist => 2,
        GameId::LudusMagus => 3,
        GameId::CresnovianChess => 48,
    }
}

/// Returns the size of the largest view in a match.
fn largest_in(events: &[Event], match_id: event::MatchId) -> usize {
    let largest = |position: &Position| VIEWERS.map(|viewer| position.shown(viewer).encoded_len());
    let (mut position, _) = Position::start(Games::built_in(), match_id, &events[0]).unwrap();
    let mut sizes = largest(&position).to_vec();
    for event in &events[1..] {
        position.apply(event).unwrap();
        sizes.extend(largest(&position));
    }
    sizes.into_iter().max().unwrap()
}

#[track_caller]
fn is_bounded(log: &Log) {
    let game = log.position.game();
    let size = largest_in(&log.events, log.position.match_id());
    assert!(size + REST <= largest_kib(game) * 1024, "{game}: {size} bytes");
}

#[test]
fn views_of_random_matches_are_bounded() {
    for game in GameId::ALL {
        for seed in 0..3 {
            is_bounded(&random_match(game, seed));
        }
    }
}

#[test]
fn views_of_the_largest_boards_are_bounded() {
    let mut log = Log::started(26, 26, 1000);
    log.play_out(1);
    is_bounded(&log);

    // All but seven places are taken, so that White has a move.
    let corners = ["a1", "h8"].map(|text| lm::Place::parse(text).unwrap());
    let piece = |(place, nth): (lm::Place, usize)| lm::Piece {
        seat: if nth < 72 { Side::Zero } else { Side::One },
        kind: if corners.contains(&place) { lm::Kind::Magus } else { lm::Kind::Aer },
        place,
    };
    let mut places: Vec<_> = lm::Place::all().collect();
    places.sort_by_key(|place| place.row());
    let taken = places.into_iter().zip(0..).filter(|(_, nth)| nth % 20 != 13);
    let pieces = taken.map(piece).map(Some).collect();
    is_bounded(&Log::create_of(Options::LudusMagus(lm::Options { pieces, ..Default::default() })).claimed());
}

/// Returns a match in which every turn writes the longest words.
fn documents(max_turns: u32) -> Log {
    let mut log = Log::create_of(Options::CresnovianChess(cc::Options { max_turns })).claimed();
    let place = "place ess@1,1 dua@2,1 cos@3,1 vel@3,4 rad@3,5 cor@3,6 inn@1,9 cap@2,9 cog@3,9";
    let word = cc::Word::new(&"\u{1F600}".repeat(32));
    let document = Move::CresnovianChess(cc::Move::Document(vec![word; 9]));
    let set_up = [place, "left"].map(|text| GameId::CresnovianChess.parse_move(text).unwrap());
    for mv in set_up.into_iter().chain(std::iter::repeat(document)) {
        let Some(seat) = log.position.to_act().iter().next() else { break };
        log.submit(seat, &mv);
    }
    log
}

#[test]
fn a_view_of_a_long_poem_has_its_last_words_and_their_number() {
    let log = documents(2000);
    is_bounded(&log);
    let shown: View = log.position.shown(Viewer::Spectator);
    let Some(wire::v1::game_view::Game::CresnovianChess(view)) = shown.game_view.unwrap().game else {
        panic!("a view of another game")
    };
    let (now, before) = (view.poem.unwrap(), view.undo.unwrap().poem.unwrap());
    assert_eq!((now.word_count, before.word_count), (18_000, 17_991));
    assert_eq!((now.last_words.len(), before.last_words.len()), (180, 180));
    assert_ne!(now.hash, before.hash);
}

#[test]
fn the_bounds_are_documented() {
    let page = include_str!("../../../../docs/api.md");
    for game in GameId::ALL {
        let row = format!("| a view of {} | {} KiB |", game.info().title, largest_kib(game));
        assert!(page.contains(&row), "docs/api.md lacks: {row}");
    }
}
