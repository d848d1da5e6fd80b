//! A match of Ludus Magus as text.

use std::fmt::Write;

use rules::games::ludus_magus::{Fact, LudusMagus, Options, Piece, Place, View};
use rules::{Game, Seed, Side, Viewer};

use crate::{VIEWERS, facts_by_viewer};

/// One of everything, in a small space.
const START: &str = "\
    White Magus d4, White Codex d3, White Famulus c4, White Aether 3,4, White Aer 4,4, White Terra c5, \
    White Aqua 6,1, White Ignis 7,1, White Terra 6,2, White Aer 7,4, Black Magus g2, Black Famulus g3, \
    Black Codex h2, Black Ignis c6, Black Aer f7, Black Terra h8";

/// Terra's movement, Aer's, a Conjure, a swap there and back, a Summon, Ignis's capture, a step, a bind.
const MOVES: [&str; 9] =
    ["c5xc6-c7", "f7-f5", "ignis@d5", "swap", "4,4>e4", "swap", "d5-f5", "h8-h7", "7,4-7,2"];

pub(crate) fn playthrough() -> String {
    let info = LudusMagus::INFO;
    let options = Options { pieces: START.split(", ").map(piece).collect(), ..Options::default() };
    let mut out = format!("{} (rules version {})\n", info.title, info.rules_version);
    let mut state = LudusMagus::setup(&options, &Seed::new([0; 32])).expect("the options are playable");
    out += &format!("\n== opening\n{}", position(&state));
    for (step, text) in MOVES.into_iter().enumerate() {
        let seat = LudusMagus::to_act(&state).iter().next().expect("the script ends with the match");
        let mv = LudusMagus::parse_move(text).expect("the script is notation");
        let played = LudusMagus::play(&state, seat, &mv).expect("the script is legal");
        writeln!(out, "\n== move {}: {} plays {text}", step + 1, name(seat))
            .expect("writing to a string cannot fail");
        out += &facts(&played.facts);
        state = played.state;
        out += &position(&state);
    }
    out
}

fn piece(text: &str) -> Option<Piece> {
    let mut words = text.split(' ');
    let seat = Side::ALL.into_iter().find(|&seat| words.clone().next() == Some(name(seat)))?;
    let kind_name = words.nth(1)?;
    let kind = rules::games::ludus_magus::Kind::ALL.into_iter().find(|kind| kind.name() == kind_name)?;
    Some(Piece { seat, kind, place: Place::parse(words.next()?)? })
}

fn name(seat: Side) -> &'static str {
    LudusMagus::INFO.seat_names[seat]
}

fn piece_text(Piece { seat, kind, place }: Piece) -> String {
    format!("{} {} {place}", name(seat), kind.name())
}

fn facts(facts: &[Fact]) -> String {
    let facts_for = |viewer| {
        let seen = facts.iter().filter_map(|fact| LudusMagus::redact_fact(fact, viewer));
        seen.map(|fact| format!("  {}\n", fact_text(&fact))).collect::<String>()
    };
    facts_by_viewer(facts_for, viewer_name)
}

fn fact_text(fact: &Fact) -> String {
    match *fact {
        Fact::Captured { piece } => format!("captured: {}", piece_text(piece)),
        Fact::Moved { piece, over: Some(over), to } => {
            format!("moved: {} over {over} to {to}", piece_text(piece))
        }
        Fact::Moved { piece, over: None, to } => format!("moved: {} to {to}", piece_text(piece)),
        Fact::Swapped { seat, magus, famulus } => {
            format!("swapped: {} Magus to {magus}, Famulus to {famulus}", name(seat))
        }
        Fact::Conjured { piece } => format!("conjured: {}", piece_text(piece)),
        Fact::Summoned { piece, to } => format!("summoned: {} to {to}", piece_text(piece)),
        Fact::ManaChanged { seat, mana } => format!("{} has mana {mana}", name(seat)),
        Fact::Bound { magus } => format!("bound: {}", piece_text(magus)),
        Fact::TurnTaken { turn, quiet_turns, occurrences } => {
            format!("turn {turn} is taken; quiet {quiet_turns}; occurrences {occurrences}")
        }
    }
}

fn viewer_name(viewer: Viewer) -> &'static str {
    match viewer {
        Viewer::Seat(seat) => name(seat),
        Viewer::Spectator => "spectator",
        Viewer::Open => "open",
    }
}

fn position(state: &<LudusMagus as Game>::State) -> String {
    let views = VIEWERS.map(|viewer| LudusMagus::view(state, viewer));
    assert!(views.iter().all(|view| *view == views[0]), "everybody sees the same");
    let mut out = view_text(&views[0]);
    for seat in LudusMagus::to_act(state).iter() {
        let moves = LudusMagus::legal(state, seat).moves;
        let moves: Vec<_> = moves.iter().map(LudusMagus::print_move).collect();
        out += &format!("{} to act, {} moves: {}\n", name(seat), moves.len(), moves.join(" "));
    }
    let canonical = LudusMagus::canonical(state);
    out +=
        &format!("canonical: {}\n", canonical.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    if let Some(ending) = LudusMagus::ending(state) {
        out += &format!("ending: {} by {}\n", ending.winner.map_or("nobody", name), ending.reason.as_str());
    }
    out
}

fn view_text(view: &View) -> String {
    let pieces: Vec<_> = view.pieces.iter().copied().map(piece_text).collect();
    format!(
        "pieces: {}\nmana: White {}, Black {}; turns {} of {}; quiet {}; occurrences {}\n",
        pieces.join(", "),
        view.mana[Side::Zero],
        view.mana[Side::One],
        view.turns_taken,
        view.max_turns,
        view.quiet_turns,
        view.occurrences
    )
}
