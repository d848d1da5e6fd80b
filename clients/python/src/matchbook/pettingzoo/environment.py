"""The environments."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypedDict, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import aec_to_parallel

from .. import LegalMove, Matchbook, Seat, v1
from . import matches
from .ace_exorcist import AceExorcist
from .angels_and_demons import AngelsAndDemons
from .cresnovian_chess import CresnovianChess
from .drawing import draw
from .ludus_magus import LudusMagus
from .spaces import Array, GameSpaces

GAMES: dict[str, Callable[[Mapping[str, Any]], GameSpaces]] = {
    "ace-exorcist": AceExorcist,
    "angels-and-demons": AngelsAndDemons,
    "cresnovian-chess": CresnovianChess,
    "ludus-magus": LudusMagus,
}
RENDER_MODES = ("human", "ansi", "svg")


class Observation(TypedDict):
    """What an agent observes."""

    observation: Array
    """The position, from 0 to 1, in the shape of the game."""
    action_mask: npt.NDArray[np.int8]
    """1 for each legal action; all 0 unless the agent is to act."""


class raw_env(AECEnv[str, Observation, int]):  # noqa: N801: PettingZoo's name
    """An environment without PettingZoo's wrappers; see `env`."""

    metadata: dict[str, Any] = {
        "name": "matchbook_v0", "render_modes": list(RENDER_MODES), "render_fps": 1
    }  # fmt: skip

    def __init__(
        self,
        game_id: str,
        server: str = "http://127.0.0.1:7420",
        *,
        options: Mapping[str, Any] | None = None,
        api_key: str | None = None,
        ca_file: str | Path | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if game_id not in GAMES:
            raise ValueError(f"there are no spaces for the game {game_id!r}; known are {', '.join(GAMES)}")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"unknown render mode {render_mode!r}; known are {', '.join(RENDER_MODES)}")
        super().__init__()  # type: ignore[no-untyped-call]
        self._client = Matchbook(server, api_key=api_key, ca_file=ca_file)
        self._ca_file = ca_file
        self._game_id, self._options = game_id, dict(options or {})
        self._game = GAMES[game_id](self._options)
        self.metadata = {**self.metadata, "is_parallelizable": self._game.is_simultaneous}
        self.max_cycles, self.render_mode = max_cycles, render_mode
        self.possible_agents = list(matches.NAMES)
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self._action_space() for agent in self.possible_agents}
        self._seats: list[Seat] = []
        self._is_running = False

    def _observation_space(self) -> spaces.Space[Observation]:
        position = spaces.Box(0, 1, self._game.shape, np.float32)
        mask = spaces.Box(0, 1, (self._game.actions,), np.int8)
        return cast(
            spaces.Space[Observation], spaces.Dict({"observation": position, "action_mask": mask})
        )

    def _action_space(self) -> spaces.Space[int]:
        return cast(spaces.Space[int], spaces.Discrete(self._game.actions))

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Returns the space of an agent's observations; both agents have equal ones."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[int]:
        """Returns the space of an agent's actions; both agents have equal ones."""
        return self.action_spaces[agent]

    @property
    def match_id(self) -> str:
        """ID of the match that is being played."""
        return self._seats[0].match_id

    def notation(self, action: int) -> str:
        """Returns a legal action of the agent to act in the game's notation."""
        return self._legal(self._seat(self.agent_selection))[action].notation

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new match. A match that was not over ends in a draw.

        After the same seed, the same actions lead to the same observations and rewards, on one service. Where
        a game has chance, such a match is a fork of a match that is over, so its deal is no secret on the
        service; without a seed it is. There are no `options`: the argument has no effect.
        """
        self._end_match()
        self._random = random.Random(seed)
        chance_seed = seed if self._game.has_chance else None
        self._seats = matches.begin(self._client, self._game_id, self._options, chance_seed)
        self._is_running = True
        started = self._seats[-1].info
        assert started is not None
        # A replica of the service that is behind must catch up with this event.
        self._seq = started.head_seq
        self._views: dict[int, v1.View] = {}
        self._legal_actions: Mapping[int, LegalMove] | None = None
        self._moves_made = dict.fromkeys(range(len(self._seats)), 0)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._view(0).to_act[0]]

    def observe(self, agent: str) -> Observation:
        """Returns what an agent observes, from its own seat's view."""
        seat = self._seat(agent)
        view = self._view(seat)
        mask = np.zeros(self._game.actions, np.int8)
        if seat in view.to_act and agent == self.agent_selection and not self._is_done(agent):
            mask[list(self._legal(seat))] = 1
        return {"observation": self._game.observe(view, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Makes the move of an action, which must be legal; `None` for an agent that is done."""
        agent = self.agent_selection
        if self._is_done(agent):
            self._was_dead_step(cast(int, action))
            return
        seat = self._seat(agent)
        move = self._legal(seat).get(-1 if action is None else int(action))
        if move is None:
            raise ValueError(f"the action {action} is not legal; choose one that action_mask has")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        view = self._seats[seat].play(move).view
        self._moves_made[seat] += 1
        self._views, self._legal_actions, self._seq = {seat: view}, None, view.seq
        self._go_on(view)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self, view: v1.View) -> None:
        """Selects the next agent, or ends the match."""
        if view.status == v1.MATCH_STATUS_OVER:
            self._is_running = False
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards |= rewards(view.result)
            self.agent_selection = self.possible_agents[1 - self._seat(self.agent_selection)]
            return
        self.agent_selection = self.possible_agents[view.to_act[0]]
        if self._moves_made[view.to_act[0]] == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """Draws the position as a spectator sees it: as text, or in the mode `svg` as a picture.

        In the mode `human` it prints the text and returns nothing.
        """
        form = "svg" if self.render_mode == "svg" else "txt"
        drawn = draw(self._client.server, self.match_id, form, self._ca_file)
        if self.render_mode == "human":
            print(drawn)
            return None
        return drawn

    def close(self) -> None:
        """Ends a match that is not over as a draw, and closes the connection."""
        try:
            self._end_match()
        finally:
            self._client.close()

    def _end_match(self) -> None:
        if self._is_running:
            self._is_running = False
            matches.end(self._seats)

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _is_done(self, agent: str) -> bool:
        return self.terminations.get(agent, True) or self.truncations.get(agent, True)

    def _view(self, seat: int) -> v1.View:
        """Returns a seat's own view, which is read once per position."""
        if seat not in self._views:
            self._views[seat] = self._seats[seat].view(min_seq=self._seq)
        return self._views[seat]

    def _legal(self, seat: int) -> Mapping[int, LegalMove]:
        """Returns the legal actions of the seat that is to act, which are read once per position."""
        if self._legal_actions is None:
            view = self._view(seat)
            self._legal_actions = self._game.legal_actions(self._seats[seat], view, self._next_seed)
        return self._legal_actions

    def _next_seed(self) -> int:
        return self._random.getrandbits(63)


def rewards(result: v1.MatchResult) -> dict[str, float]:
    """Returns each agent's reward for a result; nobody is rewarded in a void match."""
    ranks = [standing.rank for standing in result.standings]
    return {
        matches.NAMES[seat]: sum((rank < other) - (other < rank) for other in ranks) / (len(ranks) - 1)
        for seat, rank in enumerate(ranks)
    }


def env(
    game_id: str, server: str = "http://127.0.0.1:7420", **arguments: Any
) -> AECEnv[str, Observation, int]:
    """Returns an environment for a game at a service, with PettingZoo's usual wrappers.

    `options` are the options of all matches, `max_cycles` truncates when an agent that has made so many moves
    is to act again, and `render_mode` is `human`, `ansi` (text) or `svg`. `api_key` and `ca_file` are those
    of `Matchbook`. An illegal action ends the environment with a reward of -1 for its agent. The spaces are
    described at `matchbook.pettingzoo` and at the module of each game.

    >>> zoo = env("angels-and-demons", server, options={"rows": 3, "cols": 3, "turns": 2})
    >>> zoo.reset(seed=1)
    >>> zoo.observe("player_0")["observation"].shape
    (5, 3, 3)
    >>> for agent in zoo.agent_iter():
    ...     observation, reward, termination, truncation, info = zoo.last()
    ...     is_over = termination or truncation
    ...     action = None if is_over else zoo.action_space(agent).sample(observation["action_mask"])
    ...     zoo.step(action)
    >>> zoo.close()
    """
    wrapped: Any = raw_env(game_id, server, **arguments)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def parallel_env(
    game_id: str, server: str = "http://127.0.0.1:7420", **arguments: Any
) -> ParallelEnv[str, Observation, int]:
    """Returns an environment in which all agents act at once, for games with simultaneous turns alone."""
    alternating = env(game_id, server, **arguments)
    if not alternating.metadata["is_parallelizable"]:
        raise ValueError(f"{game_id} has no simultaneous turns; use env")
    return aec_to_parallel(alternating)
