//! A match's log as the service exports it.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Stream, StreamExt as _};
use tonic::Streaming;
use wire::v1::ExportLogResponse;

use crate::client::Client;
use crate::error::Error;

/// A stream of the records of a match's log file. It does not resume: after an error, export again.
pub struct LogExport {
    client: Client,
    records: Streaming<ExportLogResponse>,
}

impl LogExport {
    pub(crate) fn new(client: Client, records: Streaming<ExportLogResponse>) -> Self {
        Self { client, records }
    }
}

impl Stream for LogExport {
    type Item = Result<ExportLogResponse, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let record = this.records.poll_next_unpin(cx);
        record.map(|record| record.map(|record| record.map_err(|status| this.client.error(&status))))
    }
}
