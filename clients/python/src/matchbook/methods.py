"""The service's RPCs: paths, messages, and whether a repetition is safe."""

from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from google.protobuf.message import Message

from . import v1

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


def serialized(message: Message) -> bytes:
    """Returns a message's encoding."""
    return message.SerializeToString()


class Repeating(Enum):
    """Whether a repeated call has the effect of one call."""

    SAFE = "safe"
    """It only reads, or it sets what it repeats."""
    REQUEST_ID = "request_id"
    """With the same `request_id` it has."""
    UNSAFE = "unsafe"
    """It could take effect twice, or be refused because it took effect."""


@dataclass(frozen=True, slots=True)
class Unary(Generic[Q, A]):
    """An RPC with one response."""

    path: str
    response: type[A]
    repeating: Repeating

    def is_repeatable(self, request: Q) -> bool:
        """Returns whether this call can be repeated if its answer is lost."""
        if self.repeating is Repeating.REQUEST_ID:
            return bool(getattr(request, "request_id"))
        return self.repeating is Repeating.SAFE


@dataclass(frozen=True, slots=True)
class Stream(Generic[Q, A]):
    """An RPC with a stream of responses. It only reads."""

    path: str
    response: type[A]


LIST_GAMES: Unary[v1.ListGamesRequest, v1.ListGamesResponse] = Unary(
    "/matchbook.v1.GameService/ListGames", v1.ListGamesResponse, Repeating.SAFE
)
GET_GAME: Unary[v1.GetGameRequest, v1.GetGameResponse] = Unary(
    "/matchbook.v1.GameService/GetGame", v1.GetGameResponse, Repeating.SAFE
)
LIST_KEYS: Unary[v1.ListKeysRequest, v1.ListKeysResponse] = Unary(
    "/matchbook.v1.LogService/ListKeys", v1.ListKeysResponse, Repeating.SAFE
)
SIGN_HEAD: Unary[v1.SignHeadRequest, v1.SignHeadResponse] = Unary(
    "/matchbook.v1.LogService/SignHead", v1.SignHeadResponse, Repeating.SAFE
)
CREATE_MATCH: Unary[v1.CreateMatchRequest, v1.CreateMatchResponse] = Unary(
    "/matchbook.v1.MatchService/CreateMatch", v1.CreateMatchResponse, Repeating.REQUEST_ID
)
CLAIM_SEAT: Unary[v1.ClaimSeatRequest, v1.ClaimSeatResponse] = Unary(
    "/matchbook.v1.MatchService/ClaimSeat", v1.ClaimSeatResponse, Repeating.REQUEST_ID
)
ROTATE_SEAT_TOKEN: Unary[v1.RotateSeatTokenRequest, v1.RotateSeatTokenResponse] = Unary(
    "/matchbook.v1.MatchService/RotateSeatToken", v1.RotateSeatTokenResponse, Repeating.REQUEST_ID
)
REDACT_PLAYER: Unary[v1.RedactPlayerRequest, v1.RedactPlayerResponse] = Unary(
    "/matchbook.v1.MatchService/RedactPlayer", v1.RedactPlayerResponse, Repeating.SAFE
)
LIST_MATCHES: Unary[v1.ListMatchesRequest, v1.ListMatchesResponse] = Unary(
    "/matchbook.v1.MatchService/ListMatches", v1.ListMatchesResponse, Repeating.SAFE
)
GET_MATCH: Unary[v1.GetMatchRequest, v1.GetMatchResponse] = Unary(
    "/matchbook.v1.MatchService/GetMatch", v1.GetMatchResponse, Repeating.SAFE
)
BATCH_GET_MATCHES: Unary[v1.BatchGetMatchesRequest, v1.BatchGetMatchesResponse] = Unary(
    "/matchbook.v1.MatchService/BatchGetMatches", v1.BatchGetMatchesResponse, Repeating.SAFE
)
UPDATE_MATCH_LABELS: Unary[v1.UpdateMatchLabelsRequest, v1.UpdateMatchLabelsResponse] = Unary(
    "/matchbook.v1.MatchService/UpdateMatchLabels", v1.UpdateMatchLabelsResponse, Repeating.SAFE
)
GET_VIEW: Unary[v1.GetViewRequest, v1.GetViewResponse] = Unary(
    "/matchbook.v1.MatchService/GetView", v1.GetViewResponse, Repeating.SAFE
)
LIST_LEGAL_MOVES: Unary[v1.ListLegalMovesRequest, v1.ListLegalMovesResponse] = Unary(
    "/matchbook.v1.MatchService/ListLegalMoves", v1.ListLegalMovesResponse, Repeating.SAFE
)
GET_CHOICES: Unary[v1.GetChoicesRequest, v1.GetChoicesResponse] = Unary(
    "/matchbook.v1.MatchService/GetChoices", v1.GetChoicesResponse, Repeating.SAFE
)
CHECK_MOVE: Unary[v1.CheckMoveRequest, v1.CheckMoveResponse] = Unary(
    "/matchbook.v1.MatchService/CheckMove", v1.CheckMoveResponse, Repeating.SAFE
)
SUGGEST_MOVE: Unary[v1.SuggestMoveRequest, v1.SuggestMoveResponse] = Unary(
    "/matchbook.v1.MatchService/SuggestMove", v1.SuggestMoveResponse, Repeating.SAFE
)
SUBMIT_MOVE: Unary[v1.SubmitMoveRequest, v1.SubmitMoveResponse] = Unary(
    "/matchbook.v1.MatchService/SubmitMove", v1.SubmitMoveResponse, Repeating.REQUEST_ID
)
RESIGN: Unary[v1.ResignRequest, v1.ResignResponse] = Unary(
    "/matchbook.v1.MatchService/Resign", v1.ResignResponse, Repeating.REQUEST_ID
)
MAKE_PROPOSAL: Unary[v1.MakeProposalRequest, v1.MakeProposalResponse] = Unary(
    "/matchbook.v1.MatchService/MakeProposal", v1.MakeProposalResponse, Repeating.REQUEST_ID
)
ANSWER_PROPOSAL: Unary[v1.AnswerProposalRequest, v1.AnswerProposalResponse] = Unary(
    "/matchbook.v1.MatchService/AnswerProposal", v1.AnswerProposalResponse, Repeating.REQUEST_ID
)
ABORT_MATCH: Unary[v1.AbortMatchRequest, v1.AbortMatchResponse] = Unary(
    "/matchbook.v1.MatchService/AbortMatch", v1.AbortMatchResponse, Repeating.REQUEST_ID
)
FORK_MATCH: Unary[v1.ForkMatchRequest, v1.ForkMatchResponse] = Unary(
    "/matchbook.v1.MatchService/ForkMatch", v1.ForkMatchResponse, Repeating.REQUEST_ID
)
CREATE_REMATCH: Unary[v1.CreateRematchRequest, v1.CreateRematchResponse] = Unary(
    "/matchbook.v1.MatchService/CreateRematch", v1.CreateRematchResponse, Repeating.REQUEST_ID
)
LIST_EVENTS: Unary[v1.ListEventsRequest, v1.ListEventsResponse] = Unary(
    "/matchbook.v1.MatchService/ListEvents", v1.ListEventsResponse, Repeating.SAFE
)
CREATE_WEBHOOK: Unary[v1.CreateWebhookRequest, v1.CreateWebhookResponse] = Unary(
    "/matchbook.v1.WebhookService/CreateWebhook", v1.CreateWebhookResponse, Repeating.REQUEST_ID
)
LIST_WEBHOOKS: Unary[v1.ListWebhooksRequest, v1.ListWebhooksResponse] = Unary(
    "/matchbook.v1.WebhookService/ListWebhooks", v1.ListWebhooksResponse, Repeating.SAFE
)
GET_WEBHOOK: Unary[v1.GetWebhookRequest, v1.GetWebhookResponse] = Unary(
    "/matchbook.v1.WebhookService/GetWebhook", v1.GetWebhookResponse, Repeating.SAFE
)
UPDATE_WEBHOOK: Unary[v1.UpdateWebhookRequest, v1.UpdateWebhookResponse] = Unary(
    "/matchbook.v1.WebhookService/UpdateWebhook", v1.UpdateWebhookResponse, Repeating.SAFE
)
DELETE_WEBHOOK: Unary[v1.DeleteWebhookRequest, v1.DeleteWebhookResponse] = Unary(
    "/matchbook.v1.WebhookService/DeleteWebhook", v1.DeleteWebhookResponse, Repeating.UNSAFE
)
ROTATE_WEBHOOK_SECRET: Unary[v1.RotateWebhookSecretRequest, v1.RotateWebhookSecretResponse] = Unary(
    "/matchbook.v1.WebhookService/RotateWebhookSecret", v1.RotateWebhookSecretResponse, Repeating.SAFE
)
PING_WEBHOOK: Unary[v1.PingWebhookRequest, v1.PingWebhookResponse] = Unary(
    "/matchbook.v1.WebhookService/PingWebhook", v1.PingWebhookResponse, Repeating.UNSAFE
)
LIST_DEAD_LETTERS: Unary[v1.ListDeadLettersRequest, v1.ListDeadLettersResponse] = Unary(
    "/matchbook.v1.WebhookService/ListDeadLetters", v1.ListDeadLettersResponse, Repeating.SAFE
)
RETRY_DEAD_LETTERS: Unary[v1.RetryDeadLettersRequest, v1.RetryDeadLettersResponse] = Unary(
    "/matchbook.v1.WebhookService/RetryDeadLetters", v1.RetryDeadLettersResponse, Repeating.SAFE
)
WATCH_MATCH: Stream[v1.WatchMatchRequest, v1.WatchMatchResponse] = Stream(
    "/matchbook.v1.MatchService/WatchMatch", v1.WatchMatchResponse
)
EXPORT_LOG: Stream[v1.ExportLogRequest, v1.ExportLogResponse] = Stream(
    "/matchbook.v1.LogService/ExportLog", v1.ExportLogResponse
)
EXPORT_MATCHES: Stream[v1.ExportMatchesRequest, v1.ExportMatchesResponse] = Stream(
    "/matchbook.v1.LogService/ExportMatches", v1.ExportMatchesResponse
)
STREAM_FEED: Stream[v1.StreamFeedRequest, v1.StreamFeedResponse] = Stream(
    "/matchbook.v1.LogService/StreamFeed", v1.StreamFeedResponse
)
