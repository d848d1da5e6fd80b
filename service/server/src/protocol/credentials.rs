//! The credentials that each RPC accepts, for the OpenAPI document. A test compares them with the tables of
//! callers in `docs/api.md`.

/// The credentials that an RPC makes use of. Others that are valid are accepted and change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AcceptedCredentials {
    /// None: the response is the same for everyone.
    Nothing,
    /// An API key, or none.
    OptionalKey,
    /// An API key.
    Key,
    /// An API key, a seat's token, both or neither.
    Optional,
    /// An API key, a seat's token or both.
    KeyOrSeat,
    /// A seat's token, or both: the key gives no right of its own, but a quota.
    Seat,
}

/// The accepted credentials by RPC. Services without API keys demand none where one creates or owns.
const BY_RPC: [(AcceptedCredentials, &[&str]); 6] = [
    (AcceptedCredentials::Nothing, &["ListGames", "GetGame", "ListKeys"]),
    (AcceptedCredentials::OptionalKey, &["CreateMatch", "ListMatches", "ClaimSeat", "StreamFeed"]),
    (
        AcceptedCredentials::Key,
        &[
            "RedactPlayer",
            "UpdateMatchLabels",
            "CreateWebhook",
            "ListWebhooks",
            "GetWebhook",
            "UpdateWebhook",
            "DeleteWebhook",
            "RotateWebhookSecret",
            "PingWebhook",
            "ListDeadLetters",
            "RetryDeadLetters",
        ],
    ),
    (
        AcceptedCredentials::Optional,
        &[
            "GetMatch",
            "GetView",
            "ListLegalMoves",
            "ListEvents",
            "WatchMatch",
            "ExportLog",
            "SignHead",
            "ForkMatch",
        ],
    ),
    (AcceptedCredentials::KeyOrSeat, &["RotateSeatToken", "CreateRematch"]),
    (
        AcceptedCredentials::Seat,
        &[
            "GetChoices",
            "CheckMove",
            "SuggestMove",
            "SubmitMove",
            "Resign",
            "MakeProposal",
            "AnswerProposal",
            "AbortMatch",
        ],
    ),
];

/// Returns the credentials that an RPC accepts, or `None` for an RPC without an entry.
pub(crate) fn accepted_credentials(rpc: &str) -> Option<AcceptedCredentials> {
    BY_RPC.iter().find(|(_, rpcs)| rpcs.contains(&rpc)).map(|(accepted, _)| *accepted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rpc_has_one_entry() {
        let mut rpcs: Vec<String> = wire::DESCRIPTORS
            .services()
            .flat_map(|service| service.methods().map(|method| method.name().to_owned()).collect::<Vec<_>>())
            .collect();
        let mut listed: Vec<&str> = BY_RPC.iter().flat_map(|(_, rpcs)| rpcs.iter().copied()).collect();
        rpcs.sort();
        listed.sort_unstable();
        assert_eq!(listed, rpcs);
    }
}
