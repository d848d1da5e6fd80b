//! `matchbook show`: shows the board, now or at an earlier position, as text or as a picture.

use std::fs;
use std::path::{Path, PathBuf};

use board::{LAST_MOVE_LOOKBACK, Orientation, SvgStyle, Theme, printable, svg, text};
use clap::Args;
use clap::builder::PossibleValuesParser;
use matchbook_client::Client;
use serde_json::json;
use wire::v1::{Event, GetViewRequest, ListEventsRequest, Match, SeatStatus, View, Viewer};

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::output::OutputFormat;
use crate::session::Session;
use crate::viewing::{all_events, whole_poem, with_current_clocks};

const AFTER_HELP: &str = "\
Examples:
  matchbook show MATCH
  matchbook show MATCH --at 7          the position after event 7
  matchbook show MATCH --open          everything, once the match is over
  matchbook show MATCH --orientation demons   with the Demons' edge at the bottom
  matchbook show MATCH --svg board.svg a picture with the last move marked
  matchbook show MATCH --svg - --theme dark > board.svg
  matchbook show MATCH --poem          the whole poem of Sticky Cresnovian Chess, of which
                                       the board shows the last lines";

/// Words per printed line of a poem, as on the board: those of one document.
const WORDS_PER_LINE: usize = 9;

/// Arguments of `matchbook show`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Show {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Position after this event; default: the newest
    #[arg(long, value_name = "SEQ")]
    at: Option<u32>,
    /// Show hidden information; only once the match is over
    #[arg(long)]
    open: bool,
    /// Seat to view as, with its stored token
    #[arg(long, conflicts_with = "open")]
    seat: Option<SeatName>,
    /// Seat whose edge of the board is at the bottom; default: your own
    #[arg(long, value_name = "SEAT")]
    orientation: Option<SeatName>,
    /// SVG file to write instead of text; `-` is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the whole poem instead of the board; only in Sticky Cresnovian Chess
    #[arg(long, conflicts_with_all = ["svg", "open", "orientation"])]
    poem: bool,
    /// Colours of the picture
    #[arg(
        long,
        requires = "svg",
        value_name = "THEME",
        default_value = Theme::default().name(),
        value_parser = PossibleValuesParser::new(Theme::ALL.map(Theme::name)),
    )]
    theme: String,
}

impl Show {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.viewer_client(&self.match_id, self.seat.as_ref()).await?;
        if self.poem {
            return self.print_poem(session, &client).await;
        }
        if self.svg.as_deref().is_some_and(is_stdout) && session.output.format() == OutputFormat::Json {
            return Err(Failure::Usage(
                "--svg - and --json both write to standard output; drop one".to_owned(),
            ));
        }
        let orientation = match &self.orientation {
            None => Orientation::Viewer,
            Some(name) => match session.resolve_seat(&self.match_id, name).await? {
                1 => Orientation::One,
                _ => Orientation::Zero,
            },
        };
        let viewer = match &self.seat {
            Some(name) => Some(Viewer::in_seat(session.resolve_seat(&self.match_id, name).await?)),
            None => self.open.then(Viewer::open),
        };
        let match_id = self.match_id.clone();
        let request = GetViewRequest { match_id, at_seq: self.at, min_seq: None, viewer };
        let answer = client.get_view(request).await?;
        session.output.json("GetViewResponse", &answer)?;
        let view = with_current_clocks(
            answer.view.unwrap_or_default(),
            answer.head_seq,
            answer.server_time.as_ref(),
        );
        if let Some(file) = &self.svg {
            let events = last_events(&client, &self.match_id, &view).await?;
            let theme = self.theme.parse().unwrap_or_default();
            return write(session, file, &svg(&view, &events, SvgStyle { theme, orientation }));
        }
        let mut drawn = text(&view, session.output.style(orientation));
        if view.seq < answer.head_seq {
            drawn.push_str(&format!("\nPosition {} of {}\n", view.seq, answer.head_seq));
        }
        if session.output.format() == OutputFormat::Text && session.has_api_key()? {
            let shown = client.get_match(&self.match_id).await?.r#match.unwrap_or_default();
            drawn.push_str(&player_ids(&shown));
        }
        session.output.text(&drawn)
    }

    async fn print_poem(&self, session: &Session, client: &Client) -> Result<(), Failure> {
        let words = whole_poem(&all_events(client, &self.match_id).await?, self.at)?;
        session.output.object(&json!({ "poem": words }))?;
        let lines = words.chunks(WORDS_PER_LINE).map(|line| format!("{}\n", printable(&line.join(" "))));
        session.output.text(&lines.collect::<String>())
    }
}

/// Returns the owner's ids of a match's players, one per line; nothing if the service shows none.
fn player_ids(shown: &Match) -> String {
    let id = |status: &SeatStatus| {
        let id = status.player.as_ref()?.player_id.as_ref()?;
        Some(format!("{}: player id {}\n", printable(&status.title), printable(id)))
    };
    let ids: String = shown.seats.iter().filter_map(id).collect();
    if ids.is_empty() { ids } else { format!("\n{ids}") }
}

/// Returns the events up to a view that include its last move.
async fn last_events(client: &Client, match_id: &str, view: &View) -> Result<Vec<Event>, Failure> {
    let request = ListEventsRequest {
        match_id: match_id.to_owned(),
        after_seq: view.seq.saturating_sub(LAST_MOVE_LOOKBACK),
        page_size: LAST_MOVE_LOOKBACK,
        ..ListEventsRequest::default()
    };
    Ok(client.list_events(request).await?.events)
}

fn write(session: &Session, file: &Path, picture: &str) -> Result<(), Failure> {
    if is_stdout(file) {
        return session.output.text(picture);
    }
    fs::write(file, picture).map_err(|source| Failure::File { path: file.to_owned(), source })
}

fn is_stdout(file: &Path) -> bool {
    file.as_os_str() == "-"
}
