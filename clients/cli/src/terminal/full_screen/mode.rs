//! What the keys do at the moment: type a line, choose a part of a move, read a page, confirm.

use crossterm::event::{KeyCode, KeyEvent};
use wire::v1::question::Kind;
use wire::v1::{LegalChoice, Question};

use super::super::call::Call;
use super::super::screen::{Item, Menu, Picked, Prompt};

/// What the keys do.
pub(super) enum Mode {
    Typing,
    /// Building a move, one answer at a time.
    Choosing(Box<Choosing>),
    /// Reading a page.
    Reading(Page),
    /// Confirming a call that cannot be undone.
    Confirming(&'static str, Call),
}

/// A move that is being built.
pub(super) struct Choosing {
    /// The answers so far.
    path: Vec<String>,
    /// The position that the move is for.
    seq: u32,
    pub(super) next: Next,
}

/// What the player is asked.
pub(super) enum Next {
    /// Choose one of these; the values are the answers.
    List { menu: Menu, values: Vec<String> },
    /// Type a number or a text.
    Type { prompt: String, line: Prompt },
    /// Make this move?
    Finished(Box<LegalChoice>),
}

/// A page of text and how far it is scrolled.
pub(super) struct Page {
    pub(super) title: &'static str,
    pub(super) text: String,
    pub(super) top: u16,
}

/// What a key asks for.
pub(super) enum Step {
    Nothing,
    /// Back to typing.
    Back,
    /// Complete the typed line.
    Complete,
    Entered(String),
    /// Ask what follows these answers at the position.
    Ask(Vec<String>, u32),
    Call(Call),
}

impl Mode {
    pub(super) fn reading(title: &'static str, text: String) -> Self {
        Self::Reading(Page { title, text, top: 0 })
    }

    /// Asks the next question on the way to a move.
    pub(super) fn choosing(path: Vec<String>, seq: u32, question: Question) -> Self {
        let title = board::printable(&question.prompt);
        let next = match question.kind {
            Some(Kind::ChoiceList(list)) => {
                let item = |choice: &wire::v1::Choice| Item::new(board::printable(&choice.label));
                let items = list.choices.iter().map(item).collect();
                let values = list.choices.into_iter().map(|choice| choice.value).collect();
                Next::List { menu: Menu::new(title, items), values }
            }
            Some(Kind::Integer(range)) => {
                let prompt = format!("{title} ({} to {})", range.min_value, range.max_value);
                Next::Type { prompt, line: Prompt::default() }
            }
            Some(Kind::Text(limits)) => {
                let prompt = format!("{title} ({} to {} characters)", limits.min_chars, limits.max_chars);
                Next::Type { prompt, line: Prompt::default() }
            }
            None => {
                let prompt = format!("{title} (a question that this version does not know: type the answer)");
                Next::Type { prompt, line: Prompt::default() }
            }
        };
        Self::Choosing(Box::new(Choosing { path, seq, next }))
    }

    /// Shows the move that was built.
    pub(super) fn finished(path: Vec<String>, seq: u32, built: Box<LegalChoice>) -> Self {
        Self::Choosing(Box::new(Choosing { path, seq, next: Next::Finished(built) }))
    }

    /// Takes a key.
    pub(super) fn press(&mut self, key: KeyEvent, prompt: &mut Prompt) -> Step {
        match self {
            Self::Typing if key.code == KeyCode::Tab => Step::Complete,
            Self::Typing => prompt.press(key).map_or(Step::Nothing, Step::Entered),
            Self::Choosing(choosing) => choosing.press(key),
            Self::Reading(page) => page.press(key),
            Self::Confirming(_, call) => match key.code {
                KeyCode::Char('y' | 'Y') => Step::Call(call.clone()),
                _ => Step::Back,
            },
        }
    }
}

impl Choosing {
    fn press(&mut self, key: KeyEvent) -> Step {
        let answer = match &mut self.next {
            Next::List { menu, values } => match menu.press(key) {
                Picked::Item(index) => values.get(index).cloned(),
                Picked::Back => return self.back(),
                Picked::Nothing => None,
            },
            Next::Type { .. } | Next::Finished(_) if key.code == KeyCode::Esc => return self.back(),
            Next::Type { line, .. } => line.press(key),
            Next::Finished(built) if key.code == KeyCode::Enter => {
                return Step::Call(Call::MakeBuiltMove(built.clone(), self.seq));
            }
            Next::Finished(_) => None,
        };
        answer.map_or(Step::Nothing, |answer| self.answered(answer))
    }

    fn answered(&self, answer: String) -> Step {
        Step::Ask([self.path.as_slice(), &[answer]].concat(), self.seq)
    }

    /// Takes the last answer back, or leaves the choice.
    fn back(&self) -> Step {
        match self.path.split_last() {
            Some((_, earlier)) => Step::Ask(earlier.to_vec(), self.seq),
            None => Step::Back,
        }
    }
}

impl Page {
    fn press(&mut self, key: KeyEvent) -> Step {
        let by = |lines: i32| move |top: u16| top.saturating_add_signed(i16::try_from(lines).unwrap_or(0));
        let moved: Box<dyn Fn(u16) -> u16> = match key.code {
            KeyCode::Up => Box::new(by(-1)),
            KeyCode::Down => Box::new(by(1)),
            KeyCode::PageUp => Box::new(by(-20)),
            KeyCode::PageDown | KeyCode::Char(' ') => Box::new(by(20)),
            KeyCode::Home => Box::new(|_| 0),
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return Step::Back,
            _ => return Step::Nothing,
        };
        self.top = moved(self.top);
        Step::Nothing
    }
}
