//! Executes a move step by step in the order of the paragraphs, and tests for the end after every step
//! (AE-40).

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::cards::{Card, CardSet};
use super::facts::{Assault, Fact};
use super::moves::Move;
use super::state::{AssaultReach, EXORCIST, FULL_HIT_POINTS, HAND_LIMIT, SUMMONER, State};
use super::{check, ending};
use crate::{Illegal, Played, Side};

pub(super) fn play(state: &State, seat: Side, mv: &Move) -> Result<Played<State, Fact>, Illegal> {
    check::check_to_act(state, seat)?;
    check::check_move(state, mv)?;
    let mut execution = Execution { state: state.clone(), facts: Vec::with_capacity(TYPICAL_FACTS) };
    // Steps after the end do not happen, so a break is not an error.
    let (ControlFlow::Continue(()) | ControlFlow::Break(Over)) = execution.run(mv);
    let mut after = execution.state;
    let is_idle = *mv == Move::Pass && after.stack_top == state.stack_top;
    after.idle_moves = if is_idle { state.idle_moves + 1 } else { 0 };
    Ok(Played { state: after, facts: execution.facts })
}

const TYPICAL_FACTS: usize = 8;

/// The match has ended; no further step happens.
struct Over;

type StepResult = ControlFlow<Over>;

/// A move being executed.
struct Execution {
    state: State,
    facts: Vec<Fact>,
}

impl Execution {
    fn run(&mut self, mv: &Move) -> StepResult {
        match *mv {
            Move::Ritual(card) => self.ritual(card),
            Move::Attack(cards) => self.attack(cards),
            Move::Trade(cards) => self.trade(cards),
            Move::TakeHit => self.take_hit(),
            Move::Guard { low, high } => self.guard(low, high),
            Move::Banish { ritual, flush } => self.banish(ritual, flush),
            Move::Assault(flush) => self.assault(flush),
            Move::Heal(cards) => self.heal(cards),
            Move::Pass => self.pass(),
            Move::Malformed(_) => ControlFlow::Break(Over),
        }
    }

    /// Ends a step: records the fact and tests AE-40.
    fn step(&mut self, fact: Fact) -> StepResult {
        self.facts.push(fact);
        match ending::by_conditions(&self.state) {
            Some(_) => ControlFlow::Break(Over),
            None => ControlFlow::Continue(()),
        }
    }

    /// Plays a ritual card (AE-12).
    fn ritual(&mut self, card: Card) -> StepResult {
        self.state.hands[SUMMONER].remove(CardSet::only(card));
        self.state.ritual.insert(card);
        self.step(Fact::RitualPlayed { card })?;
        self.begin_turn(EXORCIST)
    }

    /// Attacks (AE-13).
    fn attack(&mut self, cards: CardSet) -> StepResult {
        self.state.hands[SUMMONER].remove(cards);
        self.state.attack = cards;
        self.state.mover = EXORCIST;
        self.step(Fact::Attacked { cards })
    }

    /// Trades cards for new ones (AE-14).
    fn trade(&mut self, cards: CardSet) -> StepResult {
        self.discard(SUMMONER, cards)?;
        for _ in 0..=cards.len() {
            self.draw(SUMMONER)?;
        }
        self.begin_turn(EXORCIST)
    }

    /// Passes (AE-15, AE-36).
    fn pass(&mut self) -> StepResult {
        let seat = self.state.mover;
        self.draw(seat)?;
        self.begin_turn(seat.other())
    }

    /// Takes the hit (AE-20).
    fn take_hit(&mut self) -> StepResult {
        self.finish_attack(0)?;
        self.begin_turn(EXORCIST)
    }

    /// Guards against the attack (AE-22 to AE-24).
    fn guard(&mut self, low: Option<Card>, high: Option<Card>) -> StepResult {
        let guards = low.into_iter().chain(high).collect();
        self.move_to_discard(EXORCIST, guards);
        self.step(Fact::Guarded { low, high })?;
        let (lowest, highest) = check::lowest_and_highest(self.state.attack);
        let guarded = low.map_or(0, |_| lowest) + high.map_or(0, |_| highest);
        self.finish_attack(guarded)?;
        self.step(Fact::TurnSkipped)?;
        self.begin_turn(SUMMONER)
    }

    /// Discards the attack, then deals the unguarded damage (AE-23).
    fn finish_attack(&mut self, guarded: u32) -> StepResult {
        let cards = core::mem::take(&mut self.state.attack);
        self.state.discards[SUMMONER] = self.state.discards[SUMMONER].union(cards);
        self.step(Fact::AttackDiscarded { cards })?;
        self.deal_damage(EXORCIST, cards.strength() - guarded)
    }

    /// Banishes a ritual card (AE-32).
    fn banish(&mut self, ritual: Card, flush: CardSet) -> StepResult {
        self.discard(EXORCIST, flush)?;
        let card = CardSet::only(ritual);
        self.state.ritual.remove(card);
        self.state.discards[SUMMONER] = self.state.discards[SUMMONER].union(card);
        self.step(Fact::Banished { card: ritual })?;
        self.deal_damage(SUMMONER, ritual.value())?;
        self.begin_turn(SUMMONER)
    }

    /// Assaults the Summoner's stack (AE-33). The end is not tested between the reveal and the damage.
    fn assault(&mut self, flush: CardSet) -> StepResult {
        self.discard(EXORCIST, flush)?;
        let strength = flush.strength();
        let (taken, total) = assault_reach(self.state.stack(SUMMONER), strength);
        let reach = AssaultReach { strength, first: self.state.stack_top[SUMMONER], taken };
        self.state.latest_assault = Some(reach);
        self.state.stack_top[SUMMONER] += taken;
        let (cards, put_back) = self.state.revealed(reach);
        let fact = Fact::Assaulted(Assault { strength, taken: cards.to_vec(), put_back });
        let discards = cards.iter().copied().collect();
        self.state.discards[SUMMONER] = self.state.discards[SUMMONER].union(discards);
        self.facts.push(fact);
        self.deal_damage(SUMMONER, total)?;
        for _ in 0..taken {
            self.draw(EXORCIST)?;
        }
        self.begin_turn(SUMMONER)
    }

    /// Heals (AE-35).
    fn heal(&mut self, cards: CardSet) -> StepResult {
        self.discard(EXORCIST, cards)?;
        let healing = cards.strength();
        let hit_points = (self.state.hit_points[EXORCIST] + healing).min(FULL_HIT_POINTS[EXORCIST]);
        self.state.hit_points[EXORCIST] = hit_points;
        self.step(Fact::Healed { healing, hit_points })?;
        self.begin_turn(SUMMONER)
    }

    /// Begins a seat's turn with its draw (AE-10, AE-30).
    fn begin_turn(&mut self, seat: Side) -> StepResult {
        self.state.mover = seat;
        self.step(Fact::TurnBegan { seat })?;
        self.draw(seat)
    }

    /// Draws a card unless the hand is full (AE-5).
    fn draw(&mut self, seat: Side) -> StepResult {
        if self.state.hands[seat].len() >= HAND_LIMIT {
            return self.step(Fact::HandFull { seat });
        }
        let card = *self.state.stack(seat).first().expect("an empty stack ended the match (AE-40)");
        self.state.stack_top[seat] += 1;
        self.state.hands[seat].insert(card);
        self.step(Fact::Drew { seat, card: Some(card) })
    }

    /// Moves cards from the hand to the own discard pile (AE-6).
    fn discard(&mut self, seat: Side, cards: CardSet) -> StepResult {
        self.move_to_discard(seat, cards);
        self.step(Fact::Played { seat, cards })
    }

    fn move_to_discard(&mut self, seat: Side, cards: CardSet) {
        self.state.hands[seat].remove(cards);
        self.state.discards[seat] = self.state.discards[seat].union(cards);
    }

    /// Deals damage; hit points never fall below 0 (AE-2).
    fn deal_damage(&mut self, seat: Side, damage: u32) -> StepResult {
        let hit_points = self.state.hit_points[seat].saturating_sub(damage);
        self.state.hit_points[seat] = hit_points;
        self.step(Fact::Damaged { seat, damage, hit_points })
    }
}

/// Returns how many cards an assault of this strength takes from the stack, and their total (AE-33).
fn assault_reach(stack: &[Card], strength: u32) -> (usize, u32) {
    let mut total = 0;
    for (taken, card) in stack.iter().enumerate() {
        if total + card.value() > strength {
            return (taken, total);
        }
        total += card.value();
        if total == strength {
            return (taken + 1, total);
        }
    }
    (stack.len(), total)
}
