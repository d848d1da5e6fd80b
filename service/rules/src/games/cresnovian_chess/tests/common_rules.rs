//! The paragraphs common to all games, as far as this game can show them; notation.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{ONE, TWO, after, opening, read, refusal, sketch, started};
use crate::games::cresnovian_chess::{
    Basic, CresnovianChess, Flaw, Move, Options, Performance, PieceSet, SquareSet, Umbration,
};
use crate::{BadAnswer, BySide, Game, IllegalKind, Seed};

#[test]
fn g_1_seats_have_names() {
    assert_eq!(CresnovianChess::INFO.seat_names, BySide::new("Player One", "Player Two"));
}

#[test]
fn g_2_the_first_failing_test_is_named() {
    let over = after(&opening(1), &[super::PLACEMENT, "left", "travel ess 1,2"]);
    let malformed = Move::Malformed(Flaw::Kind);
    let kind = |state, seat, mv| CresnovianChess::play(state, seat, mv).err().map(|illegal| illegal.kind);
    assert_eq!(kind(&over, TWO, &malformed), Some(IllegalKind::MatchOver));
    let start = started();
    assert_eq!(kind(&start, ONE, &malformed), Some(IllegalKind::NotToAct));
    assert_eq!(kind(&start, TWO, &malformed), Some(IllegalKind::Move));
    for flaw in [Flaw::Kind, Flaw::Piece, Flaw::Square, Flaw::Place, Flaw::Parts] {
        assert_eq!(refusal(&opening(1), &Move::Malformed(flaw)).paragraph.as_str(), "G-2");
        assert_eq!(refusal(&start, &Move::Malformed(flaw)).paragraph.as_str(), "G-2");
    }
    // The kind of move is tested before its parts.
    assert_eq!(super::refused(&sketch("vel@2,4=0b"), "rewind"), "CC-46");
}

#[test]
fn g_2_sets_mean_the_same_in_any_order() {
    let pieces = [Umbration::Cosmos, Umbration::Essence];
    let one: PieceSet = pieces.into_iter().collect();
    let other: PieceSet = pieces.into_iter().rev().collect();
    assert_eq!(one, other);
    let mv = Move::Perform(Performance::Basic(Basic::Propaganda(one)));
    assert_eq!(CresnovianChess::print_move(&mv), "propaganda ess cos");
    let squares = [super::square("1,2"), super::square("1,1")];
    let one: SquareSet = squares.into_iter().collect();
    assert_eq!(one, squares.into_iter().rev().collect());
}

#[test]
fn g_2_a_bad_answer_is_refused_at_its_index() {
    let start = started();
    let refused = |path: &[&str]| {
        let path: Vec<String> = path.iter().map(ToString::to_string).collect();
        let BadAnswer { index, illegal } =
            CresnovianChess::choices(&start, TWO, &path).expect_err("not offered");
        (index, illegal.paragraph.as_str())
    };
    assert_eq!(refused(&["pass"]), (0, "G-2"));
    assert_eq!(refused(&["travel", "ess", "3,9"]), (2, "G-2"));
    assert_eq!(refused(&["travel", "ess", "1,2", "enough"]), (3, "G-2"));
    assert_eq!(refused(&["perform", "dua", "elite"]), (2, "G-2"));
    assert_eq!(refused(&["perform", "dua", "basic", "enough"]), (3, "G-2"));
}

#[test]
fn g_5_the_seed_is_ignored() {
    let [one, other] = [0, 1]
        .map(|byte| CresnovianChess::setup(&Options::default(), &Seed::new([byte; 32])).expect("in range"));
    assert_eq!(one.canonical(), other.canonical());
}

#[test]
fn g_6_a_seat_that_is_not_to_act_has_no_moves() {
    let start = started();
    assert!(CresnovianChess::legal(&start, ONE).moves.is_empty());
    assert!(CresnovianChess::legal(&start, ONE).is_complete());
    assert!(CresnovianChess::choices(&start, ONE, &[]).is_err());
}

#[test]
fn every_kind_of_move_round_trips() {
    for text in [
        super::PLACEMENT,
        "left",
        "right",
        "travel inn 1,7",
        "home ess",
        "eternal cog",
        "cut dua",
        "flock ess@1,1 dua@2,2",
        "flock",
        "breakdown cos",
        "redefine 0 2,5",
        "redefine 17 2,5 3",
        "rewind",
        "teleport 1,1 3,9",
        "spectacle rad@1,7",
        "ray",
        "build cor@2,2",
        "destroy 1,1 2,3",
        "destroy",
        "tectonic 1,1r 2,3ul",
        "tectonic",
        "energize inn 3",
        "energize inn 0",
        "fit",
        "dance cut vel",
        "dance rewind",
        "dance destroy 1,1",
        "berserk vel@1,1",
        "propaganda ess cog",
        "propaganda",
        "knowledge",
        "repair cap",
        "document a b c d e f g h i",
        "document",
        "document ",
        "document a  b",
        "pass",
    ] {
        assert_eq!(CresnovianChess::print_move(&read(text)), text);
    }
}

#[test]
fn no_move_has_a_second_notation() {
    for text in [
        "",
        " ",
        "?",
        "Travel inn 1,7",
        "travel  inn 1,7",
        "travel inn 1,7 ",
        "travel inn 01,7",
        "travel inn +1,7",
        "travel inn 4,1",
        "travel inn 1,10",
        "travel inn 1,0",
        "travel INN 1,7",
        "travel innervation 1,7",
        "propaganda cog ess",
        "propaganda ess ess",
        "destroy 2,3 1,1",
        "destroy 1,1 1,1",
        "flock dua@2,2 ess@1,1",
        "redefine 00 2,5",
        "redefine -1 2,5",
        "redefine 4294967296 2,5",
        "energize inn 03",
        "tectonic 1,1",
        "tectonic 1,1x",
        "tectonic 1,\u{e9}r",
        "dance dance cut ess",
        "dance fit",
        "dance",
        "dance repair ess",
        "place ess@1,1",
        "place dua@2,1 ess@1,1 cos@3,1 vel@3,4 rad@3,5 cor@3,6 inn@1,9 cap@2,9 cog@3,9",
        "left ",
    ] {
        let unreadable = CresnovianChess::parse_move(text).expect_err(text);
        assert!(unreadable.text.contains("example"));
    }
}
