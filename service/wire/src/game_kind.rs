//! The game that a message is about, by the name of its envelopes.

use crate::v1::{Event, View, event, fact, game_view, r#move};

/// A game of the API, by the name of its envelopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// `angels-and-demons`.
    AngelsAndDemons,
    /// `ace-exorcist`.
    AceExorcist,
    /// `cresnovian-chess`.
    CresnovianChess,
    /// `ludus-magus`.
    LudusMagus,
}

impl GameKind {
    /// Every game.
    pub const ALL: [Self; 4] =
        [Self::AngelsAndDemons, Self::AceExorcist, Self::CresnovianChess, Self::LudusMagus];

    /// Returns the game's id in requests and answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AngelsAndDemons => "angels-and-demons",
            Self::AceExorcist => "ace-exorcist",
            Self::CresnovianChess => "cresnovian-chess",
            Self::LudusMagus => "ludus-magus",
        }
    }

    /// Returns the game with this id. `None` if this build does not know it.
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.as_str() == id)
    }

    /// Returns the game of a view. `None` before the match has started.
    pub fn of_view(view: &View) -> Option<Self> {
        Some(match view.game_view.as_ref()?.game.as_ref()? {
            game_view::Game::AngelsAndDemons(_) => Self::AngelsAndDemons,
            game_view::Game::AceExorcist(_) => Self::AceExorcist,
            game_view::Game::CresnovianChess(_) => Self::CresnovianChess,
            game_view::Game::LudusMagus(_) => Self::LudusMagus,
        })
    }

    /// Returns the game of an event that names one: a creation, a fork, a move, or any event with facts.
    pub fn of_event(event: &Event) -> Option<Self> {
        let of_fact = || event.facts.iter().find_map(|fact| fact.game.as_ref().map(Self::of_fact));
        match event.kind.as_ref()? {
            event::Kind::MatchCreated(created) => Self::parse(&created.game_id),
            event::Kind::MatchForked(forked) => Self::parse(&forked.game_id),
            event::Kind::MoveMade(mv) => mv.r#move.as_ref()?.game.as_ref().map(Self::of_move),
            event::Kind::TurnRevealed(turn) => {
                let mut moves =
                    turn.moves.iter().filter_map(|revealed| revealed.r#move.as_ref()?.game.as_ref());
                moves.next().map(Self::of_move).or_else(of_fact)
            }
            // Any other event names its game in its facts, or not at all.
            _ => of_fact(),
        }
    }

    const fn of_move(mv: &r#move::Game) -> Self {
        match mv {
            r#move::Game::AngelsAndDemons(_) => Self::AngelsAndDemons,
            r#move::Game::AceExorcist(_) => Self::AceExorcist,
            r#move::Game::CresnovianChess(_) => Self::CresnovianChess,
            r#move::Game::LudusMagus(_) => Self::LudusMagus,
        }
    }

    const fn of_fact(fact: &fact::Game) -> Self {
        match fact {
            fact::Game::AngelsAndDemons(_) => Self::AngelsAndDemons,
            fact::Game::AceExorcist(_) => Self::AceExorcist,
            fact::Game::CresnovianChess(_) => Self::CresnovianChess,
            fact::Game::LudusMagus(_) => Self::LudusMagus,
        }
    }
}
