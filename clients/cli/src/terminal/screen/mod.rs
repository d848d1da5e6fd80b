//! The terminal as a screen: keys in, drawings out. It is restored however the program ends.

mod menu;
mod prompt;

use std::env;
use std::io::{self, IsTerminal as _};

use crossterm::event::{Event, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use futures_util::StreamExt as _;
use ratatui::{DefaultTerminal, Frame};

use crate::failure::Failure;

pub(super) use menu::{Item, Menu, Picked};
pub(super) use prompt::{Prompt, matching};

/// The screen of this program's terminal.
pub(crate) struct Screen {
    terminal: DefaultTerminal,
    keys: EventStream,
}

/// What the terminal reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    Key(KeyEvent),
    Pasted(String),
    Resized,
    /// Ctrl-C or Ctrl-D, or the terminal is gone.
    Leave,
}

impl Screen {
    /// Takes over the terminal.
    pub(crate) fn open() -> Result<Self, Failure> {
        let terminal = ratatui::try_init().map_err(Failure::Terminal)?;
        Ok(Self { terminal, keys: EventStream::new() })
    }

    /// Draws the screen anew.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<(), Failure> {
        self.terminal.draw(draw).map(drop).map_err(Failure::Terminal)
    }

    /// Waits for what the terminal reports next. Dropping a pending call loses nothing.
    pub(super) async fn input(&mut self) -> Result<Input, Failure> {
        loop {
            return Ok(match self.keys.next().await {
                None => Input::Leave,
                Some(Err(error)) => return Err(Failure::Terminal(error)),
                Some(Ok(Event::Key(key))) if key.kind == KeyEventKind::Release => continue,
                Some(Ok(Event::Key(key))) if leaves(key) => Input::Leave,
                Some(Ok(Event::Key(key))) => Input::Key(key),
                Some(Ok(Event::Paste(text))) => Input::Pasted(text),
                Some(Ok(Event::Resize(..))) => Input::Resized,
                Some(Ok(Event::FocusGained | Event::FocusLost | Event::Mouse(_))) => continue,
            });
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Returns whether the program runs on a terminal that can be drawn on.
pub(crate) fn has_screen() -> bool {
    let dumb = env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !dumb
}

fn leaves(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'd'))
}
