//! A match of Ace Exorcist as text.

use std::fmt::Write;

use rules::games::ace_exorcist::{AceExorcist, Assault, Card, CardSet, Fact, Options, State, View};
use rules::{Dice, Game, Seed, Side, Viewer};

use crate::facts_by_viewer;

/// Returns the seed of the first check of AE-8.
fn seed() -> Seed {
    Seed::new(std::array::from_fn(|place| u8::try_from(place).expect("a seed has 32 bytes")))
}

pub(crate) fn playthrough() -> String {
    let info = AceExorcist::INFO;
    let mut out = format!("{} (rules version {})\n", info.title, info.rules_version);
    out += "seed 00 01 02 .. 1f; a random match\n";
    let mut state = AceExorcist::setup(&Options, &seed()).expect("there are no options");
    let mut dice = Dice::new(&Seed::new([41; 32]));
    out += &format!("\n== opening\n{}", position(&state));
    let mut step = 0;
    while let Some(seat) = AceExorcist::to_act(&state).iter().next() {
        step += 1;
        let mv = AceExorcist::sample(&state, seat, &mut dice).expect("a seat to act has a move");
        let played = AceExorcist::play(&state, seat, &mv).expect("a sampled move is legal");
        writeln!(out, "\n== move {step}: {}: {}", name(seat), AceExorcist::print_move(&mv))
            .expect("writing to a string cannot fail");
        out += &facts(&played.facts);
        state = played.state;
        out += &position(&state);
    }
    out
}

fn name(seat: Side) -> &'static str {
    AceExorcist::INFO.seat_names[seat]
}

fn facts(facts: &[Fact]) -> String {
    let facts_for = |viewer| {
        let seen = facts.iter().filter_map(|fact| AceExorcist::redact_fact(fact, viewer));
        seen.map(|fact| format!("  {}\n", fact_text(&fact))).collect::<String>()
    };
    facts_by_viewer(facts_for, viewer_name)
}

fn fact_text(fact: &Fact) -> String {
    match fact {
        Fact::TurnBegan { seat } => format!("turn of {}", name(*seat)),
        Fact::TurnSkipped => "Exorcist skips a turn".to_owned(),
        Fact::Drew { seat, card } => format!("{} draws {}", name(*seat), card_or(*card, "a card")),
        Fact::HandFull { seat } => format!("{} draws nothing, hand full", name(*seat)),
        Fact::Played { seat, cards } => format!("{} plays {}", name(*seat), list(cards.iter())),
        Fact::RitualPlayed { card } => format!("into the Ritual Space: {}", card.name()),
        Fact::Attacked { cards } => format!("attack by {}", list(cards.iter())),
        Fact::Guarded { low, high } => {
            format!("guards: low {}, high {}", card_or(*low, "none"), card_or(*high, "none"))
        }
        Fact::AttackDiscarded { cards } => format!("attack discarded: {}", list(cards.iter())),
        Fact::Banished { card } => format!("banished: {}", card.name()),
        Fact::Assaulted(assault) => assault_text(assault),
        Fact::Damaged { seat, damage, hit_points } => {
            format!("{} takes {damage}, {hit_points} left", name(*seat))
        }
        Fact::Healed { healing, hit_points } => format!("Exorcist heals {healing}, has {hit_points}"),
    }
}

fn assault_text(Assault { strength, taken, put_back }: &Assault) -> String {
    let taken = list(taken.iter().copied());
    format!("assault of strength {strength} takes {taken}; put back {}", card_or(*put_back, "none"))
}

fn card_or(card: Option<Card>, none: &str) -> String {
    card.map_or(none.to_owned(), Card::name)
}

fn list(cards: impl Iterator<Item = Card>) -> String {
    let names: Vec<_> = cards.map(Card::name).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

fn viewer_name(viewer: Viewer) -> &'static str {
    match viewer {
        Viewer::Seat(seat) => name(seat),
        Viewer::Spectator => "spectator",
        Viewer::Open => "open",
    }
}

fn position(state: &State) -> String {
    let mut out = view_text(&AceExorcist::view(state, Viewer::Spectator));
    for seat in Side::ALL {
        let view = AceExorcist::view(state, Viewer::Seat(seat));
        let hand = view.hands[seat].cards.map_or("not shown".to_owned(), |cards| list(cards.iter()));
        out += &format!("seen by {} alone: {hand}\n", name(seat));
    }
    for seat in AceExorcist::to_act(state).iter() {
        let moves = AceExorcist::legal(state, seat).moves;
        let texts: Vec<_> = moves.iter().map(AceExorcist::print_move).collect();
        out += &format!("to act: {}; {} moves: {}\n", name(seat), texts.len(), texts.join(" | "));
    }
    let canonical = AceExorcist::canonical(state);
    out +=
        &format!("canonical: {}\n", canonical.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    if let Some(ending) = AceExorcist::ending(state) {
        out += &format!("ending: {} by {}\n", ending.winner.map_or("nobody", name), ending.reason.as_str());
        let open = AceExorcist::view(state, Viewer::Open);
        for (seat, stack) in open.stacks.iter() {
            let cards = stack.cards.iter().flatten().copied();
            let hand = open.hands[seat].cards.into_iter().flat_map(CardSet::iter);
            out += &format!("open, {}: hand {}; stack {}\n", name(seat), list(hand), list(cards));
        }
    }
    out
}

/// Describes the public view.
fn view_text(view: &View) -> String {
    let mut out = String::new();
    for seat in Side::ALL {
        let (hand, stack) = (view.hands[seat].size, view.stacks[seat].size);
        let top =
            view.stacks[seat].known_top.map_or(String::new(), |card| format!(" ({} on top)", card.name()));
        let discards = list(view.discards[seat].iter());
        out += &format!(
            "{}: {} hit points, hand {hand}, stack {stack}{top}, discards: {discards}\n",
            name(seat),
            view.hit_points[seat]
        );
    }
    out += &format!("ritual: {}; attack: {}\n", list(view.ritual.iter()), list(view.attack.iter()));
    if let Some(assault) = &view.latest_assault {
        out += &format!("latest: {}\n", assault_text(assault));
    }
    out
}
