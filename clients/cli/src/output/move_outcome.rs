//! The outcome of a call that changed a match: its events, the receipt, the board.

use board::{Orientation, event_line, text, text_after};
use wire::GameKind;
use wire::v1::{Event, View, event};

use crate::session::Session;

/// Returns the events in words, the receipt as `matchbook verify` takes it, and the board. Right after a turn
/// the board shows what the turn changed.
pub(crate) fn move_outcome(session: &Session, events: &[Event], view: Option<View>) -> String {
    let view = view.unwrap_or_default();
    let line = |event| format!("{}\n", event_line(event, GameKind::of_view(&view), &view.seats));
    let mut report: String = events.iter().map(line).collect();
    if let Some(receipt) = events.first() {
        report.push_str(&format!("Receipt: {}@{}\n", hash(receipt), receipt.seq));
    }
    let style = session.output.style(Orientation::Viewer);
    let revealed = events.iter().find(|event| matches!(event.kind, Some(event::Kind::TurnRevealed(_))));
    let drawn = match revealed {
        Some(event) => text_after(&view, event, style),
        None => text(&view, style),
    };
    format!("{report}\n{drawn}")
}

fn hash(event: &Event) -> String {
    hex(&event.hash)
}

/// Returns the bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
