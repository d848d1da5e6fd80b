"""One seat of one match."""

from collections.abc import Awaitable, Callable, Sequence

from .. import v1
from ..requests import (
    PROPOSALS,
    Playable,
    ProposalKind,
    check_move,
    new_claim_secret,
    strategy,
    submit_move,
)
from ..settings import token_metadata
from ..values import Change, LegalMove, change_of
from .calls import AsyncCalls
from .match import AsyncMatch


class AsyncSeat(AsyncMatch):
    """One seat of a match. Every change carries a `request_id`, so it is repeated safely."""

    def __init__(
        self, calls: AsyncCalls, match_id: str, token: str, seat: int | None, info: v1.Match | None
    ) -> None:
        super().__init__(calls, match_id, info)
        self.token = token
        """The secret that authenticates the seat. Store it to play on in another process."""
        self.seat = seat
        """The seat; `None` if only the token is known."""

    async def play(
        self, move: Playable, *, expected_seq: int | None = None, request_id: str | None = None
    ) -> Change:
        """Makes a move, given in the game's notation or as a `LegalMove`.

        A `LegalMove` is made only at the position that it was listed for: otherwise the call raises
        `StalePosition`. For a notation, `expected_seq` says which position it is for.

        >>> match = await client.create_match("ludus-magus")
        >>> light, dark = await match.claim(0, "Ann"), await match.claim(1, "Ben")
        >>> moves = await light.legal_moves()
        >>> played = await light.play(moves[0])
        >>> played.events[0].kind
        'move_made'
        >>> try:
        ...     await light.play(moves[0])
        ... except StalePosition as error:
        ...     print(error.actual_seq == played.events[0].seq)
        True
        """
        request = submit_move(self.match_id, move, expected_seq, request_id)
        return change_of(await self.calls.submit_move(request))

    async def check(self, move: Playable, *, expected_seq: int | None = None) -> v1.Refusal | None:
        """Returns why a move would be refused; `None` if it is legal.

        >>> match = await client.create_match("angels-and-demons")
        >>> angels, demons = await match.claim(0, "Ann"), await match.claim(1, "Ben")
        >>> refusal = await angels.check("9,9")
        >>> refusal.reason
        'ILLEGAL_MOVE'
        """
        response = await self.calls.check_move(check_move(self.match_id, move, expected_seq))
        return None if response.legal else response.refusal

    async def suggest(self, how: str = "random", *, seed: int | None = None) -> LegalMove:
        """Suggests a legal move, chosen by a strategy. A seed makes the choice repeatable."""
        request = v1.SuggestMoveRequest(match_id=self.match_id, strategy=strategy(how), seed=seed)
        response = await self.calls.suggest_move(request)
        return LegalMove(response.notation, response.move, response.seq)

    async def choices(
        self, path: Sequence[str] = (), *, expected_seq: int | None = None
    ) -> v1.GetChoicesResponse:
        """Returns what follows these answers on the way to a move: the next question, or the finished move.

        >>> match = await client.create_match("ludus-magus")
        >>> light, dark = await match.claim(0, "Ann"), await match.claim(1, "Ben")
        >>> asked = await light.choices(["b1"])
        >>> asked.question.prompt
        'Where to?'
        """
        request = v1.GetChoicesRequest(match_id=self.match_id, path=path, expected_seq=expected_seq)
        return await self.calls.get_choices(request)

    async def build(self, answer: Callable[[v1.Question], Awaitable[str]]) -> LegalMove:
        """Builds a move from the answers of a function to one question after the other.

        The function returns the `value` of a choice, an integer in decimal digits, or a text.
        """
        path: list[str] = []
        seq = None
        while True:
            asked = await self.choices(path, expected_seq=seq)
            seq = asked.seq
            if asked.HasField("finished"):
                return LegalMove(asked.finished.notation, asked.finished.move, seq)
            path.append(await answer(asked.question))

    async def resign(self, *, request_id: str | None = None) -> Change:
        """Resigns: the other seat wins."""
        request = v1.ResignRequest(match_id=self.match_id, request_id=request_id)
        return change_of(await self.calls.resign(request))

    async def abort(self, *, request_id: str | None = None) -> Change:
        """Calls off a match that has not really begun: nobody wins."""
        request = v1.AbortMatchRequest(match_id=self.match_id, request_id=request_id)
        return change_of(await self.calls.abort_match(request))

    async def propose(self, kind: ProposalKind, *, request_id: str | None = None) -> Change:
        """Proposes a draw or a takeback to the other seat."""
        request = v1.MakeProposalRequest(
            match_id=self.match_id, kind=PROPOSALS[kind], request_id=request_id
        )
        return change_of(await self.calls.make_proposal(request))

    async def accept(self, kind: ProposalKind, *, request_id: str | None = None) -> Change:
        """Accepts the other seat's proposal."""
        return await self._answer(kind, True, request_id)

    async def decline(self, kind: ProposalKind, *, request_id: str | None = None) -> Change:
        """Declines the other seat's proposal."""
        return await self._answer(kind, False, request_id)

    async def _answer(self, kind: ProposalKind, accept: bool, request_id: str | None) -> Change:
        request = v1.AnswerProposalRequest(
            match_id=self.match_id,
            kind=PROPOSALS[kind],
            accept=accept,
            request_id=request_id,
        )
        return change_of(await self.calls.answer_proposal(request))

    async def renew_token(self, *, request_id: str | None = None, claim_secret: str | None = None) -> str:
        """Replaces this seat's token, which becomes void, and returns the new one, which this object uses."""
        response = await self._rotate(await self._own_seat(), request_id, claim_secret)
        self.token = response.seat_token
        self.calls = self.calls.with_metadata(token_metadata(self.token))
        return self.token

    async def rematch(
        self,
        *,
        rules_version: int | None = None,
        request_id: str | None = None,
        claim_secret: str | None = None,
    ) -> "AsyncMatch":
        """Creates a rematch with seats swapped; both seats get the same match.

        Returns the caller's `Seat` in a game without chance. In others it returns the match, whose seat must
        be claimed once its `info.seed_commitment` is known. That seat is reserved for the caller.
        """
        request = v1.CreateRematchRequest(
            match_id=self.match_id,
            rules_version=rules_version,
            request_id=request_id,
            claim_secret=claim_secret or new_claim_secret(),
        )
        response = await self.calls.create_rematch(request)
        other = AsyncMatch(
            self.calls.without_token(), response.match.match_id, response.match, previous=self
        )
        if not response.seat_token:
            return other
        return other.seat_with(response.seat_token, response.seat, response.match)

    def _other(self, match: v1.Match) -> AsyncMatch:
        return AsyncMatch(self.calls.without_token(), match.match_id, match)

    async def _own_seat(self) -> int:
        """Returns the seat, which the view names if the caller did not."""
        if self.seat is None:
            self.seat = (await self.view()).viewer.seat
        return self.seat
