//! The catalog: a game's names, options and rules page.

use alloc::format;

use crate::{BadOption, BySeat, Illegal, Paragraph};

/// A game's catalog entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The id used everywhere outside this crate, such as `angels-and-demons`.
    pub id: &'static str,
    /// The printed name.
    pub title: &'static str,
    /// One line on the kind of play.
    pub summary: &'static str,
    /// The rules version of new matches.
    pub rules_version: u32,
    /// The game's names for its seats.
    pub seat_names: BySeat<&'static str>,
    /// Whether both seats can be to act at once.
    pub simultaneous: bool,
    /// Whether something can be hidden from a viewer.
    pub secrets: bool,
    /// Whether the seed has an effect.
    pub chance: bool,
    /// Options that are whole numbers, in the order for a form.
    pub options: &'static [OptionInfo],
    /// Options that are more than one whole number, in the order for a form.
    pub structured_options: &'static [StructuredOption],
    /// The game's rules page in Markdown.
    pub rules_text: &'static str,
}

/// An option that is a whole number within a range (rule G-8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// The field's name in the game's options.
    pub name: &'static str,
    /// The default value.
    pub default: u32,
    /// The smallest accepted value.
    pub min: u32,
    /// The largest accepted value.
    pub max: u32,
    /// What the option decides, and conditions beyond its range.
    pub text: &'static str,
}

/// An option that is more than one whole number, described in words. Its type is in the game's options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StructuredOption {
    /// The field's name in the game's options.
    pub name: &'static str,
    /// The parts of a value.
    pub form: &'static str,
    /// The default value.
    pub default: &'static str,
    /// What the option decides, and its conditions.
    pub text: &'static str,
}

impl OptionInfo {
    /// Rejects a value out of range, citing the paragraph that defines the range.
    pub(crate) fn check(&self, value: u32, paragraph: Paragraph) -> Result<(), BadOption> {
        let Self { name, min, max, .. } = *self;
        if (min..=max).contains(&value) {
            return Ok(());
        }
        let illegal = Illegal::new(paragraph, format!("{name} must be {min} to {max}"));
        Err(BadOption { option: name, illegal })
    }
}
