//! What the catalog tells about a game: names, options and their ranges, its rules page.

use alloc::format;

use crate::{BadOption, BySeat, Illegal, Paragraph};

/// What can be said about a game before any match of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The id, as everywhere outside this crate: `angels-and-demons`.
    pub id: &'static str,
    /// The name in print.
    pub title: &'static str,
    /// One line on what kind of play it is.
    pub summary: &'static str,
    /// The number of the rules that new matches are played by.
    pub rules_version: u32,
    /// What the game calls its seats.
    pub seat_names: BySeat<&'static str>,
    /// Whether both seats can be to act at once.
    pub simultaneous: bool,
    /// Whether some viewer may not see everything.
    pub secrets: bool,
    /// Whether the seed matters.
    pub chance: bool,
    /// Options that are whole numbers, in the order in which a form should ask for them.
    pub options: &'static [OptionInfo],
    /// Options that are more than one whole number, in the same order.
    pub structured_options: &'static [StructuredOption],
    /// The game's rules page, Markdown.
    pub rules_text: &'static str,
}

/// An option of a match: a whole number within a range (rule G-8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// The name of the field in the game's options.
    pub name: &'static str,
    /// The value if the match's creator gives none.
    pub default: u32,
    /// The least value accepted.
    pub min: u32,
    /// The greatest value accepted.
    pub max: u32,
    /// What it decides, and conditions that a range cannot tell.
    pub text: &'static str,
}

/// An option of a match that is more than one whole number, told in words: its type is in the game's options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StructuredOption {
    /// The name of the field in the game's options.
    pub name: &'static str,
    /// What it is made of.
    pub form: &'static str,
    /// The value if the match's creator gives none.
    pub default: &'static str,
    /// What it decides, and its conditions.
    pub text: &'static str,
}

impl OptionInfo {
    /// Rejects a value out of range, by the paragraph that gives the option its range.
    pub(crate) fn check(&self, value: u32, paragraph: Paragraph) -> Result<(), BadOption> {
        let Self { name, min, max, .. } = *self;
        if (min..=max).contains(&value) {
            return Ok(());
        }
        let illegal = Illegal::new(paragraph, format!("{name} must be {min} to {max}"));
        Err(BadOption { option: name, illegal })
    }
}
