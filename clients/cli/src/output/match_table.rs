//! The directory of matches as a table.

use board::printable;
use wire::ServiceReason;
use wire::v1::{Match, MatchResult, MatchStatus, Player, SeatStatus, Visibility};

static COLUMNS: &[Column] = &[
    Column { heading: "MATCH", width: 36, cell: |listed| printable(&listed.match_id) },
    Column { heading: "CREATED (UTC)", width: 16, cell: created },
    Column { heading: "GAME", width: 17, cell: |listed| printable(&listed.game_id) },
    Column { heading: "STATUS", width: 7, cell: status },
    Column { heading: "SEATS", width: 0, cell: seats },
];

/// A column of the table.
struct Column {
    heading: &'static str,
    /// Minimum width, so that the rows of a later page align with earlier ones.
    width: usize,
    cell: fn(&Match) -> String,
}

/// Returns the matches under headings, one per line.
pub(crate) fn match_table(matches: &[Match]) -> String {
    let mut lines = vec![COLUMNS.iter().map(|column| column.heading.to_owned()).collect()];
    lines.extend(matches.iter().map(cells));
    aligned(&lines)
}

/// Returns the matches without headings, one per line.
pub(crate) fn match_rows(matches: &[Match]) -> String {
    aligned(&matches.iter().map(cells).collect::<Vec<_>>())
}

fn aligned(lines: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = COLUMNS.iter().map(|column| column.width).collect();
    for line in lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for line in lines {
        let padded: Vec<String> =
            line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        text.push_str(padded.join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn cells(listed: &Match) -> Vec<String> {
    COLUMNS.iter().map(|column| (column.cell)(listed)).collect()
}

fn created(listed: &Match) -> String {
    listed.create_time.as_ref().map(|time| minute(&time.to_string())).unwrap_or_default()
}

/// Returns `2026-01-31 12:00` for `2026-01-31T12:00:05.123Z`.
fn minute(time: &str) -> String {
    time.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect()
}

fn status(listed: &Match) -> String {
    let status = match listed.status() {
        MatchStatus::Open => "open",
        MatchStatus::Running => "running",
        MatchStatus::Over => "over",
        MatchStatus::Unspecified => "?",
    };
    match listed.visibility() {
        Visibility::Private => format!("{status}, private"),
        Visibility::Unlisted => format!("{status}, unlisted"),
        Visibility::Public | Visibility::Unspecified => status.to_owned(),
    }
}

/// Returns who plays, the result, and whether the match is a fork.
fn seats(listed: &Match) -> String {
    let result = listed.result.as_ref();
    let winner = result.and_then(MatchResult::winner);
    let seat = |status: &SeatStatus| {
        let name = match (status.claimed, &status.player) {
            (false, _) => "(free)".to_owned(),
            (true, None) => "(redacted)".to_owned(),
            (true, Some(player)) => name_and_id(player),
        };
        let won = if winner.is_some() && winner == status.seat { " won" } else { "" };
        format!("{} {name}{won}", printable(&status.title))
    };
    let mut text = listed.seats.iter().map(seat).collect::<Vec<_>>().join(", ");
    if let Some(result) = result {
        let is_void = ServiceReason::parse(&result.reason).is_some_and(ServiceReason::is_void);
        let no_winner = if winner.is_some() || is_void { "" } else { "draw, " };
        text.push_str(&format!(" ({no_winner}{})", printable(&result.reason)));
    }
    if listed.forked_from.is_some() {
        text.push_str("; a fork");
    }
    text.push_str(&notes(listed));
    text
}

/// Returns a player's name, and the owner's id of the player if the service shows it.
fn name_and_id(player: &Player) -> String {
    let name = printable(&player.display_name);
    match &player.player_id {
        Some(id) => format!("{name} <{}>", printable(id)),
        None => name,
    }
}

/// Returns what the owner noted about the match.
fn notes(listed: &Match) -> String {
    let id = listed.external_id.iter().map(|id| format!("; id {}", printable(id)));
    let mut labels: Vec<String> = listed
        .labels
        .iter()
        .map(|(key, value)| format!("; {}={}", printable(key), printable(value)))
        .collect();
    labels.sort_unstable();
    id.chain(labels).collect()
}

#[cfg(test)]
mod tests {
    use prost_types::Timestamp;
    use wire::v1::{ForkedFrom, MatchResult, Outcome, Standing};

    use super::*;

    fn summary(status: MatchStatus, names: [&str; 2]) -> Match {
        let seat = |seat: u32, title: &str, name: &str| SeatStatus {
            seat: Some(seat),
            title: title.to_owned(),
            claimed: !name.is_empty(),
            player: (!name.is_empty()).then(|| Player::named(name)),
        };
        Match {
            match_id: "0190b5a0-0000-7000-8000-000000000000".to_owned(),
            game_id: "angels-and-demons".to_owned(),
            status: status.into(),
            visibility: Visibility::Public.into(),
            seats: vec![seat(0, "Angels", names[0]), seat(1, "Demons", names[1])],
            create_time: Some(Timestamp { seconds: 1_769_860_805, nanos: 123_000_000 }),
            ..Match::default()
        }
    }

    fn result(outcome: Outcome, ranks: [u32; 2], reason: &str) -> MatchResult {
        let standings = (0..).zip(ranks).map(|(seat, rank)| Standing { seat: Some(seat), rank });
        MatchResult { outcome: outcome.into(), standings: standings.collect(), reason: reason.to_owned() }
    }

    #[test]
    fn a_row_names_players_status_and_result() {
        let mut over = summary(MatchStatus::Over, ["Ann", "B\u{1b}ob"]);
        over.result = Some(result(Outcome::Win, [2, 1], "time"));
        over.forked_from = Some(ForkedFrom::default());
        over.external_id = Some("7".to_owned());
        over.seats[0].player.as_mut().unwrap().player_id = Some("user-17\u{1b}".to_owned());
        over.labels = [("b", "2"), ("a", "1\u{1b}")].map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        let mut open = summary(MatchStatus::Open, ["Ann", ""]);
        open.visibility = Visibility::Private.into();
        let mut drawn = summary(MatchStatus::Over, ["Ann", "Bob"]);
        drawn.result = Some(result(Outcome::Draw, [1, 1], "agreement"));
        let id = "0190b5a0-0000-7000-8000-000000000000  2026-01-31 12:00  angels-and-demons";
        let expected = format!(
            "MATCH                                 CREATED (UTC)     GAME               STATUS         \
             SEATS\n\
             {id}  over           Angels Ann <user-17\u{FFFD}>, Demons B\u{FFFD}ob won (time); \
             a fork; id 7; a=1\u{FFFD}; b=2\n\
             {id}  open, private  Angels Ann, Demons (free)\n\
             {id}  over           Angels Ann, Demons Bob (draw, agreement)\n"
        );
        assert_eq!(match_table(&[over, open, drawn]), expected);
    }

    #[test]
    fn rows_of_a_later_page_align_with_earlier_ones() {
        let running = summary(MatchStatus::Running, ["Ann", "Bob"]);
        let first = match_table(std::slice::from_ref(&running));
        assert!(first.ends_with(&match_rows(&[running])), "{first}");
    }
}
