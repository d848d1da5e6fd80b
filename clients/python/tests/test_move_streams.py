"""Moves of many seats over one stream, against a real service."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from service import Service

import matchbook
from matchbook import Matchbook, MessageTooLarge, Seat, v1


def light_seat(client: Matchbook) -> Seat:
    match = client.create_match("ludus-magus")
    seat = match.claim(0, "Ann")
    match.claim(1, "Ben")
    return seat


def request(call_id: int, seat: Seat, notation: str, token: str | None = None) -> v1.SubmitMovesRequest:
    move = v1.SubmitMoveRequest(match_id=seat.match_id, notation=notation, answer=v1.MOVE_ANSWER_RECEIPT)
    return v1.SubmitMovesRequest(call_id=call_id, seat_token=token or seat.token, move=move)


def test_each_move_is_answered_or_refused(client: Matchbook) -> None:
    seats = [light_seat(client) for _ in range(3)]

    def requests() -> Iterator[v1.SubmitMovesRequest]:
        for call_id, seat in enumerate(seats):
            yield request(call_id, seat, "a1-a2")
        yield request(9, seats[0], "b1-c2", token="mbs_unknown")

    answers = {answer.call_id: answer for answer in client.calls.submit_moves(requests())}
    assert answers[9].refusal.reason == "BAD_TOKEN"
    for call_id, seat in enumerate(seats):
        assert answers[call_id].submitted.receipt.seq == seat.view().seq == 5


def test_a_request_that_cannot_be_read_ends_the_stream(client: Matchbook) -> None:
    seat = light_seat(client)
    too_large = v1.SubmitMovesRequest(call_id=2, seat_token="x" * 300_000)
    answers = client.calls.submit_moves([request(1, seat, "a1-a2"), too_large])
    assert next(answers).submitted.receipt.seq == 5
    with pytest.raises(MessageTooLarge):
        next(answers)


def test_a_stream_can_wait_for_each_answer(service: Service) -> None:
    async def play() -> None:
        async with matchbook.AsyncMatchbook(service.address) as client:
            match = await client.create_match("ludus-magus")
            seats = [await match.claim(0, "Ann"), await match.claim(1, "Ben")]
            answered = asyncio.Event()

            async def requests() -> AsyncIterator[v1.SubmitMovesRequest]:
                for turn in range(4):
                    seat = seats[turn % 2]
                    notation = (await seat.legal_moves())[0].notation
                    move = v1.SubmitMoveRequest(match_id=match.match_id, notation=notation)
                    yield v1.SubmitMovesRequest(call_id=turn, seat_token=seat.token, move=move)
                    await answered.wait()
                    answered.clear()

            made = []
            async for answer in client.calls.submit_moves(requests()):
                made.append((answer.call_id, answer.submitted.view.seq))
                answered.set()
            assert made == [(0, 5), (1, 6), (2, 7), (3, 8)]

    asyncio.run(play())
