//! Logs as the service exports them: one match's, or those of many.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Stream, StreamExt as _};
use tonic::Streaming;
use wire::v1::{ExportLogResponse, ExportMatchesResponse};

use crate::client::Client;
use crate::error::Error;

/// A stream of the records of a match's log file. It does not resume: after an error, export again.
pub type LogExport = Export<ExportLogResponse>;

/// A stream of the frames of an export of many matches. It does not resume: after an error, export again with
/// the newest `next_page_token`. It is complete only after its `end`.
pub type LogsExport = Export<ExportMatchesResponse>;

/// A stream of the messages of an export.
pub struct Export<T> {
    client: Client,
    messages: Streaming<T>,
}

impl<T> Export<T> {
    pub(crate) fn new(client: Client, messages: Streaming<T>) -> Self {
        Self { client, messages }
    }
}

impl<T> Stream for Export<T> {
    type Item = Result<T, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let message = this.messages.poll_next_unpin(cx);
        message.map(|message| message.map(|message| message.map_err(|status| this.client.error(&status))))
    }
}
