"""The PettingZoo environments: PettingZoo's own tests, and what they do not know."""

import importlib
import random
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo import AECEnv
from service import Service

from matchbook import Matchbook, v1
from matchbook.pettingzoo import Observation, ace_exorcist, env, ludus_magus, parallel_env, raw_env
from matchbook.pettingzoo.cresnovian_chess import LISTED, SAMPLED, evenly

GAMES = ["ace-exorcist", "angels-and-demons", "cresnovian-chess", "ludus-magus"]
SMALL = {"rows": 3, "cols": 3, "turns": 1}
# What PettingZoo says of every environment with action masks, its own ones excepted.
EXPECTED = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}

Zoo = AECEnv[str, Observation, int]

# It exports its tests in a way that type checkers do not see.
tests: Any = importlib.import_module("pettingzoo.test")


@pytest.fixture
def make(service: Service) -> Iterator[Callable[..., raw_env]]:
    """Makes environments, and closes them after the test."""
    made: list[raw_env] = []

    def make_one(game_id: str, **arguments: Any) -> raw_env:
        made.append(raw_env(game_id, service.address, **arguments))
        return made[-1]

    yield make_one
    for each in made:
        each.close()


def play(zoo: Zoo, choose: random.Random) -> Iterator[tuple[str, Observation, list[int]]]:
    """Plays a match by random legal actions; yields each agent, its observation and its legal actions."""
    for agent in zoo.agent_iter():
        observation, _, termination, truncation, _ = zoo.last()
        assert observation is not None
        legal = [int(action) for action in np.flatnonzero(observation["action_mask"])]
        yield agent, observation, legal
        zoo.step(None if termination or truncation else choose.choice(legal))  # type: ignore[arg-type]


@pytest.mark.parametrize("game_id", GAMES)
def test_pettingzoos_tests_pass(service: Service, game_id: str) -> None:
    with pytest.warns(UserWarning) as warned:
        zoo: Any = env(game_id, service.address)
        tests.api_test(zoo, num_cycles=60)
        zoo.close()
    # Others may come from processes of earlier tests.
    assert {str(warning.message) for warning in warned if warning.category is UserWarning} == EXPECTED
    tests.seed_test(lambda: env(game_id, service.address), num_cycles=20)
    drawings = {"svg": lambda drawn: drawn.startswith("<svg"), "ansi": lambda drawn: len(drawn) > 50}
    tests.render_test(lambda render_mode: env(game_id, service.address, render_mode=render_mode), drawings)


def test_max_cycles_counts_the_moves_of_each_agent(service: Service) -> None:
    module = SimpleNamespace(
        env=lambda max_cycles: env("angels-and-demons", service.address, max_cycles=max_cycles),
        parallel_env=lambda max_cycles: parallel_env(
            "angels-and-demons", service.address, max_cycles=max_cycles
        ),
    )
    tests.max_cycles_test(module)


@pytest.mark.parametrize("game_id", ["ace-exorcist", "cresnovian-chess", "ludus-magus"])
def test_max_cycles_truncates_games_in_turns(make: Callable[..., raw_env], game_id: str) -> None:
    zoo = make(game_id, max_cycles=3)
    zoo.reset(seed=1)
    agents = [agent for agent, _, legal in play(zoo, random.Random(1)) if legal]
    moves = [agents.count(agent) for agent in zoo.possible_agents]
    assert max(moves) == 3 and min(moves) >= 1 and not zoo.agents
    with pytest.raises(ValueError, match="no simultaneous turns"):
        parallel_env(game_id)


@pytest.mark.once
@pytest.mark.parametrize("game_id", GAMES)
def test_every_legal_move_has_an_action_of_its_own(make: Callable[..., raw_env], game_id: str) -> None:
    zoo = make(game_id, max_cycles=40)
    zoo.reset(seed=3)
    for agent, observation, legal in play(zoo, random.Random(3)):
        assert zoo.observation_space(agent).contains(observation)
        assert observation["observation"].any()
        if not legal:
            assert not zoo.agents or zoo.terminations[agent] or zoo.truncations[agent]
            continue
        moves = zoo._seats[zoo.possible_agents.index(agent)].legal_moves()
        noted = {zoo.notation(action): action for action in legal}
        assert len(noted) == len(legal)
        if moves.complete:
            assert set(noted) == set(moves.notations)
        else:
            assert game_id == "cresnovian-chess"
            drawn = [action for action in legal if action >= LISTED]
            assert len(drawn) <= SAMPLED and (drawn or len(moves) > 1)
            assert len(moves) == 1 or [zoo.notation(i) for i in range(len(moves))] == moves.notations


def test_of_too_many_moves_every_nth_has_an_action() -> None:
    assert evenly(LISTED) == list(range(LISTED))
    chosen = evenly(2 * LISTED + 1)
    assert len(set(chosen)) == LISTED and chosen[0] == 0 and 2 * LISTED - 2 <= chosen[-1] <= 2 * LISTED


@pytest.mark.once
def test_the_actions_of_ludus_magus_are_as_documented(make: Callable[..., raw_env]) -> None:
    zoo = make("ludus-magus", max_cycles=80)
    kinds = set[int]()
    for seed in range(3):
        zoo.reset(seed=seed)
        for agent, observation, legal in play(zoo, random.Random(seed)):
            for action in legal:
                expected = documented(observation, action)
                assert zoo.notation(action) == expected
                kinds.add(sum(action >= first for first in (1740, 4060, 4061, 4077)))
    assert kinds == {0, 1, 2, 3, 4}


def documented(observation: Observation, action: int) -> str:
    """Returns the notation that an action has according to the documentation of its module."""
    planes = observation["observation"]
    cells, points = planes[7], planes[23]
    plane = 0 if cells.any() else 1
    y, x = (int(index[0]) for index in np.nonzero(points if plane else cells))
    directions = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    if action < 1740:
        place, change = divmod(action, 12)
        at = decoded(place)
        changes = [(-2, 0), (-1, -1), (-1, 0), (-1, 1), (0, -2), (0, -1), (0, 1), (0, 2)]
        return f"{named(*at)}-{named(*moved(at, [*changes, (1, -1), (1, 0), (1, 1), (2, 0)][change]))}"
    if action < 4060:
        place, steps = divmod(action - 1740, 16)
        at = decoded(place)
        victim = moved(at, directions[steps // 4])
        return f"{named(*at)}x{named(*victim)}-{named(*moved(victim, directions[steps % 4]))}"
    if action == 4060:
        return "swap"
    kind, direction = divmod((action - 4061) % 16, 4)
    to = named(*moved((plane, x, y), directions[direction]))
    if action < 4077:
        return f"{['aer', 'aqua', 'ignis', 'terra'][kind]}@{to}"
    low = -1 if plane else 0
    return f"{named(1 - plane, x + low + kind % 2, y + low + kind // 2)}>{to}"


def decoded(place: int) -> tuple[int, int, int]:
    return (0, place % 8, place // 8) if place < 64 else (1, (place - 64) % 9, (place - 64) // 9)


def moved(at: tuple[int, int, int], by: tuple[int, int]) -> tuple[int, int, int]:
    return at[0], at[1] + by[0], at[2] + by[1]


def named(plane: int, x: int, y: int) -> str:
    return f"{x},{y}" if plane else f"{'abcdefgh'[x]}{y + 1}"


@pytest.mark.once
def test_the_actions_of_ace_exorcist_name_places_of_the_hand(make: Callable[..., raw_env]) -> None:
    suits = ["blood", "blade", "flame", "bell", "book", "candle"]
    zoo = make("ace-exorcist")
    kinds = set[int]()
    for seed in range(4):
        zoo.reset(seed=seed)
        for _, observation, legal in play(zoo, random.Random(seed)):
            for action in legal:
                kind, cards = divmod(action, 64)
                kinds.add(kind)
                places = observation["observation"][:96].reshape(6, 16)
                hand = [places[i] for i in range(6) if cards >> i & 1]
                played = [suits[int(card[:6].argmax())] for card in hand]
                # Of a banish, the first card named is the one in the Ritual Space.
                named_cards = re.findall(r"([a-z]+)-[a-z0-9]+", zoo.notation(action).replace("take-hit", ""))
                assert sorted(named_cards[kind in (5, 6) :]) == sorted(played)
    assert kinds >= {0, 1, 2, 3, 4, 7, 9}


@pytest.mark.once
def test_no_observation_has_what_its_seat_may_not_see(make: Callable[..., raw_env]) -> None:
    zoo = make("ace-exorcist")
    # After a seed the match shows all cards to everybody, but the observations do not.
    zoo.reset(seed=5)
    for agent, observation, _ in play(zoo, random.Random(5)):
        seat = zoo.possible_agents.index(agent)
        view = v1.View()
        view.CopyFrom(zoo._view(seat))
        other = (view.game_view.ace_exorcist.exorcist, view.game_view.ace_exorcist.summoner)[seat]
        assert other.HasField("hand") and other.HasField("stack")
        for holding in (view.game_view.ace_exorcist.summoner, view.game_view.ace_exorcist.exorcist):
            holding.ClearField("stack")
        other.ClearField("hand")
        assert np.array_equal(zoo._game.observe(view, seat), observation["observation"])
    # Without one, it hides them itself.
    zoo.reset()
    table = zoo._view(1).game_view.ace_exorcist
    assert table.exorcist.HasField("hand") and not table.summoner.HasField("hand")


def test_a_choice_is_hidden_until_both_have_chosen(make: Callable[..., raw_env]) -> None:
    zoo = make("angels-and-demons")
    seen = []
    for action in (0, 17):
        zoo.reset()
        zoo.step(action)
        assert zoo.agent_selection == "player_1"
        own = zoo.observe("player_0")
        assert own["observation"][2].sum() == 1 and not own["action_mask"].any()
        seen.append(zoo.observe("player_1"))
    assert all(np.array_equal(seen[0][key], seen[1][key]) for key in ("observation", "action_mask"))


@pytest.mark.parametrize(("actions", "rewards"), [((2, 0), (1, -1)), ((0, 2), (-1, 1)), ((2, 2), (0, 0))])
def test_agents_are_rewarded_by_rank(
    make: Callable[..., raw_env], actions: tuple[int, int], rewards: tuple[int, int]
) -> None:
    zoo = make("angels-and-demons", options=SMALL)
    zoo.reset()
    for action in actions:
        zoo.step(action)
    for agent, expected in zip(("player_0", "player_1"), rewards):
        assert zoo.rewards[agent] == expected
        assert zoo.terminations[agent] and not zoo.truncations[agent]


def test_an_illegal_action_is_refused(make: Callable[..., raw_env], service: Service) -> None:
    zoo = make("ludus-magus")
    zoo.reset()
    with pytest.raises(ValueError, match="action 0 is not legal"):
        zoo.step(0)
    wrapped: Any = env("ludus-magus", service.address)
    wrapped.reset()
    wrapped.step(0)
    assert wrapped.last()[1] == -1 and wrapped.last()[2]
    wrapped.close()
    with pytest.raises(ValueError, match="known are ace-exorcist"):
        env("chess")
    with pytest.raises(ValueError, match="known are human"):
        env("ludus-magus", render_mode="rgb_array")


def test_no_match_stays_open(make: Callable[..., raw_env], client: Matchbook) -> None:
    zoo = make("ludus-magus")
    zoo.reset()
    first = zoo.match_id
    zoo.reset()
    second = zoo.match_id
    zoo.close()
    for match_id in (first, second):
        view = client.match(match_id).view()
        assert view.status == v1.MATCH_STATUS_OVER and view.result.reason == "agreement"


@pytest.mark.parametrize("key", [None, "app"])
def test_a_seed_decides_the_deal(
    service: Service, app_service: Service, key: str | None
) -> None:
    server = app_service if key else service
    zoo = raw_env("ace-exorcist", server.address, api_key=server.keys[key] if key else None)

    def dealt(seed: int | None) -> bytes:
        zoo.reset(seed=seed)
        assert zoo._view(0).seq >= 4
        return b"".join(zoo.observe(agent)["observation"].tobytes() for agent in zoo.agents)

    assert dealt(1) == dealt(1) != dealt(2)
    assert len({dealt(1), dealt(2), dealt(None), dealt(None)}) == 4
    zoo.close()


def test_shapes_are_as_documented(make: Callable[..., raw_env]) -> None:
    assert ace_exorcist.AceExorcist({}).actions == 640
    assert ludus_magus.LudusMagus({}).actions == 4093
    for game_id in GAMES:
        zoo = make(game_id)
        zoo.reset(seed=1)
        for agent in zoo.agents:
            assert zoo.observation_space(agent).contains(zoo.observe(agent))
