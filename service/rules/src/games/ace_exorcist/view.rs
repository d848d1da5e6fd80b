//! What a viewer may see of a position (AE-34, AE-50).

use alloc::vec::Vec;

use super::cards::{Card, CardSet};
use super::facts::{Assault, sees_hand};
use super::state::{SUMMONER, State};
use crate::{BySide, Side, Viewer};

/// A position as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The hit points.
    pub hit_points: BySide<u32>,
    /// Both hands.
    pub hands: BySide<Hand>,
    /// Both draw stacks.
    pub stacks: BySide<Stack>,
    /// Both discard piles.
    pub discards: BySide<CardSet>,
    /// The cards in the Ritual Space.
    pub ritual: CardSet,
    /// The attack awaiting the Exorcist's answer; empty if there is none.
    pub attack: CardSet,
    /// What the latest assault revealed, if there was one.
    pub latest_assault: Option<Assault>,
}

/// A hand as a viewer sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hand {
    /// The number of cards.
    pub size: u32,
    /// The cards, if the viewer may see them.
    pub cards: Option<CardSet>,
}

/// A draw stack as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stack {
    /// The number of cards.
    pub size: u32,
    /// The top card while it is public (AE-34).
    pub known_top: Option<Card>,
    /// The cards, top first; only in the open view.
    pub cards: Option<Vec<Card>>,
}

pub(super) fn view(state: &State, viewer: Viewer) -> View {
    let hand = |seat| Hand {
        size: state.hands[seat].len(),
        cards: sees_hand(viewer, seat).then_some(state.hands[seat]),
    };
    let latest_assault = state.latest_assault.map(|reach| {
        let (taken, put_back) = state.revealed(reach);
        Assault { strength: reach.strength, taken: taken.to_vec(), put_back }
    });
    View {
        hit_points: state.hit_points,
        hands: BySide::new(hand(Side::Zero), hand(Side::One)),
        stacks: BySide::new(stack(state, Side::Zero, viewer), stack(state, Side::One, viewer)),
        discards: state.discards,
        ritual: state.ritual,
        attack: state.attack,
        latest_assault,
    }
}

fn stack(state: &State, seat: Side, viewer: Viewer) -> Stack {
    let cards = state.stack(seat);
    Stack {
        size: u32::try_from(cards.len()).expect("a stack is small"),
        known_top: if seat == SUMMONER { state.known_top() } else { None },
        cards: (viewer == Viewer::Open).then(|| cards.to_vec()),
    }
}
