//! How a seat stands, by the same judgement as its moves: what decides whether a bot
//! takes a draw.

use std::cmp::Ordering;

use replay::{Seat, State};
use wire::games::ace_exorcist::v1 as ace_exorcist;
use wire::games::angels_and_demons::v1 as angels_and_demons;
use wire::v1::game_view;

use super::{Known, cresnovian_chess, ludus_magus};

/// Hit points at the start.
const SUMMONER_POINTS: u32 = 60;
const EXORCIST_POINTS: u32 = 30;

/// How a seat stands against the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It would rather play on.
    Better,
    /// Neither side is ahead.
    Even,
    /// A draw is more than it can hope for.
    Worse,
}

/// How this seat stands; none if it knows too little to tell.
pub(crate) fn standing(known: &Known<'_>, seat: Seat) -> Option<Standing> {
    match known {
        Known::Everything(state) => {
            let worth = match state {
                State::LudusMagus(_) => (ludus_magus::EYE.worth)(state, seat),
                State::CresnovianChess(_) => (cresnovian_chess::EYE.worth)(state, seat),
                State::AceExorcist(_) | State::AngelsAndDemons(_) => return None,
            };
            Some(of_order(worth.cmp(&0)))
        }
        Known::Own { view, .. } => {
            let [zero, one] = match view.game.as_ref()? {
                game_view::Game::AceExorcist(view) => hit_points(view)?,
                game_view::Game::AngelsAndDemons(view) => spaces(view),
                game_view::Game::LudusMagus(_) | game_view::Game::CresnovianChess(_) => return None,
            };
            Some(of_order(match seat {
                Seat::Zero => zero.cmp(&one),
                Seat::One => one.cmp(&zero),
            }))
        }
    }
}

fn of_order(order: Ordering) -> Standing {
    match order {
        Ordering::Greater => Standing::Better,
        Ordering::Equal => Standing::Even,
        Ordering::Less => Standing::Worse,
    }
}

/// What is left of each side's hit points, as parts of the same whole. Each card on
/// the Ritual Space brings the Summoner a third nearer to the win.
fn hit_points(view: &ace_exorcist::View) -> Option<[u32; 2]> {
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

    fn both(game: game_view::Game) -> [Option<Standing>; 2] {
        let view = GameView { game: Some(game) };
        Seat::ALL.map(|seat| standing(&Known::Own { view: &view, moves: &[] }, seat))
    }

    #[test]
    fn who_has_more_stands_better() {
        use Standing::{Better, Even, Worse};
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
    fn without_anything_to_go_by_nothing_is_told() {
        assert_eq!(standing(&Known::Own { view: &GameView::default(), moves: &[] }, Seat::Zero), None);
    }
}
