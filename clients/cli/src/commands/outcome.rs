//! What a call brought about, as people see it: events in words, the receipt, the
//! board.

use board::{Near, event_line, text, text_after};
use wire::GameKind;
use wire::v1::{Event, View, event};

use crate::credentials::Session;

/// What happened, the receipt, and the board; right after a turn it shows what the
/// turn did.
pub(super) fn told(session: &Session, events: &[Event], view: Option<View>) -> String {
    let view = view.unwrap_or_default();
    let line = |event| format!("{}\n", event_line(event, GameKind::of_view(&view), &view.seats));
    let mut told: String = events.iter().map(line).collect();
    if let Some(receipt) = events.first() {
        told.push_str(&format!("Receipt: event {}, {}\n", receipt.seq, hash(receipt)));
    }
    let style = session.output.style(Near::Viewer);
    let revealed = events.iter().find(|event| matches!(event.kind, Some(event::Kind::TurnRevealed(_))));
    let drawn = match revealed {
        Some(event) => text_after(&view, event, style),
        None => text(&view, style),
    };
    format!("{told}\n{drawn}")
}

fn hash(event: &Event) -> String {
    hex(event.hash.as_ref().map_or(&[][..], |digest| &digest.value))
}

/// Bytes as two digits each.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
