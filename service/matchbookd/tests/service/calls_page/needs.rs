//! The credential that a call needs, in words. The document says which credentials a call accepts; which of
//! them it needs depends on the match, the game and the configured keys (`docs/api.md`, who may call).

use serde_json::Value;

const PUBLIC: &str = "nothing. For a private match: the token of one of its seats, the API key that owns it, \
                      or one of role `audit` or `admin`.";
const AS_SEAT: &str = "nothing, to see the match as a spectator; a seat's token, to see it as that seat. A \
                       private match is shown only to its seats, the API key that owns it, and the roles \
                       `audit` and `admin`.";
const SEAT: &str =
    "the seat's token. If an API key comes with it, the call counts under the key's rate limit.";
const OWN_WEBHOOK: &str = "the API key that created the webhook, or another of the same name.";
const MANY: &str = "an API key: one of role `app` reads the matches that it owns, one of role `audit` or \
                    `admin` all. On a service without configured keys nothing, for all public matches.";

/// Returns what a call needs. Panics if that is not among the credentials that the call accepts.
pub(super) fn needs(name: &str, security: &Value) -> &'static str {
    let text = text(name).unwrap_or_else(|| panic!("{name} has no text here"));
    let accepted = security.as_array().map(Vec::as_slice).unwrap_or_default();
    let accepts = |scheme| accepted.iter().any(|one| one.get(scheme).is_some());
    assert!(accepts("apiKey") == text.contains("key"), "{name}: {text}");
    assert!(accepts("seatToken") == text.contains("token"), "{name}: {text}");
    let is_optional = accepted.is_empty() || accepted.iter().any(|one| one == &serde_json::json!({}));
    assert!(is_optional == text.contains("nothing"), "{name}: {text}");
    text
}

fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        "ListGames" | "GetGame" | "ListKeys" | "IsAlive" | "IsReady" => "nothing.",
        "CreateMatch" => {
            "an API key of role `app` or `admin`, which owns the match from then on. On a service without \
             configured keys nothing."
        }
        "ClaimSeat" => {
            "nothing in a public or unlisted match. The API key that owns the match for a seat of a private \
             one, and to name a `player_id`. For a seat of a rematch that key, or the token that the player \
             had in the match before."
        }
        "GetMatch" | "BatchGetMatches" | "SignHead" => PUBLIC,
        "GetView" | "GetBoardText" | "GetBoardPicture" | "WatchMatch" | "ListEvents" | "ExportLog" => AS_SEAT,
        "ListLegalMoves" => {
            "the seat's token. In a game without secrets nothing, unless the match is private: then an API \
             key that may see it will do too."
        }
        "SubmitMoves" => {
            "nothing to open the stream. Each move needs its seat's token: in the request, or for requests \
             without one in the header. If an API key comes with the stream, its moves count under the key's \
             rate limit."
        }
        "GetChoices" | "CheckMove" | "SuggestMove" | "SubmitMove" | "MakeProposal" | "AnswerProposal"
        | "Resign" | "AbortMatch" => SEAT,
        "CreateRematch" => "the token of one of the match's seats, or the API key that owns the match.",
        "ForkMatch" => {
            "the token of one of the match's seats, or an API key of role `app` or `admin` that may see the \
             match; the key owns the fork. On a service without configured keys nothing."
        }
        "RotateSeatToken" => "the seat's token, or the API key that owns the match.",
        "RedactPlayer" => "the API key that owns the match, or one of role `admin`.",
        "ListMatches" => {
            "nothing, to list public matches. An API key to list those that it owns, of any visibility, and \
             to find them by what only their owner knows."
        }
        "UpdateMatchLabels" => "the API key that owns the match.",
        "ExportMatches" | "StreamFeed" => MANY,
        "CreateWebhook" | "ListWebhooks" => "an API key of role `app` or `admin`.",
        "GetWebhook" | "DeleteWebhook" => {
            "the API key that created the webhook, another of the same name, or one of role `admin`."
        }
        "UpdateWebhook" | "PingWebhook" | "RotateWebhookSecret" | "ListDeadLetters" | "RetryDeadLetters" => {
            OWN_WEBHOOK
        }
        _ => return None,
    })
}
