//! Documents: legal words (CC-60), and the gain from writing (CC-61).

use crate::Side;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::facts::Fact;
use crate::games::cresnovian_chess::field::poem::{DOCUMENT_WORDS, Word};
use crate::games::cresnovian_chess::state::{Deed, Playing};
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Rejects any document in this turn if the seat's last one was rewound.
pub(crate) fn check_kind(playing: &Playing) -> Result<(), Violation> {
    let is_allowed = playing.forbidden != Some(Deed::Document);
    require(is_allowed, "CC-46", "your document was rewound, so you cannot document in this turn")
}

pub(crate) fn check(playing: &Playing, words: &[Word]) -> Result<(), Violation> {
    check_kind(playing)?;
    require(words.len() == DOCUMENT_WORDS, "CC-60", "a document needs exactly 9 words")?;
    words.iter().try_for_each(check_word)
}

pub(crate) fn check_word(word: &Word) -> Result<(), Violation> {
    let text = "a word has 1 to 32 characters and no white space, control characters or invisible direction \
                characters";
    require(word.is_allowed(), "CC-60", text)
}

/// Appends the words, then raises every live piece in the seat's kingdom to the highest Q there.
pub(crate) fn write(playing: &Playing, seat: Side, words: &[Word], effects: &mut Effects) {
    effects.facts.push(Fact::Documented { seat });
    effects.append(words);
    let pieces = playing.field.pieces_on(playing.squares_of(seat));
    let highest = pieces.iter().map(|piece| playing.field.q(piece)).max().unwrap_or(0);
    for piece in pieces.iter() {
        effects.change_q(piece, |q| if q > 0 { highest } else { 0 });
    }
}
