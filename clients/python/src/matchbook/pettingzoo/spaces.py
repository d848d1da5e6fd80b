"""What an environment needs to know of a game: its observations and its actions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import LegalMove, Seat, v1

Array = npt.NDArray[np.float32]


class GameSpaces(ABC):
    """Observations and actions of a game with certain options."""

    has_chance = False
    """Whether equal moves can lead to other positions in another match."""
    is_simultaneous = False
    """Whether both seats move in every turn."""

    shape: tuple[int, ...]
    """Shape of an observation, whose values are from 0 to 1."""
    actions: int
    """Number of actions, legal or not: they are numbered from 0."""

    @abstractmethod
    def observe(self, view: v1.View, seat: int) -> Array:
        """Returns what a seat observes in its own view of a match that has started."""

    @abstractmethod
    def legal_actions(
        self, seat: Seat, view: v1.View, next_seed: Callable[[], int]
    ) -> Mapping[int, LegalMove]:
        """Returns the legal moves of a seat that is to act, by their actions.

        `next_seed` returns a new seed for a suggestion, the same ones in a match with the same seed.
        """


def option(options: Mapping[str, Any], name: str, default: int) -> int:
    """Returns an option of a game, which the service checks when a match is created."""
    return int(options.get(name, default))


def part(total: int, of: int) -> float:
    """Returns how much a number is of the most that is told apart: from 0 to 1."""
    return min(total, of) / of
