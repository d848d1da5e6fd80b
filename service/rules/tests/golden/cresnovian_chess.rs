//! A match of Sticky Cresnovian Chess as text.

use rules::games::cresnovian_chess::{
    Condition, CresnovianChess, Fact, FieldView, Kingdom, Options, Square, Status, View, Word,
};
use rules::{Game, Seed, Side, Viewer};

/// Every kind of turn, abilities of each kind, a Dance, a rewind and what it forbids, an exempting monument.
const MOVES: [&str; 26] = [
    "place ess@1,1 dua@2,1 cos@3,1 vel@1,9 rad@3,4 cor@3,5 inn@3,6 cap@2,9 cog@3,9",
    "left",
    "document the sea is a field of words that move",
    "rewind",
    "travel ess 1,8",
    "document no one owns what stands where you stand now",
    "travel cos 1,3",
    "travel inn 3,8",
    "cut ess",
    "energize cap 3",
    "breakdown cap",
    "repair cap",
    "travel cor 2,4",
    "dance build cap@2,8",
    "travel cor 2,2",
    "propaganda dua cos",
    "build cor@1,2",
    "teleport 1,2 1,7",
    "document every turn may be undone but once it was",
    "knowledge",
    "breakdown inn",
    "berserk dua@1,1",
    "travel cos 3,3",
    "travel inn 2,7",
    "travel rad 2,4",
    "travel cog 3,7",
];

pub(crate) fn playthrough() -> String {
    let options = Options { max_turns: 24 };
    let info = CresnovianChess::INFO;
    let mut out = format!("{} (rules version {})\n", info.title, info.rules_version);
    out += "max_turns 24; pieces with Q, b broken, e eternal; monuments in brackets\n";
    let mut state = CresnovianChess::setup(&options, &Seed::new([0; 32])).expect("the option is in range");
    out += &format!("\n== opening\n{}", position(&state));
    for (step, text) in MOVES.into_iter().enumerate() {
        let Some(seat) = CresnovianChess::to_act(&state).iter().next() else { break };
        let mv = CresnovianChess::parse_move(text).expect("the script is notation");
        let played = match CresnovianChess::play(&state, seat, &mv) {
            Ok(played) => played,
            Err(illegal) => panic!("{text}: {illegal}"),
        };
        out += &format!("\n== move {}: {} {text}\nfacts to everybody:\n", step + 1, info.seat_names[seat]);
        for fact in &played.facts {
            out += &format!("  {}\n", fact_text(fact));
        }
        state = played.state;
        out += &position(&state);
    }
    out
}

fn position(state: &<CresnovianChess as Game>::State) -> String {
    let mut out = String::new();
    let view = CresnovianChess::view(state, Viewer::Spectator);
    for seat in CresnovianChess::to_act(state).iter() {
        let listing = CresnovianChess::legal(state, seat);
        out += &format!(
            "to act: {}; {} moves listed; unlisted: {}\n",
            CresnovianChess::INFO.seat_names[seat],
            listing.moves.len(),
            listing.unlisted_families.join(" ")
        );
    }
    out += &view_text(&view);
    let canonical = CresnovianChess::canonical(state);
    out +=
        &format!("canonical: {}\n", canonical.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    if let Some(ending) = CresnovianChess::ending(state) {
        let winner = ending.winner.map_or("nobody", |seat| CresnovianChess::INFO.seat_names[seat]);
        out += &format!("ending: {winner} by {}\n", ending.reason.as_str());
    }
    out
}

fn view_text(view: &View) -> String {
    let mut out = format!("{:?}, turn {} of {}", view.phase, view.turns_taken, view.max_turns);
    if let (Some(kingdoms), Some(totals)) = (view.kingdoms, view.totals) {
        let side = if kingdoms[Side::Zero] == Kingdom::Left { "left" } else { "right" };
        out += &format!("; Player One {side}; Q {} to {}", totals[Side::Zero], totals[Side::One]);
    }
    out += &format!("\nlocked: {:?}; forbidden: {:?}\n", view.locked, view.forbidden);
    out += &field_text(&view.field);
    if let Some(undo) = &view.undo {
        out += &format!("a rewind undoes {:?} and restores:\n", undo.deed);
        out += &field_text(&undo.field).lines().map(|line| format!("    {line}\n")).collect::<String>();
    }
    out
}

fn field_text(field: &FieldView) -> String {
    let mut out = String::new();
    for row in 1..=3 {
        let squares = (1..=9).map(|col| {
            let square = Square::new(row, col).expect("it is on the field");
            format!("{:<8}", square_text(field, square))
        });
        out += &format!("  {}\n", squares.collect::<String>().trim_end());
    }
    let words: Vec<&str> = field.poem.iter().map(Word::as_str).collect();
    out + &format!("  poem: {}\n", words.join(" "))
}

fn square_text(field: &FieldView, square: Square) -> String {
    if let Some(piece) = field.pieces.iter().find(|piece| piece.square == square) {
        return format!("{}={}", piece.umbration.code(), condition(piece.condition));
    }
    if let Some((_, umbration)) = field.monuments.iter().find(|(at, _)| *at == square) {
        return format!("[{}]", umbration.code());
    }
    match &field.word {
        Some((at, word)) if *at == square => format!("\"{}\"", word.as_str()),
        _ => ".".to_owned(),
    }
}

fn condition(condition: Condition) -> String {
    let mark = match condition.status {
        Status::Whole => "",
        Status::Broken => "b",
        Status::Eternal => "e",
    };
    format!("{}{mark}", condition.q)
}

fn fact_text(fact: &Fact) -> String {
    match fact {
        Fact::Placed { piece, square } => format!("{} placed on {square}", piece.name()),
        Fact::Traveled { piece, from, to, .. } => format!("{} travels from {from} to {to}", piece.name()),
        Fact::PieceMoved { piece, from, to } => format!("{} moves from {from} to {to}", piece.name()),
        Fact::PieceChanged { piece, from, to } => {
            format!("{} from {} to {}", piece.name(), condition(*from), condition(*to))
        }
        Fact::MonumentBuilt { square, umbration } => format!("monument of {} on {square}", umbration.name()),
        Fact::MonumentDestroyed { square, umbration } => {
            format!("no monument of {} on {square} any more", umbration.name())
        }
        Fact::PoemChanged(change) => {
            let words = |words: &[Word]| words.iter().map(Word::as_str).collect::<Vec<_>>().join(" ");
            let (removed, inserted) = (words(&change.removed), words(&change.inserted));
            format!("poem at {}: [{removed}] becomes [{inserted}]", change.index)
        }
        other => format!("{other:?}"),
    }
}
