//! Calls about the log and the service's keys.

use wire::v1::log_service_client::LogServiceClient;
use wire::v1::{
    ExportLogRequest, ExportMatchesRequest, ListKeysRequest, ListKeysResponse, SignHeadRequest,
    SignHeadResponse,
};

use super::MAX_RECORD_BYTES;
use crate::client::{Client, Idempotency};
use crate::error::Error;
use crate::export::{LogExport, LogsExport};

impl Client {
    /// Lists a page of the keys that the service signs and has signed with, the current one first.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn list_keys(&self, message: ListKeysRequest) -> Result<ListKeysResponse, Error> {
        let rpc = |channel, request| async { LogServiceClient::new(channel).list_keys(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Returns a signed note of how far a match has come.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn sign_head(&self, message: SignHeadRequest) -> Result<SignHeadResponse, Error> {
        let rpc = |channel, request| async { LogServiceClient::new(channel).sign_head(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Opens the export of a match's log, as the caller may see it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn export_log(&self, match_id: &str) -> Result<LogExport, Error> {
        let request = self.request(ExportLogRequest { match_id: match_id.to_owned() });
        let mut service = LogServiceClient::new(self.channel()).max_decoding_message_size(MAX_RECORD_BYTES);
        let records = service.export_log(request).await.map_err(|status| self.error(&status))?;
        Ok(LogExport::new(self.clone(), records.into_inner()))
    }

    /// Opens the export of the logs of many matches, newest first.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn export_matches(&self, message: ExportMatchesRequest) -> Result<LogsExport, Error> {
        let request = self.request(message);
        let mut service = LogServiceClient::new(self.channel()).max_decoding_message_size(MAX_RECORD_BYTES);
        let frames = service.export_matches(request).await.map_err(|status| self.error(&status))?;
        Ok(LogsExport::new(self.clone(), frames.into_inner()))
    }
}
