//! Where the parts of the screen stand: the board, what happened, what is asked, the line to type in.

use ansi_to_tui::IntoText as _;
use board::Orientation;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, Borders, Paragraph, Wrap};

use super::super::screen::matching;
use super::mode::{Mode, Next, Page};
use super::{COMMANDS, Game, PATIENCE, SILENCE};

/// Width of the list of events beside the board. Where the screen has less room they are below it.
const EVENTS_WIDTH: u16 = 36;

/// Fewest lines of events below the board.
const FEWEST_EVENTS: u16 = 3;

/// Most rows that a message takes from the board.
const MOST_STATUS_ROWS: u16 = 5;

/// Draws the screen.
pub(super) fn draw(game: &mut Game, frame: &mut Frame<'_>) {
    if let Mode::Reading(page) = &mut game.mode {
        return draw_page(page, frame);
    }
    let asks = match &game.mode {
        Mode::Choosing(choosing) if matches!(choosing.next, Next::List { .. }) => frame.area().height / 3,
        Mode::Choosing(_) => 2,
        Mode::Typing | Mode::Reading(_) | Mode::Confirming(..) => 1,
    };
    let said = status_line(game);
    let said_rows = cells(wrapped_rows(&said, usize::from(frame.area().width.max(1)))).min(MOST_STATUS_ROWS);
    let [match_area, status, asked, below] = Layout::vertical([
        Constraint::Min(1),
        Constraint::Length(said_rows),
        Constraint::Length(asks),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    draw_match(game, frame, match_area);
    let said = Paragraph::new(said).wrap(Wrap::default()).style(Style::new().add_modifier(Modifier::BOLD));
    frame.render_widget(said, status);
    frame.render_widget(faint(below_line(game, below.width)), below);
    match &mut game.mode {
        Mode::Typing => game.prompt.draw(">", frame, asked),
        Mode::Confirming(question, _) => {
            frame.render_widget(Paragraph::new(format!("{question} y: yes, any other key: no")), asked);
        }
        Mode::Choosing(choosing) => match &mut choosing.next {
            Next::List { menu, .. } => menu.draw(frame, asked),
            Next::Type { prompt, line } => line.draw(&format!("{prompt}:"), frame, asked),
            Next::Finished(built) => {
                let notation = board::printable(&built.notation);
                frame.render_widget(Paragraph::new(format!("Play {notation}?")).wrap(Wrap::default()), asked);
            }
        },
        Mode::Reading(_) => {}
    }
}

/// Draws the board, and what happened beside it or below it.
fn draw_match(game: &Game, frame: &mut Frame<'_>, area: Rect) {
    let drawn = game.table.draw(game.output.style(Orientation::Viewer));
    let board = drawn.into_text().unwrap_or_else(|_| Text::raw(drawn));
    let (width, height) = (cells(board.width()), cells(board.height()));
    let beside = area.width >= width.saturating_add(EVENTS_WIDTH);
    let [board_area, events_area] = if beside {
        Layout::horizontal([Constraint::Min(width), Constraint::Length(EVENTS_WIDTH)]).areas(area)
    } else {
        let board_height = height.min(area.height.saturating_sub(FEWEST_EVENTS));
        Layout::vertical([Constraint::Length(board_height), Constraint::Min(0)]).areas(area)
    };
    frame.render_widget(Paragraph::new(board), board_area);
    let border = if beside { Borders::LEFT } else { Borders::TOP };
    let block = Block::new().borders(border);
    let inner = block.inner(events_area);
    let events = newest_lines(&game.table.lines, inner);
    frame.render_widget(events.block(block), events_area);
}

/// Returns the newest lines that fit, each wrapped.
fn newest_lines(lines: &[String], area: Rect) -> Paragraph<'_> {
    let height = usize::from(area.height);
    let shown = &lines[lines.len().saturating_sub(height)..];
    let text: Vec<Line<'_>> = shown.iter().map(|line| Line::raw(line.as_str())).collect();
    let paragraph = Paragraph::new(text).wrap(Wrap::default());
    let wrapped = cells(rows(shown, area.width));
    paragraph.scroll((wrapped.saturating_sub(area.height), 0))
}

/// Returns how many rows lines take at most when they are wrapped between words.
fn rows(lines: &[String], width: u16) -> usize {
    let width = usize::from(width.max(1));
    lines.iter().map(|line| wrapped_rows(line, width)).sum()
}

fn wrapped_rows(line: &str, width: usize) -> usize {
    let mut rows = 1;
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        let length = word.chars().count();
        if used > 0 && used + word.trim_end().chars().count() > width {
            rows += 1;
            used = 0;
        }
        used += length;
        while used > width {
            rows += 1;
            used -= width;
        }
    }
    rows
}

fn status_line(game: &Game) -> String {
    let silent = game.heard.elapsed();
    match &game.notice {
        _ if silent > SILENCE => {
            format!("Nothing was heard of the service for {} s; still trying.", silent.as_secs())
        }
        _ if !game.calls.is_empty() && game.called.elapsed() > PATIENCE => {
            "Waiting for an answer of the service.".to_owned()
        }
        Some(notice) => notice.clone(),
        None => game.table.prompt().to_owned(),
    }
}

/// Returns the line below all others: completions while a line is typed, otherwise the keys.
fn below_line(game: &Game, width: u16) -> String {
    match &game.mode {
        Mode::Choosing(choosing) if matches!(choosing.next, Next::Finished(_)) => {
            "Enter: play it   Esc: back".to_owned()
        }
        Mode::Choosing(_) | Mode::Reading(_) | Mode::Confirming(..) => String::new(),
        Mode::Typing if game.prompt.text().is_empty() && game.table.is_over() => {
            "/rematch: play again   /quit or Ctrl-C: leave".to_owned()
        }
        Mode::Typing if game.prompt.text().is_empty() => {
            "Enter: build a move   Tab: complete   /help   Ctrl-C: leave".to_owned()
        }
        Mode::Typing => completions(game, usize::from(width)),
    }
}

fn completions(game: &Game, width: usize) -> String {
    let commands = COMMANDS.iter().map(|(word, ..)| *word);
    let moves = game.legal.notations.iter().map(String::as_str);
    let mut line = String::new();
    for candidate in matching(game.prompt.text(), commands.chain(moves)) {
        if line.chars().count() + candidate.chars().count() + 2 > width {
            break;
        }
        line.push_str(candidate);
        line.push_str("  ");
    }
    line
}

fn draw_page(page: &mut Page, frame: &mut Frame<'_>) {
    let [text_area, below] =
        Layout::vertical([Constraint::Min(1), Constraint::Length(1)]).areas(frame.area());
    let lines: Vec<String> = page.text.lines().map(str::to_owned).collect();
    let last = cells(rows(&lines, text_area.width)).saturating_sub(text_area.height);
    page.top = page.top.min(last);
    let text = Paragraph::new(page.text.as_str()).wrap(Wrap { trim: false }).scroll((page.top, 0));
    frame.render_widget(text, text_area);
    frame.render_widget(faint(format!("{}   Up, Down, Page keys: scroll   Esc: back", page.title)), below);
}

fn faint(line: String) -> Paragraph<'static> {
    Paragraph::new(line).style(Style::new().add_modifier(Modifier::DIM))
}

/// Returns a number of characters or lines as cells of the screen.
fn cells(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
