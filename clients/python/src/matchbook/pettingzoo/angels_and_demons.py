"""Angels and Demons. Both agents choose in every turn; the second one does not see the first one's choice.

The action `i` chooses the black space number `i`, counted row by row from `1,1`: on the default board
32 actions, all of them legal in every turn. An observation has the shape `(5, rows, cols)`, where
`[plane, 0, 0]` is the space `1,1` for both agents:

| plane | 1 where |
|---|---|
| 0 | the agent covers the space |
| 1 | the other agent covers it |
| 2 | the agent has chosen it in this turn |
| 3 | the space is black |
| 4 | everywhere: the share of turns that are left, this one included |
"""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from matchbook.games.angels_and_demons.v1 import angels_and_demons_pb2 as angels_v1

from .. import LegalMove, Seat, v1
from .spaces import Array, GameSpaces, option

DEFAULT_SIZE = 8


class AngelsAndDemons(GameSpaces):
    """Observations and actions on a board of one size."""

    is_simultaneous = True

    def __init__(self, options: Mapping[str, Any]) -> None:
        rows, cols = option(options, "rows", DEFAULT_SIZE), option(options, "cols", DEFAULT_SIZE)
        self.shape = (5, rows, cols)
        spaces = itertools.product(range(1, rows + 1), range(1, cols + 1))
        black = [(row, col) for row, col in spaces if (row + col) % 2 == 0]
        self._action_of = {space: action for action, space in enumerate(black)}
        self.actions = len(black)

    def observe(self, view: v1.View, seat: int) -> Array:
        board = view.game_view.angels_and_demons
        planes = np.zeros(self.shape, np.float32)
        # Seat 0 has the angels.
        angel, demon = 2, 3
        own, other = (angel, demon) if seat == 0 else (demon, angel)
        covers = np.array([row.spaces for row in board.rows])
        planes[0] = covers == own
        planes[1] = covers == other
        if board.HasField("own_choice"):
            planes[2, board.own_choice.row - 1, board.own_choice.col - 1] = 1
        for row, col in self._action_of:
            planes[3, row - 1, col - 1] = 1
        is_over = view.status == v1.MATCH_STATUS_OVER
        planes[4] = 0 if is_over else (board.turns - board.turn + 1) / board.turns
        return planes

    def legal_actions(
        self, seat: Seat, view: v1.View, next_seed: Callable[[], int]
    ) -> Mapping[int, LegalMove]:
        # Every black space may be chosen in every turn (AD-4), so there is no need to ask.
        return {action: choice(space, view.seq) for space, action in self._action_of.items()}


def choice(space: tuple[int, int], seq: int) -> LegalMove:
    """Returns the choice of a space."""
    row, col = space
    move = v1.Move(angels_and_demons=angels_v1.Move(row=row, col=col))
    return LegalMove(f"{row},{col}", move, seq)
