//! Who is ahead in a position, by the same heuristics as moves: decides whether a bot accepts a draw.

use std::cmp::Ordering;

use rules::{Side, State};
use wire::games::ace_exorcist::v1 as ace_exorcist;
use wire::games::angels_and_demons::v1 as angels_and_demons;
use wire::v1::game_view;

use crate::Knowledge;
use crate::games::{cresnovian_chess, ludus_magus};

/// The Summoner's hit points at the start.
const SUMMONER_POINTS: u32 = 60;
/// The Exorcist's hit points at the start.
const EXORCIST_POINTS: u32 = 30;

/// A position as one seat evaluates it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evaluation {
    /// The seat is ahead.
    Better,
    /// Neither side is ahead.
    Even,
    /// The seat is behind: a draw is a good result.
    Worse,
}

/// Returns who is ahead as this seat sees it, or `None` if it knows too little.
pub fn evaluate(knowledge: Knowledge<'_>, seat: Side) -> Option<Evaluation> {
    match knowledge {
        Knowledge::Complete(state) => {
            let worth = match state {
                State::LudusMagus(_) => (ludus_magus::HEURISTIC.worth)(state, seat),
                State::CresnovianChess(_) => (cresnovian_chess::HEURISTIC.worth)(state, seat),
                State::AceExorcist(_) | State::AngelsAndDemons(_) | State::Other(_) => return None,
            };
            Some(from_order(worth.cmp(&0)))
        }
        Knowledge::Partial { view, .. } => {
            let [zero, one] = match view.game.as_ref()? {
                game_view::Game::AceExorcist(view) => hit_point_shares(view)?,
                game_view::Game::AngelsAndDemons(view) => spaces(view),
                game_view::Game::LudusMagus(_) | game_view::Game::CresnovianChess(_) => return None,
            };
            Some(from_order(match seat {
                Side::Zero => zero.cmp(&one),
                Side::One => one.cmp(&zero),
            }))
        }
    }
}

fn from_order(order: Ordering) -> Evaluation {
    match order {
        Ordering::Greater => Evaluation::Better,
        Ordering::Equal => Evaluation::Even,
        Ordering::Less => Evaluation::Worse,
    }
}

/// Returns the remaining hit points of both sides on one scale. Each card on the Ritual Space counts for the
/// Summoner as a third of a win.
fn hit_point_shares(view: &ace_exorcist::View) -> Option<[u32; 2]> {
    let (summoner, exorcist) = (view.summoner.as_ref()?, view.exorcist.as_ref()?);
    let ritual = u32::try_from(view.ritual.len()).unwrap_or(u32::MAX).min(3);
    let zero =
        summoner.hit_points.saturating_mul(EXORCIST_POINTS) + ritual * SUMMONER_POINTS * EXORCIST_POINTS / 3;
    Some([zero, exorcist.hit_points.saturating_mul(SUMMONER_POINTS)])
}

fn spaces(view: &angels_and_demons::View) -> [u32; 2] {
    [view.angels, view.demons]
}

#[cfg(test)]
mod tests {
    use wire::games::ace_exorcist::v1::{Card, Holding};
    use wire::v1::GameView;

    use super::*;

    fn both(game: game_view::Game) -> [Option<Evaluation>; 2] {
        let view = GameView { game: Some(game) };
        Side::ALL.map(|seat| evaluate(Knowledge::Partial { view: &view, moves: &[] }, seat))
    }

    #[test]
    fn the_side_with_more_is_ahead() {
        use Evaluation::{Better, Even, Worse};
        let covered = |angels, demons| {
            game_view::Game::AngelsAndDemons(angels_and_demons::View { angels, demons, ..Default::default() })
        };
        assert_eq!(both(covered(5, 3)), [Some(Better), Some(Worse)]);
        assert_eq!(both(covered(4, 4)), [Some(Even), Some(Even)]);

        let table = |summoner, exorcist, ritual: usize| {
            let holding = |hit_points| Some(Holding { hit_points, ..Holding::default() });
            game_view::Game::AceExorcist(ace_exorcist::View {
                summoner: holding(summoner),
                exorcist: holding(exorcist),
                ritual: vec![Card::default(); ritual],
                ..Default::default()
            })
        };
        assert_eq!(both(table(60, 30, 0)), [Some(Even), Some(Even)]);
        assert_eq!(both(table(40, 30, 0)), [Some(Worse), Some(Better)]);
        assert_eq!(both(table(40, 30, 2)), [Some(Better), Some(Worse)]);
    }

    #[test]
    fn an_empty_view_has_no_evaluation() {
        assert_eq!(evaluate(Knowledge::Partial { view: &GameView::default(), moves: &[] }, Side::Zero), None);
    }
}
