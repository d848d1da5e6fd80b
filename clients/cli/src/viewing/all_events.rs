//! All events of a match, page by page.

use matchbook_client::Client;
use wire::v1::{Event, ListEventsRequest};

use crate::failure::Failure;

/// Maximum page size of the service.
const PAGE_SIZE: u32 = 500;

/// Fetches the events of a match as the service shows them to this caller.
pub(crate) async fn all_events(client: &Client, match_id: &str) -> Result<Vec<Event>, Failure> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        let request = ListEventsRequest {
            match_id: match_id.to_owned(),
            after_seq: events.last().map_or(0, |event| event.seq),
            page_size: PAGE_SIZE,
            ..ListEventsRequest::default()
        };
        let page = client.list_events(request).await?;
        let more = !page.events.is_empty();
        events.extend(page.events);
        if !more || events.last().is_some_and(|last| last.seq >= page.head_seq) {
            return Ok(events);
        }
    }
}
