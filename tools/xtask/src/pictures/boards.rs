//! A board of each game, fetched from the service, side by side in one picture.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::nesting::nested;
use crate::child;
use crate::programs::{Programs, clear_settings};
use crate::service::RunningService;

/// A board in the picture.
struct Placed {
    game: &'static str,
    /// The event after which the board is drawn.
    seq: u32,
    /// Left, top, width and height.
    place: [u32; 4],
}

const BOARDS: [Placed; 4] = [
    Placed { game: "angels-and-demons", seq: 25, place: [10, 10, 304, 400] },
    Placed { game: "ludus-magus", seq: 25, place: [330, 10, 306, 400] },
    Placed { game: "ace-exorcist", seq: 12, place: [652, 10, 366, 400] },
    Placed { game: "cresnovian-chess", seq: 25, place: [178, 426, 675, 420] },
];

const SIZE: [u32; 2] = [1028, 856];

/// The seed of the bots.
const SEED: &str = "5";

/// Lets bots play every game to its end. Returns the matches' ids, in the order of the boards.
pub(super) fn play(programs: &Programs, service: &RunningService, folder: &Path) -> Result<Vec<String>> {
    BOARDS.iter().map(|board| play_one(programs, service, folder, board.game)).collect()
}

fn play_one(programs: &Programs, service: &RunningService, folder: &Path, game: &str) -> Result<String> {
    let mut matchbook = Command::new(programs.path("matchbook"));
    clear_settings(&mut matchbook);
    matchbook
        .args(["new", game, "--bots", "2", "--seed", SEED])
        .env("MATCHBOOK_SERVER", service.url())
        .env("MATCHBOOK_STATE", folder);
    let printed = child::capture(&mut matchbook)?;
    let id = printed.lines().find_map(|line| line.strip_prefix("Match "));
    id.map(str::to_owned).context("`matchbook new` printed no match id")
}

/// Returns the picture of all boards in a theme.
pub(super) fn compose(service: &RunningService, matches: &[String], theme: &str) -> Result<String> {
    let [width, height] = SIZE;
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title\">\n\
         <title id=\"title\">Boards of Angels and Demons, Ludus Magus, Ace Exorcist and \
         Sticky Cresnovian Chess</title>\n"
    );
    for (board, id) in BOARDS.iter().zip(matches) {
        let url = format!("{}/v1/matches/{id}/board.svg?theme={theme}&atSeq={}", service.url(), board.seq);
        let drawing = child::capture(Command::new("curl").args(["-sSf", &url]))?;
        picture.push_str(nested(&drawing, board.game, board.place)?.trim_end());
        picture.push('\n');
    }
    picture.push_str("</svg>\n");
    Ok(picture)
}
