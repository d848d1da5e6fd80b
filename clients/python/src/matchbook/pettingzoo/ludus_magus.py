"""Ludus Magus. Nothing is hidden, and both agents see the board from White's side.

A place has a number: 0 to 63 is the cell `8 * y + x`, 64 to 144 the point `64 + 9 * j + i`. Directions are
0 right, 1 up, 2 left, 3 down; corners 0 lower left, 1 lower right, 2 upper left, 3 upper right. The 4093
actions:

| actions | move |
|---|---|
| `12 * place + change` | the piece on the place goes by a change, see below |
| `1740 + 16 * place + 4 * first + second` | Terra's movement: a capture in one direction, then a step |
| `4060` | swap |
| `4061 + 4 * kind + direction` | conjure Aer, Aqua, Ignis or Terra (0 to 3) beside the own Magus |
| `4077 + 4 * corner + direction` | summon the Element at a corner of the own Magus to a place beside it |

The changes, steps to the right and up, are 0 to 11: (-2, 0), (-1, -1), (-1, 0), (-1, 1), (0, -2), (0, -1),
(0, 1), (0, 2), (1, -1), (1, 0), (1, 1), (2, 0).

An observation has the shape `(38, 9, 9)`. `[plane, y, x]` is a cell, and the last row and column are 0, or
`[plane, j, i]` a point:

| plane | 1 where |
|---|---|
| 0 to 7 | a cell holds a piece of the agent: Aer, Aqua, Ignis, Terra, Aether, Codex, Famulus, Magus |
| 8 to 15 | a cell holds a piece of the other agent |
| 16 to 31 | the same on points |
| 32, 33 | everywhere: the agent's mana, the other's, / 20, at most 1 |
| 34 | everywhere: the share of turns that are taken |
| 35 | everywhere: quiet turns / 100 |
| 36 | everywhere: occurrences of this position / 3 |
| 37 | everywhere: the agent is White |
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from matchbook.games.ludus_magus.v1 import ludus_magus_pb2 as magus_v1

from .. import LegalMove, Seat, v1
from .spaces import Array, GameSpaces, part

KINDS, POINTS_SIDE, CELLS_SIDE = 8, 9, 8
PLACES = CELLS_SIDE**2 + POINTS_SIDE**2
CHANGES = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if 1 <= abs(x) + abs(y) <= 2]
DIRECTIONS = [(1, 0), (0, 1), (-1, 0), (0, -1)]
TERRA = len(CHANGES) * PLACES
SWAP = TERRA + 16 * PLACES
CONJURE = SWAP + 1
SUMMON = CONJURE + 16

# A plane (0 cells, 1 points), and the place's coordinates to the right and up.
Place = tuple[int, int, int]


class LudusMagus(GameSpaces):
    """Observations and actions."""

    shape = (38, POINTS_SIDE, POINTS_SIDE)
    actions = SUMMON + 16

    def __init__(self, _: Mapping[str, Any]) -> None:
        pass

    def observe(self, view: v1.View, seat: int) -> Array:
        board = view.game_view.ludus_magus
        planes = np.zeros(self.shape, np.float32)
        for piece in board.pieces:
            plane, x, y = place(piece.place)
            is_other = piece.side - 1 != seat
            planes[2 * KINDS * plane + KINDS * is_other + piece.kind - 1, y, x] = 1
        mana = board.mana.white, board.mana.black
        planes[32], planes[33] = part(mana[seat], 20), part(mana[1 - seat], 20)
        planes[34] = part(board.turns_taken, board.max_turns)
        planes[35], planes[36] = part(board.quiet_turns, 100), part(board.occurrences, 3)
        planes[37] = seat == 0
        return planes

    def legal_actions(
        self, seat: Seat, view: v1.View, next_seed: Callable[[], int]
    ) -> Mapping[int, LegalMove]:
        moves = seat.legal_moves()
        magus = magus_of(view.game_view.ludus_magus, moves.seat)
        return {action(magus, move.move.ludus_magus): move for move in moves}


def place(message: magus_v1.Place) -> Place:
    """Returns a place."""
    if message.HasField("cell"):
        return 0, message.cell.x, message.cell.y
    return 1, message.point.i, message.point.j


def magus_of(board: magus_v1.View, seat: int) -> Place:
    """Returns where a seat's Magus stands."""
    side, kind = seat + 1, magus_v1.KIND_MAGUS
    return next(place(piece.place) for piece in board.pieces if (piece.side, piece.kind) == (side, kind))


def number(at: Place) -> int:
    """Returns the number of a place."""
    plane, x, y = at
    return POINTS_SIDE * y + x + CELLS_SIDE**2 if plane else CELLS_SIDE * y + x


def change(origin: Place, to: Place) -> tuple[int, int]:
    """Returns how far one place of a plane is from another."""
    return to[1] - origin[1], to[2] - origin[2]


def corner(magus: Place, at: Place) -> int:
    """Returns which corner of a Magus a place is; on the other plane."""
    # The cell (x, y) has the corners (x, y) to (x + 1, y + 1), the point (x, y) the cells (x - 1, y - 1) to
    # (x, y).
    low = 0 if magus[0] == 0 else -1
    x, y = change(magus, at)
    return 2 * (y - low) + (x - low)


def action(magus: Place, move: magus_v1.Move) -> int:
    """Returns the action of a legal move of the seat whose Magus is there."""
    match move.WhichOneof("action"):
        case "go":
            origin = place(move.go.origin)
            return len(CHANGES) * number(origin) + CHANGES.index(change(origin, place(move.go.to)))
        case "terra":
            origin, victim, to = place(move.terra.origin), place(move.terra.victim), place(move.terra.to)
            steps = 4 * direction(origin, victim) + direction(victim, to)
            return TERRA + 16 * number(origin) + steps
        case "conjure":
            kind = move.conjure.kind - magus_v1.KIND_AER
            return CONJURE + 4 * kind + direction(magus, place(move.conjure.to))
        case "summon":
            origin = place(move.summon.origin)
            return SUMMON + 4 * corner(magus, origin) + direction(magus, place(move.summon.to))
        case _:
            return SWAP


def direction(origin: Place, to: Place) -> int:
    """Returns the number of the direction of a step."""
    return DIRECTIONS.index(change(origin, to))
