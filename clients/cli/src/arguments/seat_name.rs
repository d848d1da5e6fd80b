//! Naming a seat on the command line: by number, by word, or by the game's title of it.

use std::fmt;
use std::str::FromStr;

use wire::v1::{Game, Match};

use crate::failure::Failure;

/// A seat as given on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SeatName {
    /// By number: the same in every game.
    Numbered(u32),
    /// By the game's title in lower case: `angels`.
    Titled(String),
}

impl fmt::Display for SeatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbered(number) => number.fmt(f),
            Self::Titled(typed) => write!(f, "`{typed}`"),
        }
    }
}

impl FromStr for SeatName {
    type Err = &'static str;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        match typed.to_lowercase().as_str() {
            "" => Err("name a seat: 0, 1, zero, one, or its title in the game"),
            "zero" => Ok(Self::Numbered(0)),
            "one" => Ok(Self::Numbered(1)),
            typed => Ok(typed.parse().map_or_else(|_| Self::Titled(typed.to_owned()), Self::Numbered)),
        }
    }
}

/// The titles of the seats in a game, such as Angels and Demons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeatTitles(Vec<(u32, String)>);

impl SeatTitles {
    /// Collects titles by seat.
    pub(crate) fn new<'a>(titles: impl Iterator<Item = (u32, &'a str)>) -> Self {
        Self(titles.map(|(seat, title)| (seat, title.to_owned())).collect())
    }

    /// Returns the titles in a game.
    pub(crate) fn of_game(game: &Game) -> Self {
        Self((0..).zip(game.seat_names.iter().cloned()).collect())
    }

    /// Returns the titles in a match.
    pub(crate) fn of_match(a_match: &Match) -> Self {
        Self(a_match.seats.iter().filter_map(|status| Some((status.seat?, status.title.clone()))).collect())
    }

    /// Returns the named seat.
    pub(crate) fn find(&self, name: &SeatName) -> Result<u32, Failure> {
        let found = self.0.iter().find(|(seat, title)| match name {
            SeatName::Numbered(number) => seat == number,
            SeatName::Titled(typed) => title.to_lowercase() == *typed,
        });
        found.map(|(seat, _)| *seat).ok_or_else(|| {
            let known = |(seat, title): &(u32, String)| format!("{seat} ({})", title.to_lowercase());
            let known: Vec<String> = self.0.iter().map(known).collect();
            let known = board::printable(&known.join(", "));
            Failure::Usage(format!("there is no seat {name}; the seats are {known}"))
        })
    }

    /// Returns the title of a seat.
    pub(crate) fn title(&self, seat: u32) -> String {
        let found = self.0.iter().find(|(here, _)| *here == seat);
        found.map_or_else(|| format!("seat {seat}"), |(_, title)| board::printable(title))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_can_be_named_in_many_ways() {
        let game = Game { seat_names: vec!["Angels".to_owned(), "Demons".to_owned()], ..Game::default() };
        let titles = SeatTitles::of_game(&game);
        let find = |typed: &str| titles.find(&typed.parse().unwrap());
        for typed in ["1", "one", "ONE", "demons", "Demons"] {
            assert_eq!(find(typed).unwrap(), 1, "{typed}");
        }
        assert_eq!(find("angels").unwrap(), 0);
        let refused = find("white").unwrap_err().to_string();
        assert!(
            refused.contains("there is no seat `white`; the seats are 0 (angels), 1 (demons)"),
            "{refused}"
        );
        let refused = find("2").unwrap_err().to_string();
        assert!(refused.contains("there is no seat 2; the seats are 0"), "{refused}");
        assert!("".parse::<SeatName>().is_err());
    }
}
