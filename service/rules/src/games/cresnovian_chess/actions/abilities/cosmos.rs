//! Cosmos: Redefinition (CC-45). Breakdown (CC-44) targets any piece and needs no check.

use alloc::vec::Vec;

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::actions::answers::Answers;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::field::square::{Square, SquareSet};
use crate::games::cresnovian_chess::moves::Elite;
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Maximum number of listed uses of Redefinition (CC-80).
pub(crate) const MAX_LISTED: u64 = 5_000;

/// Returns the squares on which a word can be placed: blank squares and the old word's.
fn places(scene: Scene<'_>) -> SquareSet {
    let blanks = scene.field().blanks();
    scene.field().word().map_or(blanks, |&(square, _)| blanks.with(square))
}

fn poem_len(scene: Scene<'_>) -> u32 {
    u32::try_from(scene.field().poem.len()).expect("a match has at most 18 000 words (CC-71)")
}

/// Returns the number of legal uses.
pub(crate) fn redefinitions(scene: Scene<'_>) -> u64 {
    let words = u64::from(poem_len(scene));
    // After the removal the old word can return at as many indices as there were words.
    let ways_back = if scene.field().word().is_some() { words } else { 1 };
    words * ways_back * u64::from(places(scene).len())
}

pub(crate) fn check_redefinition(
    scene: Scene<'_>,
    take: u32,
    put_back: Option<u32>,
    square: Square,
) -> Result<(), Violation> {
    let words = poem_len(scene);
    require(words > 0, "CC-45", "the poem has no words")?;
    require(take < words, "CC-45", "the poem has no word at that index")?;
    match (scene.field().word(), put_back) {
        (None, Some(_)) => {
            Err(Violation::of("CC-45", "there is no word on the field to put back into the poem"))
        }
        (Some(_), None) => {
            Err(Violation::of("CC-45", "the word on the field must be put back into the poem"))
        }
        (Some(_), Some(index)) if index >= words => {
            Err(Violation::of("CC-45", "the word cannot be put back at that index"))
        }
        (None, None) | (Some(_), Some(_)) => require(
            places(scene).contains(square),
            "CC-45",
            "the word goes to a blank square, or the old word's",
        ),
    }
}

/// Visits the legal uses by the word taken, then by the index put back, then by square.
pub(crate) fn list_redefinitions(scene: Scene<'_>, found: &mut impl FnMut(Elite)) {
    if redefinitions(scene) > MAX_LISTED {
        return;
    }
    let words = poem_len(scene);
    let ways_back = if scene.field().word().is_some() { words } else { 1 };
    let places: Vec<Square> = places(scene).iter().collect();
    for take in 0..words {
        for back in 0..ways_back {
            let put_back = scene.field().word().map(|_| back);
            for &square in &places {
                found(Elite::Redefinition { take, put_back, square });
            }
        }
    }
}

pub(crate) fn ask_redefinition<A: Answers>(scene: Scene<'_>, answers: &mut A) -> Result<Elite, A::Stop> {
    let last = poem_len(scene) - 1;
    let take = answers.number("Which word of the poem is taken out, counted from 0?", 0, last)?;
    let put_back = match scene.field().word() {
        Some(_) => {
            let prompt = "Before which of the other words does the old word go back, counted from 0?";
            Some(answers.number(prompt, 0, last)?)
        }
        None => None,
    };
    let square = answers.square("Where is the word placed?", places(scene))?;
    Ok(Elite::Redefinition { take, put_back, square })
}

pub(crate) fn redefine(take: u32, put_back: Option<u32>, square: Square, effects: &mut Effects) {
    let word = effects.take_word(take);
    if let (Some(old), Some(index)) = (effects.lift_word(), put_back) {
        effects.put_word_back(index, old);
    }
    effects.lay_word(square, word);
}
