//! A board of each game, drawn by the service or in a test of the drawings, side by side in one picture.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::nesting::nested;
use crate::programs::{Programs, clear_settings};
use crate::service::RunningService;
use crate::{child, repository};

/// A board in the picture.
struct Placed {
    game: &'static str,
    source: Source,
    /// Left, top, width and height.
    place: [u32; 4],
}

/// Where a board comes from.
enum Source {
    /// The position after this event of a match between two bots.
    Played { seq: u32 },
    /// A drawing of the tests in `service/board`, by its name without theme: the service contributes to every
    /// deal, so a played match of this game has other cards each time.
    Drawn(&'static str),
}

/// The folder of the tests' drawings.
const DRAWINGS: &str = "service/board/tests/golden";

const BOARDS: [Placed; 4] = [
    Placed { game: "angels-and-demons", source: Source::Played { seq: 25 }, place: [10, 10, 304, 400] },
    Placed { game: "ludus-magus", source: Source::Played { seq: 25 }, place: [330, 10, 306, 400] },
    Placed { game: "ace-exorcist", source: Source::Drawn("ace-exorcist"), place: [652, 10, 366, 400] },
    Placed { game: "cresnovian-chess", source: Source::Played { seq: 25 }, place: [178, 426, 675, 420] },
];

const SIZE: [u32; 2] = [1028, 856];

/// The seed of the bots.
const SEED: &str = "5";

/// The ids of the matches that bots played, by their games.
pub(super) type PlayedMatches = BTreeMap<&'static str, String>;

/// Lets bots play a match of each game that is not drawn otherwise, to its end.
pub(super) fn play(programs: &Programs, service: &RunningService, folder: &Path) -> Result<PlayedMatches> {
    let played = BOARDS.iter().filter(|board| matches!(board.source, Source::Played { .. }));
    played.map(|board| Ok((board.game, play_one(programs, service, folder, board.game)?))).collect()
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
pub(super) fn compose(service: &RunningService, matches: &PlayedMatches, theme: &str) -> Result<String> {
    let [width, height] = SIZE;
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title\">\n\
         <title id=\"title\">Boards of Angels and Demons, Ludus Magus, Ace Exorcist and \
         Sticky Cresnovian Chess</title>\n"
    );
    for board in &BOARDS {
        let drawing = match board.source {
            Source::Played { seq } => {
                let id = &matches[board.game];
                let url = format!("{}/v1/matches/{id}/board.svg?theme={theme}&atSeq={seq}", service.url());
                child::capture(Command::new("curl").args(["-sSf", &url]))?
            }
            Source::Drawn(name) => {
                let file = repository::root().join(format!("{DRAWINGS}/{name}-{theme}.svg"));
                fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?
            }
        };
        picture.push_str(nested(&drawing, board.game, board.place)?.trim_end());
        picture.push('\n');
    }
    picture.push_str("</svg>\n");
    Ok(picture)
}
