//! A match to step through, from a file or from the service: the same events and views from both.

use matchbook_client::Client;
use replay::{LogFile, Position, Told};
use rules::Viewer;
use wire::v1::{Event, GetViewRequest, ListEventsRequest, View};

use crate::failure::Failure;

/// Events asked for at a time.
const PAGE_SIZE: u32 = 500;

/// All of a match as one viewer may see it.
pub(crate) struct Playback {
    events: Vec<Event>,
    views: Views,
    /// Why the rest can't be shown, if there is one.
    pub stopped: Option<String>,
}

/// Where positions come from.
enum Views {
    Folded(Vec<View>),
    Asked { service: Client, match_id: String, open: bool },
}

impl Playback {
    /// The match of a file. What the file does not tell is not shown.
    pub(crate) fn of_file(file: &LogFile, viewer: Viewer) -> Result<Self, Failure> {
        let copies = file.copies();
        let mut told: Vec<(Told, Position)> = Vec::new();
        let mut stopped = None;
        for copy in &copies {
            let next = match told.last() {
                None => Position::begin(file.header.match_id, copy).map(|(position, told)| (told, position)),
                Some((_, position)) => {
                    let mut position = position.clone();
                    position.apply(copy).map(|told| (told, position))
                }
            };
            match next {
                Ok(next) => told.push(next),
                Err(error) => {
                    stopped =
                        Some(format!("from event {} on it can't be replayed: {}", error.seq, error.fault));
                    break;
                }
            }
        }
        let over = told.last().is_some_and(|(_, position)| position.result().is_some());
        if viewer == Viewer::Open && !over {
            return Err(Failure::Usage("--open is for matches that are over".to_owned()));
        }
        // The service has no open form of events either: they are as spectators see them.
        let eyes = if viewer == Viewer::Open { Viewer::Spectator } else { viewer };
        let events = told.iter().map(|(told, _)| told.shown(eyes)).collect();
        let views = told.iter().map(|(_, position)| position.shown(viewer)).collect();
        Ok(Self { events, views: Views::Folded(views), stopped })
    }

    /// The match as the service shows it to this caller.
    pub(crate) async fn of_service(service: Client, match_id: String, open: bool) -> Result<Self, Failure> {
        let mut events: Vec<Event> = Vec::new();
        loop {
            let request = ListEventsRequest {
                match_id: match_id.clone(),
                after_seq: events.last().map_or(0, |event| event.seq),
                page_size: Some(PAGE_SIZE),
                min_seq: None,
            };
            let page = service.list_events(request).await?;
            let more = !page.events.is_empty();
            events.extend(page.events);
            if !more || events.last().is_some_and(|last| last.seq >= page.head_seq) {
                break;
            }
        }
        Ok(Self { events, views: Views::Asked { service, match_id, open }, stopped: None })
    }

    /// How many events there are; positions are counted from 1.
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// The event that led to a position, and the position.
    pub(crate) async fn at(&self, place: usize) -> Result<(&Event, View), Failure> {
        let event = &self.events[place - 1];
        let view = match &self.views {
            Views::Folded(views) => views[place - 1].clone(),
            Views::Asked { service, match_id, open } => {
                let request = GetViewRequest {
                    match_id: match_id.clone(),
                    at_seq: Some(event.seq),
                    open: *open,
                    ..GetViewRequest::default()
                };
                service.get_view(request).await?.view.unwrap_or_default()
            }
        };
        Ok((event, view))
    }
}
