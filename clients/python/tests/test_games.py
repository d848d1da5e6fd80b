"""Whole matches of every game, by random legal moves."""

import asyncio
import random

import pytest
from service import Service

from matchbook import AsyncMatchbook, AsyncSeat, Change, LegalMove, Matchbook, MatchOver, Seat, v1

GAMES = ["ace-exorcist", "angels-and-demons", "cresnovian-chess", "ludus-magus"]


def choose(seat: Seat, random_choice: random.Random) -> LegalMove:
    """Chooses a listed move, or one of the families that are too large to list."""
    moves = seat.legal_moves(limit=200)
    return seat.suggest() if moves.unlisted_families else random_choice.choice(list(moves))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_match_is_played_to_its_end(client: Matchbook, game_id: str) -> None:
    random_choice = random.Random(game_id)
    match = client.create_match(game_id)
    seats = [client.claim(match, 0, "Ann"), client.claim(match, 1, "Ben")]
    view, changes = match.view(), list[Change]()
    while view.status == v1.MATCH_STATUS_RUNNING:
        changes.append(seats[view.to_act[0]].play(choose(seats[view.to_act[0]], random_choice)))
        view = changes[-1].view
    assert changes[-1].is_over and changes[-1].result == view.result
    events = list(match.watch(after_seq=0))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    made = [event for event in events if event.kind in ("move_made", "move_sealed")]
    assert len(made) == len(changes) and events[-1].result == view.result
    with pytest.raises(MatchOver):
        seats[0].play(made[-1].notation or "1,1")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_match_is_played_by_two_players_at_once(service: Service, game_id: str) -> None:
    async def play(seat: AsyncSeat) -> v1.View:
        """Plays whenever the seat is to act, and otherwise waits for the next event."""
        view = await seat.view()
        async with seat.watch(after_seq=view.seq, views=True) as watch:
            while view.status != v1.MATCH_STATUS_OVER:
                if seat.seat in view.to_act:
                    view = (await seat.play(await seat.suggest(seed=view.seq))).view
                else:
                    event = await anext(watch)
                    assert event.view is not None
                    view = event.view if event.seq > view.seq else view
        return view

    async def match() -> None:
        async with AsyncMatchbook(service.address) as client:
            created = await client.create_match(game_id)
            seats = [await created.claim(0, "Ann"), await created.claim(1, "Ben")]
            views = await asyncio.gather(*map(play, seats))
            assert views[0].result == views[1].result and views[0].HasField("result")

    asyncio.run(match())


def test_a_move_is_built_by_answers(client: Matchbook) -> None:
    match = client.create_match("ludus-magus")
    light, _ = match.claim(0, "Ann"), match.claim(1, "Ben")
    answers = iter(["b1", "b2"])
    asked: list[str] = []

    def answer(question: v1.Question) -> str:
        asked.append(question.prompt)
        return next(answers)

    built = light.build(answer)
    assert built.notation == "b1-b2" and len(asked) == 2
    assert light.play(built).events[0].notation == "b1-b2"
