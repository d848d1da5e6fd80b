//! A match of Angels and Demons as text.

use std::fmt::Write;

use rules::games::angels_and_demons::{AngelsAndDemons, Cover, Fact, Options, Space, View};
use rules::{BySide, Game, Seed, Side, Sides, Viewer};

use crate::{VIEWERS, facts_by_viewer};

/// Overlap, borders, captures by either seat, both orders of choosing, the same choice twice.
const CHOICES: [(Side, &str); 10] = [
    (Side::Zero, "2,2"),
    (Side::One, "2,4"),
    (Side::One, "3,1"),
    (Side::Zero, "4,4"),
    (Side::Zero, "2,2"),
    (Side::One, "2,2"),
    (Side::One, "3,3"),
    (Side::Zero, "1,5"),
    (Side::Zero, "2,4"),
    (Side::One, "4,2"),
];

pub(crate) fn playthrough() -> String {
    let options = Options { rows: 4, cols: 6, turns: 5 };
    let Options { rows, cols, turns } = options;
    let info = AngelsAndDemons::INFO;
    let mut out = format!("{} (rules version {})\n", info.title, info.rules_version);
    writeln!(
        out,
        "rows {rows}, cols {cols}, turns {turns}; A angel, D demon, # black, . empty white; row 1 below"
    )
    .expect("writing to a string cannot fail");
    let mut state = AngelsAndDemons::setup(&options, &Seed::new([0; 32])).expect("the options are in range");
    out += &format!("\n== opening\n{}", position(&state));
    for (step, (seat, text)) in CHOICES.into_iter().enumerate() {
        let mv = AngelsAndDemons::parse_move(text).expect("the script is notation");
        let played = AngelsAndDemons::play(&state, seat, &mv).expect("the script is legal");
        out += &format!("\n== move {}: {} choose {text}\n", step + 1, name(seat));
        let turn = AngelsAndDemons::reveal(&played.state);
        let revealed = turn.as_ref().map_or(&[][..], |turn| &turn.facts);
        out += &facts(&[&played.facts, revealed].concat());
        state = turn.map_or(played.state, |turn| turn.state);
        out += &position(&state);
    }
    out
}

fn name(seat: Side) -> &'static str {
    AngelsAndDemons::INFO.seat_names[seat]
}

fn names(seats: Sides) -> String {
    let names: Vec<_> = seats.iter().map(name).collect();
    if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
}

fn facts(facts: &[Fact]) -> String {
    let facts_for = |viewer| {
        let seen = facts.iter().filter_map(|fact| AngelsAndDemons::redact_fact(fact, viewer));
        seen.map(|fact| format!("  {}\n", fact_text(&fact))).collect::<String>()
    };
    facts_by_viewer(facts_for, viewer_name)
}

fn fact_text(fact: &Fact) -> String {
    match fact {
        Fact::Chosen { seat } => format!("{} have chosen", name(*seat)),
        Fact::Revealed { seat, space } => format!("{} chose {}", name(*seat), space_text(*space)),
        Fact::Changed { space, from, to } => format!("{} from {from:?} to {to:?}", space_text(*space)),
        Fact::TurnResolved { turn, counts } => format!("turn {turn} is resolved, {}", counts_text(*counts)),
    }
}

fn space_text(Space { row, col }: Space) -> String {
    format!("{row},{col}")
}

fn counts_text(counts: BySide<u32>) -> String {
    format!("Angels {} Demons {}", counts[Side::Zero], counts[Side::One])
}

fn viewer_name(viewer: Viewer) -> &'static str {
    match viewer {
        Viewer::Seat(seat) => name(seat),
        Viewer::Spectator => "spectator",
        Viewer::Open => "open",
    }
}

fn position(state: &<AngelsAndDemons as Game>::State) -> String {
    let moves = Side::ALL.map(|seat| {
        let listing = AngelsAndDemons::legal(state, seat);
        format!("{} {}", name(seat), listing.moves.len())
    });
    let mut out =
        format!("to act: {}; legal moves: {}\n", names(AngelsAndDemons::to_act(state)), moves.join(", "));
    let views = VIEWERS.map(|viewer| view_lines(viewer, &AngelsAndDemons::view(state, viewer)));
    for line in 0..views[0].len() {
        let line = views.each_ref().map(|lines| format!("{:<26}", lines[line])).concat();
        out += &format!("{}\n", line.trim_end());
    }
    let canonical = AngelsAndDemons::canonical(state);
    out +=
        &format!("canonical: {}\n", canonical.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    if let Some(ending) = AngelsAndDemons::ending(state) {
        out += &format!("ending: {} by {}\n", ending.winner.map_or("nobody", name), ending.reason.as_str());
    }
    out
}

fn view_lines(viewer: Viewer, view: &View) -> Vec<String> {
    let mut lines = vec![
        format!("[{}]", viewer_name(viewer)),
        format!("turn {} of {}", view.turn, view.turns),
        counts_text(view.counts),
        format!("chosen: {}", names(view.chosen)),
        format!("own choice: {}", view.own_choice.map_or("none".to_owned(), space_text)),
    ];
    let rows = view.covers.chunks(view.cols as usize).zip(1..).collect::<Vec<_>>();
    lines.extend(rows.into_iter().rev().map(|(covers, row)| {
        let symbols = covers.iter().zip(1..).map(|(cover, col)| symbol(*cover, Space { row, col }));
        format!("{row} {}", symbols.collect::<String>())
    }));
    lines
}

fn symbol(cover: Cover, space: Space) -> char {
    match (cover, space.is_black()) {
        (Cover::Angel, _) => 'A',
        (Cover::Demon, _) => 'D',
        (Cover::Empty, true) => '#',
        (Cover::Empty, false) => '.',
    }
}
