//! A match to step through, from a file or from the service. Both give the same events and views.

use audit::LogFile;
use event::Seat;
use matchbook_client::Client;
use replay::{AppliedEvent, Position};
use rules::{Games, Viewer};
use wire::v1::{Event, GetViewRequest, View};

use super::all_events;
use crate::failure::Failure;

/// The events and positions of a match as one viewer may see them.
pub(crate) struct Playback {
    events: Vec<Event>,
    views: Views,
    /// Why the later positions cannot be shown, if there are any.
    pub stopped: Option<String>,
}

/// The source of positions.
enum Views {
    File(Vec<View>),
    Service { client: Client, match_id: String, open: bool },
}

impl Playback {
    /// Replays the match of a file. What the file does not reveal stays hidden.
    pub(crate) fn of_file(file: &LogFile, viewer: Viewer<Seat>) -> Result<Self, Failure> {
        let copies = file.opened_events();
        let mut steps: Vec<(AppliedEvent, Position)> = Vec::new();
        let mut stopped = None;
        for copy in &copies {
            let next = match steps.last() {
                None => Position::start(Games::built_in(), file.header.match_id, copy)
                    .map(|(position, applied)| (applied, position)),
                Some((_, position)) => {
                    let mut position = position.clone();
                    position.apply(copy).map(|applied| (applied, position))
                }
            };
            match next {
                Ok(next) => steps.push(next),
                Err(error) => {
                    stopped =
                        Some(format!("cannot replay event {} and later ones: {}", error.seq, error.fault));
                    break;
                }
            }
        }
        let over = steps.last().is_some_and(|(_, position)| position.result().is_some());
        if viewer == Viewer::Open && !over {
            return Err(Failure::Usage("--open needs a finished match".to_owned()));
        }
        // Events have no open form: they are shown as to spectators, as the service does.
        let event_viewer = if viewer == Viewer::Open { Viewer::Spectator } else { viewer };
        let events = steps.iter().map(|(applied, _)| applied.shown(event_viewer)).collect();
        let views = steps.iter().map(|(_, position)| position.shown(viewer)).collect();
        Ok(Self { events, views: Views::File(views), stopped })
    }

    /// Fetches the events of a match as the service shows them to this caller.
    pub(crate) async fn of_service(client: Client, match_id: String, open: bool) -> Result<Self, Failure> {
        let events = all_events(&client, &match_id).await?;
        Ok(Self { events, views: Views::Service { client, match_id, open }, stopped: None })
    }

    /// Returns the number of events, which is the number of positions.
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns the event that led to a position, and the position; `index` counts from 1.
    pub(crate) async fn at(&self, index: usize) -> Result<(&Event, View), Failure> {
        let event = &self.events[index - 1];
        let view = match &self.views {
            Views::File(views) => views[index - 1].clone(),
            Views::Service { client, match_id, open } => {
                let request = GetViewRequest {
                    match_id: match_id.clone(),
                    at_seq: Some(event.seq),
                    viewer: open.then(wire::v1::Viewer::open),
                    ..GetViewRequest::default()
                };
                client.get_view(request).await?.view.unwrap_or_default()
            }
        };
        Ok((event, view))
    }
}
