//! The catalog: a game's names, options and rules page.

use alloc::format;
use core::ops::RangeInclusive;

use crate::{BadOption, BySide, Illegal, Paragraph, Side};

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
    pub seat_names: BySide<&'static str>,
    /// Whether both seats can be to act at once.
    pub simultaneous: bool,
    /// Whether something can be hidden from a viewer.
    pub secrets: bool,
    /// Whether the seed has an effect.
    pub chance: bool,
    /// The options, in the order for a form.
    pub options: &'static [OptionSpec],
    /// The game's rules page in Markdown.
    pub rules_text: &'static str,
}

/// An option of a game, described so that a client can build a form (rule G-8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The field's name in the game's options.
    pub name: &'static str,
    /// A label for a form.
    pub title: &'static str,
    /// What the option decides, and conditions beyond its type.
    pub text: &'static str,
    /// The values it can have.
    pub option_type: OptionType,
}

/// The values that an option can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionType {
    /// A whole number within a range.
    Integer {
        /// The default value.
        default: u32,
        /// The smallest accepted value.
        min: u32,
        /// The largest accepted value.
        max: u32,
    },
    /// Yes or no.
    Boolean {
        /// The default value.
        default: bool,
    },
    /// One of several named values.
    Enumeration {
        /// The values, at least one.
        values: &'static [OptionValue],
        /// The name of the default value.
        default: &'static str,
    },
    /// A text.
    Text {
        /// The default value.
        default: &'static str,
        /// Maximum length in Unicode scalar values.
        max_chars: u32,
    },
    /// A message, or a list of messages, of the game's proto.
    Structured {
        /// The default value, in words.
        default: &'static str,
        /// The full name of the message.
        message: &'static str,
        /// Whether a value is a list of such messages.
        list: bool,
    },
}

/// A value of an option that has named values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionValue {
    /// The value's name in the game's proto.
    pub name: &'static str,
    /// What it means.
    pub text: &'static str,
}

impl GameInfo {
    /// Returns whether a move can be taken back by consent: it has shown nobody anything hidden, and making
    /// it anew repeats no chance (G-10).
    #[must_use]
    pub const fn allows_takebacks(&self) -> bool {
        !(self.simultaneous || self.secrets || self.chance)
    }
}

/// An option that is a whole number within a range: its definition, from which its specification is made.
#[derive(Clone, Copy)]
pub(crate) struct IntegerOption {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) default: u32,
    pub(crate) min: u32,
    pub(crate) max: u32,
}

impl GameInfo {
    /// Returns the numbers of seats that a match of the game can have. The games here have two.
    #[must_use]
    pub const fn seats(&self) -> RangeInclusive<usize> {
        Side::ALL.len()..=Side::ALL.len()
    }
}

impl IntegerOption {
    pub(crate) const fn spec(self) -> OptionSpec {
        let Self { name, title, text, default, min, max } = self;
        OptionSpec { name, title, text, option_type: OptionType::Integer { default, min, max } }
    }

    /// Rejects a value out of range, citing the paragraph that defines the range.
    pub(crate) fn check(self, value: u32, paragraph: Paragraph) -> Result<(), BadOption> {
        let Self { name, min, max, .. } = self;
        if (min..=max).contains(&value) {
            return Ok(());
        }
        let illegal = Illegal::new(paragraph, format!("must be {min} to {max}"));
        Err(BadOption { option: name, illegal })
    }
}
