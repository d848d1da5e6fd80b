//! A list to choose from with the arrow keys, or by typing the beginning of an item.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{List, ListItem, ListState, Paragraph, Wrap};

/// Rows of the list that stay visible above and below the chosen one.
const MARGIN: usize = 2;

/// An item of a menu.
#[derive(Debug, Clone, Default)]
pub(crate) struct Item {
    pub(crate) label: String,
    /// More about it, shown beside the label.
    pub(crate) detail: String,
}

/// A list of which one item is chosen.
pub(crate) struct Menu {
    title: String,
    items: Vec<Item>,
    state: ListState,
    /// What was typed to find an item.
    typed: String,
}

/// What a key did to a menu.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Picked {
    Item(usize),
    Back,
    Nothing,
}

impl Item {
    /// Returns an item that its label explains.
    pub(crate) fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), detail: String::new() }
    }

    /// Adds more about the item.
    pub(crate) fn with(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }
}

impl Menu {
    /// Returns a menu whose first item is chosen.
    pub(crate) fn new(title: impl Into<String>, items: Vec<Item>) -> Self {
        let state = ListState::default().with_selected(Some(0));
        Self { title: title.into(), items, state, typed: String::new() }
    }

    /// Takes a key.
    pub(crate) fn press(&mut self, key: KeyEvent) -> Picked {
        let page = 10;
        match key.code {
            KeyCode::Up => self.state.select_previous(),
            KeyCode::Down | KeyCode::Tab => self.state.select_next(),
            KeyCode::Home => self.state.select_first(),
            KeyCode::End => self.state.select_last(),
            KeyCode::PageUp => self.state.scroll_up_by(page),
            KeyCode::PageDown => self.state.scroll_down_by(page),
            KeyCode::Enter => return self.picked(),
            KeyCode::Esc | KeyCode::Left => return Picked::Back,
            KeyCode::Backspace if self.typed.pop().is_none() => return Picked::Back,
            KeyCode::Char(typed) => {
                self.typed.push(typed);
                self.find();
            }
            _ => {}
        }
        Picked::Nothing
    }

    /// Draws the title, the list and how to use it.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let [title, list, help] =
            Layout::vertical([Constraint::Length(2), Constraint::Min(1), Constraint::Length(1)]).areas(area);
        frame.render_widget(Paragraph::new(self.title.as_str()).wrap(Wrap::default()), title);
        let width = self.items.iter().map(|item| item.label.chars().count()).max().unwrap_or(0);
        let rows = self.items.iter().map(|item| {
            let label = Span::raw(format!("{:<width$}", item.label));
            let detail = Span::styled(format!("  {}", item.detail), Style::new().add_modifier(Modifier::DIM));
            ListItem::new(Line::from(vec![label, detail]))
        });
        let rows = List::new(rows)
            .highlight_symbol("> ")
            .highlight_style(Style::new().add_modifier(Modifier::REVERSED))
            .scroll_padding(MARGIN);
        frame.render_stateful_widget(rows, list, &mut self.state);
        let help_text = match self.typed.as_str() {
            "" => "Up, Down: choose   Enter: take it   Esc: back   type to find".to_owned(),
            typed => format!("finding: {typed}"),
        };
        let help_text = Paragraph::new(help_text).style(Style::new().add_modifier(Modifier::DIM));
        frame.render_widget(help_text, help);
    }

    fn picked(&self) -> Picked {
        // The state may point behind the end until it is drawn.
        let last = self.items.len().checked_sub(1);
        match (self.state.selected(), last) {
            (Some(chosen), Some(last)) => Picked::Item(chosen.min(last)),
            _ => Picked::Nothing,
        }
    }

    fn find(&mut self) {
        let typed = self.typed.to_lowercase();
        let matches = |item: &Item| item.label.to_lowercase().starts_with(&typed);
        match self.items.iter().position(matches) {
            Some(found) => self.state.select(Some(found)),
            // Begin to find again with the last character.
            None if typed.chars().count() > 1 => {
                self.typed = self.typed.chars().last().into_iter().collect();
                self.find();
            }
            None => self.typed.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(menu: &mut Menu, codes: &[KeyCode]) -> Picked {
        codes.iter().fold(Picked::Nothing, |_, code| menu.press(KeyEvent::from(*code)))
    }

    fn menu() -> Menu {
        Menu::new("Which?", ["attack", "pass", "ritual", "trade"].map(Item::new).to_vec())
    }

    #[test]
    fn items_are_chosen_by_arrows_or_by_their_beginning() {
        use KeyCode::{Char, Down, End, Enter, Esc, Up};
        assert_eq!(press(&mut menu(), &[Enter]), Picked::Item(0));
        assert_eq!(press(&mut menu(), &[Down, Down, Up, Enter]), Picked::Item(1));
        assert_eq!(press(&mut menu(), &[End, Enter]), Picked::Item(3));
        assert_eq!(press(&mut menu(), &[Down, Down, Down, Down, Down, Enter]), Picked::Item(3));
        assert_eq!(press(&mut menu(), &[Char('T'), Enter]), Picked::Item(3));
        assert_eq!(press(&mut menu(), &[Char('t'), Char('r'), Char('p'), Enter]), Picked::Item(1));
        assert_eq!(press(&mut menu(), &[Char('x'), Enter]), Picked::Item(0));
        assert_eq!(press(&mut menu(), &[Esc]), Picked::Back);
        assert_eq!(press(&mut Menu::new("None", Vec::new()), &[Down, Enter]), Picked::Nothing);
    }
}
