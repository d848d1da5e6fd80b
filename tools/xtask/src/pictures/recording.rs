//! A session on a terminal as an animated picture: a sheet of all lines, which scrolls by turns.

use anyhow::Result;

use super::ansi::{Span, css, spans};

/// Size of a character, in tenths of a unit.
const CELL: [usize; 2] = [84, 180];
const COLUMNS: usize = 84;
const ROWS: usize = 20;
const MARGIN: usize = 14;

/// How long a turn is shown, and the last one, in tenths of a second.
const TURN_TIME: usize = 14;
const LAST_TIME: usize = 50;

/// Returns the animated picture in a theme. Readers who prefer reduced motion see its last position.
pub(super) fn draw(lines: &[String], theme: &str) -> Result<String> {
    let (paper, ink, frame) = match theme {
        "dark" => ("#17181b", "#eeeef0", "#5a5b63"),
        _ => ("#fbfaf6", "#1c1c1e", "#aaa69b"),
    };
    let [width, height] = [tenths(COLUMNS * CELL[0]), tenths(ROWS * CELL[1])];
    let (full_width, full_height) = (COLUMNS * CELL[0] / 10 + 2 * MARGIN, ROWS * CELL[1] / 10 + 2 * MARGIN);
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full_width} {full_height}\" \
         width=\"{full_width}\" height=\"{full_height}\" role=\"img\" aria-labelledby=\"title\">\n\
         <title id=\"title\">Two bots play Angels and Demons in a terminal</title>\n<style>\n\
         text{{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace;\
         fill:{ink};white-space:pre}}\n.b{{font-weight:bold}}\n.d{{opacity:.65}}\n{}</style>\n\
         <rect x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{paper}\" stroke=\"{frame}\"/>\n\
         <svg x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{width}\" height=\"{height}\">\n\
         <g class=\"sheet\" transform=\"translate(0 {})\" xml:space=\"preserve\">\n",
        motion(&ends(lines)),
        full_width - 1,
        full_height - 1,
        // Where the sheet stands if it is not animated: at the end.
        offset(lines.len()),
    );
    for (row, line) in lines.iter().enumerate() {
        for span in spans(line)? {
            picture.push_str(&drawn(&span, row)?);
        }
    }
    picture.push_str("</g>\n</svg>\n</svg>\n");
    Ok(picture)
}

/// Returns the number of lines printed at the end of each turn, first the command alone.
fn ends(lines: &[String]) -> Vec<usize> {
    let starts = |index: &usize| {
        let chose = |line: &String| line.ends_with("chose in secret");
        chose(&lines[*index]) && !chose(&lines[index - 1]) || lines[*index].starts_with("The match is over")
    };
    let turns = (1..lines.len()).filter(starts).map(|index| index - 1);
    [1].into_iter().chain(turns).chain([lines.len()]).collect()
}

/// Returns the style rules that scroll the sheet to each of these ends in turn.
fn motion(ends: &[usize]) -> String {
    let total = (ends.len() - 1) * TURN_TIME + LAST_TIME;
    let position = |end: usize| format!("{{transform:translateY({}px)}}\n", offset(end));
    let mut rules = String::from("@keyframes scroll{\n");
    for (index, end) in ends.iter().enumerate() {
        rules.push_str(&format!("{}%{}", tenths(index * TURN_TIME * 1000 / total), position(*end)));
    }
    rules.push_str("}\n@media (prefers-reduced-motion:no-preference){");
    rules.push_str(&format!(".sheet{{animation:scroll {}s step-end infinite}}}}\n", tenths(total)));
    rules
}

/// Returns how far down the sheet is moved when its line `end` is the last one on the screen.
fn offset(end: usize) -> String {
    let sign = if end > ROWS { "-" } else { "" };
    format!("{sign}{}", tenths(end.abs_diff(ROWS) * CELL[1]))
}

fn drawn(span: &Span, row: usize) -> Result<String> {
    let width = span.text.chars().count() * CELL[0];
    let mut drawn = String::new();
    if let Some(paper) = span.style.paper {
        drawn.push_str(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
            tenths(span.column * CELL[0]),
            tenths(row * CELL[1]),
            tenths(width),
            tenths(CELL[1]),
            css(paper)?
        ));
    }
    let text = span.text.trim();
    if text.is_empty() {
        return Ok(drawn);
    }
    let column = span.column + span.text.chars().take_while(|character| *character == ' ').count();
    let fill = span.style.ink.map(css).transpose()?;
    let fill = fill.map(|fill| format!(" style=\"fill:{fill}\"")).unwrap_or_default();
    let class = match (span.style.bold, span.style.dim) {
        (true, _) => " class=\"b\"",
        (false, true) => " class=\"d\"",
        (false, false) => "",
    };
    let text_width = tenths(text.chars().count() * CELL[0]);
    drawn.push_str(&format!(
        "<text x=\"{}\" y=\"{}\" textLength=\"{text_width}\"{class}{fill}>{}</text>\n",
        tenths(column * CELL[0]),
        tenths(row * CELL[1] + 135),
        text.replace('&', "&amp;").replace('<', "&lt;"),
    ));
    Ok(drawn)
}

fn tenths(number: usize) -> String {
    format!("{}.{}", number / 10, number % 10)
}
