//! The line in which a player types, with its history and completion.

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;
use ratatui::widgets::Paragraph;
use tui_input::backend::crossterm::EventHandler as _;
use tui_input::{Input as Line, InputRequest};

/// Maximum number of lines that the history keeps.
const MAX_HISTORY: usize = 200;

/// Maximum length of a line in characters, that of a move's notation.
const MAX_CHARS: usize = 2000;

/// A line that is being typed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prompt {
    line: Line,
    history: Vec<String>,
    /// The line of the history that is shown.
    recalled: Option<usize>,
}

impl Prompt {
    /// Returns a prompt that holds this text already.
    pub(crate) fn with(text: &str) -> Self {
        Self { line: text.into(), ..Self::default() }
    }

    /// Returns what was typed so far.
    pub(crate) fn text(&self) -> &str {
        self.line.value()
    }

    /// Draws the line after its label, with the cursor. A long line scrolls, so that the cursor is visible.
    pub(crate) fn draw(&self, label: &str, frame: &mut Frame<'_>, area: Rect) {
        let before = Span::raw(label).width() + 1 + self.line.visual_cursor();
        let column = u16::try_from(before).unwrap_or(u16::MAX);
        let scroll = column.saturating_sub(area.width.saturating_sub(1));
        let line = Paragraph::new(format!("{label} {}", self.text())).scroll((0, scroll));
        frame.render_widget(line, area);
        frame.set_cursor_position(Position::new(area.x + column - scroll, area.y));
    }

    /// Takes a key. Returns the line when it is entered.
    pub(crate) fn press(&mut self, key: KeyEvent) -> Option<String> {
        match key.code {
            KeyCode::Enter => return Some(self.take()),
            KeyCode::Up => self.recall(self.recalled.unwrap_or(self.history.len()).checked_sub(1)),
            KeyCode::Down => self.recall(self.recalled.map(|at| at + 1)),
            KeyCode::Char(_) if self.text().chars().count() >= MAX_CHARS => {}
            _ => drop(self.line.handle_event(&Event::Key(key))),
        }
        None
    }

    /// Inserts text at the cursor: its first line, without control characters.
    pub(crate) fn paste(&mut self, text: &str) {
        let first = text.lines().next().unwrap_or_default();
        let room = MAX_CHARS.saturating_sub(self.text().chars().count());
        for c in first.chars().filter(|c| !c.is_control()).take(room) {
            self.line.handle(InputRequest::InsertChar(c));
        }
    }

    /// Completes the line as far as the candidates that begin with it agree.
    pub(crate) fn complete<'c>(&mut self, candidates: impl Iterator<Item = &'c str>) {
        let common = matching(self.text(), candidates).map(str::to_owned).reduce(|common, next| {
            let same = common.chars().zip(next.chars()).take_while(|(a, b)| a == b);
            same.map(|(c, _)| c).collect()
        });
        if let Some(common) = common.filter(|common| common.len() > self.text().len()) {
            self.line = common.into();
        }
    }

    fn take(&mut self) -> String {
        let entered = std::mem::take(&mut self.line).value().trim().to_owned();
        if !entered.is_empty() && self.history.last() != Some(&entered) {
            self.history.push(entered.clone());
        }
        if self.history.len() > MAX_HISTORY {
            self.history.remove(0);
        }
        self.recalled = None;
        entered
    }

    fn recall(&mut self, at: Option<usize>) {
        let Some(at) = at else { return };
        self.line = self.history.get(at).cloned().unwrap_or_default().into();
        self.recalled = (at < self.history.len()).then_some(at);
    }
}

/// Returns the candidates that begin with what was typed.
pub(crate) fn matching<'c>(
    typed: &str,
    candidates: impl Iterator<Item = &'c str>,
) -> impl Iterator<Item = &'c str> {
    candidates.filter(move |candidate| candidate.starts_with(typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(prompt: &mut Prompt, text: &str) -> Option<String> {
        text.chars().for_each(|c| drop(prompt.press(KeyEvent::from(KeyCode::Char(c)))));
        prompt.press(KeyEvent::from(KeyCode::Enter))
    }

    fn press(prompt: &mut Prompt, code: KeyCode) -> String {
        prompt.press(KeyEvent::from(code));
        prompt.text().to_owned()
    }

    #[test]
    fn lines_are_typed_edited_and_recalled() {
        let mut prompt = Prompt::default();
        assert_eq!(typed(&mut prompt, "a2-a3").unwrap(), "a2-a3");
        assert_eq!(typed(&mut prompt, " b1-c2 ").unwrap(), "b1-c2");
        assert_eq!(press(&mut prompt, KeyCode::Down), "", "nothing is newer");
        assert_eq!(press(&mut prompt, KeyCode::Up), "b1-c2");
        assert_eq!(press(&mut prompt, KeyCode::Up), "a2-a3");
        assert_eq!(press(&mut prompt, KeyCode::Up), "a2-a3", "nothing is older");
        assert_eq!(press(&mut prompt, KeyCode::Backspace), "a2-a");
        assert_eq!(typed(&mut prompt, "4").unwrap(), "a2-a4");
        assert_eq!(press(&mut prompt, KeyCode::Up), "a2-a4");
        assert_eq!(press(&mut prompt, KeyCode::Down), "");
    }

    #[test]
    fn completion_goes_as_far_as_the_candidates_agree() {
        let candidates = ["attack flame-2", "attack flame-5", "pass", "päss"];
        let completed = |typed: &str| {
            let mut prompt = Prompt::with(typed);
            prompt.complete(candidates.into_iter());
            prompt.text().to_owned()
        };
        assert_eq!(completed("a"), "attack flame-");
        assert_eq!(completed("attack flame-"), "attack flame-");
        assert_eq!(completed("pas"), "pass");
        assert_eq!(completed("p"), "p");
        assert_eq!(completed("x"), "x");
    }

    #[test]
    fn pasted_text_is_one_bounded_line() {
        let mut prompt = Prompt::with("x");
        prompt.paste("3,\u{1b}5\nmore");
        assert_eq!(prompt.text(), "x3,5");
        prompt.paste(&"y".repeat(2 * MAX_CHARS));
        assert_eq!(prompt.text().len(), MAX_CHARS);
        assert_eq!(press(&mut prompt, KeyCode::Char('z')).len(), MAX_CHARS);
    }
}
