//! Laws of the notation: each move has exactly one, and it parses back to the move.

use std::collections::BTreeMap;

use rules::{Dice, Game, Side};

use crate::subject::Subject;
use crate::walk::{Walk, every_position};

pub(crate) fn every_move_round_trips<S: Subject>() {
    every_position::<S>(|walk, dice| {
        for mv in moves(walk, dice) {
            let text = S::Game::print_move(&mv);
            assert_eq!(S::Game::parse_move(&text), Ok(mv), "{text}");
        }
    });
}

pub(crate) fn different_moves_have_different_notations<S: Subject>() {
    every_position::<S>(|walk, dice| {
        let mut written = BTreeMap::new();
        for mv in moves(walk, dice) {
            let text = S::Game::print_move(&mv);
            let earlier = written.entry(text).or_insert_with(|| mv.clone());
            assert_eq!(*earlier, mv);
        }
    });
}

/// Checks that whatever parses prints as the same text.
pub(crate) fn no_move_has_a_second_notation<S: Subject>() {
    every_position::<S>(|walk, dice| {
        let Some((_, mv)) = walk.history.last() else { return };
        let text = S::Game::print_move(mv);
        for typo in typos(&text, dice) {
            if let Ok(read) = S::Game::parse_move(&typo) {
                assert_eq!(S::Game::print_move(&read), typo);
            }
        }
    });
}

fn moves<S: Subject>(walk: &Walk<S>, dice: &mut Dice) -> Vec<<S::Game as Game>::Move> {
    let listed = Side::ALL.into_iter().flat_map(|seat| S::Game::legal(&walk.now.state, seat).moves);
    let sampled: Vec<_> =
        Side::ALL.into_iter().filter_map(|seat| S::Game::sample(&walk.now.state, seat, dice)).collect();
    listed.chain(sampled).chain(S::probes(&walk.options, dice)).collect()
}

/// Returns the text with a character inserted, doubled or removed at each index, and in capitals.
fn typos(text: &str, dice: &mut Dice) -> Vec<String> {
    let mut typos = vec![text.to_uppercase(), text.to_lowercase()];
    for (place, char) in text.char_indices() {
        let (head, tail) = text.split_at(place);
        let &extra = dice.pick(&[' ', '0', '+', '-', ',', '\n', '\u{660}']).expect("the list is not empty");
        typos.push(format!("{head}{extra}{tail}"));
        typos.push(format!("{head}{char}{tail}"));
        typos.push(format!("{head}{}", &tail[char.len_utf8()..]));
    }
    typos.extend([format!("{text} "), format!("{text}\n"), format!("{text},1")]);
    typos
}
