//! Cosmos: Redefinition (CC-45). Breakdown (CC-44) may be used on any piece and needs nothing here.

use alloc::vec::Vec;

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::choices::answers::Answers;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::field::square::{Square, SquareSet};
use crate::games::cresnovian_chess::moves::Elite;
use crate::games::cresnovian_chess::violation::{Violation, require};

/// The most uses of Redefinition that are listed (CC-80).
pub(crate) const MAX_LISTED: u64 = 5_000;

/// Where a word can be placed: blank squares, and the one that the old word leaves.
fn places(scene: Scene<'_>) -> SquareSet {
    let blanks = scene.field().blanks();
    scene.field().word().map_or(blanks, |&(square, _)| blanks.with(square))
}

fn poem_len(scene: Scene<'_>) -> u32 {
    u32::try_from(scene.field().poem.len()).expect("a match has at most 18 000 words (CC-71)")
}

/// How many uses there are.
pub(crate) fn redefinitions(scene: Scene<'_>) -> u64 {
    let words = u64::from(poem_len(scene));
    // After the removal there are as many indices to put the old word back as there were words.
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
    require(words > 0, "CC-45", "there is no word in the poem")?;
    require(take < words, "CC-45", "the poem has no word at that index")?;
    match (scene.field().word(), put_back) {
        (None, Some(_)) => Err(Violation::of("CC-45", "there is no word on the field to put back")),
        (Some(_), None) => {
            Err(Violation::of("CC-45", "the word on the field must be put back into the poem"))
        }
        (Some(_), Some(index)) if index >= words => {
            Err(Violation::of("CC-45", "the word can't be put back at that index"))
        }
        (None, None) | (Some(_), Some(_)) => require(
            places(scene).contains(square),
            "CC-45",
            "the word goes to a blank square, or the old word's",
        ),
    }
}

/// By the word taken, then by where the old one goes back, then by the square.
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
