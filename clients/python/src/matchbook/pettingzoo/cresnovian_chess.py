"""Sticky Cresnovian Chess, which has more moves than a space of actions can have.

The actions 0 to 2047 are the legal moves that the service lists, in its order; where it lists more, every
`n / 2048`-th of them. In most positions there are fewer than 300. It does not list the families that are too
large: the placement, documents, and sometimes Flock Together, Redefinition, Propaganda, Tectonic Failure and
the destruction of monuments. Where a family is missing, the actions 2048 to 2051 are moves that the service
draws at random from all legal ones, as far as they are not listed. So an action means another move in
another position (`raw_env.notation` tells it), and **cut** are the moves of these families that were not
drawn, and listed ones beyond 2048. A single listed move beside missing families is drawn or cut too. Equal
seeds draw equal moves.

An observation has the shape `(834,)`. Squares are numbered row by row, `9 * (row - 1) + col - 1`, and pieces
and umbrations 0 to 8: Essence, Duality, Cosmos, Velocity, Radiance, Corporeality, Innervation, Caprice,
Cognizance. Of the poem there is only its length.

| indices | what |
|---|---|
| `60 * piece` | for each piece its square (27), its home (27), Q / 9, and five flags: |
| `60 * piece + 55` | whether it is broken, eternal, locked, not to travel or to perform after a rewind |
| `540 + 9 * square` | for each square the umbration of its monument |
| 783 to 809 | the square of the word |
| 810 to 812 | the phase: placing, choosing, playing |
| 813 to 815 | whether the agent has the Left Kingdom, the Right Kingdom; whether it is Player One |
| 816 to 818 | total Q of the agent's kingdom and of the other / 81; the share of turns taken |
| 819 | whether a rewind forbids to document |
| 820 to 823 | the last turn: travel, perform, document, pass |
| 824 to 832 | the piece that traveled or performed in it |
| 833 | words of the poem / 180, at most 1 |
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from matchbook.games.cresnovian_chess.v1 import cresnovian_chess_pb2 as chess_v1
from matchbook.games.cresnovian_chess.v1 import field_pb2 as field_v1

from .. import LegalMove, Seat, v1
from .spaces import Array, GameSpaces, part

LISTED, SAMPLED = 2048, 4
# The most moves that are read from the service for one position.
LIMIT = 20_000
PIECES, SQUARES, PHASES = 9, 27, 3
DEEDS = ("travel", "perform", "document", "pass_turn")


class CresnovianChess(GameSpaces):
    """Observations and actions."""

    shape = (834,)
    actions = LISTED + SAMPLED

    def __init__(self, _: Mapping[str, Any]) -> None:
        pass

    def observe(self, view: v1.View, seat: int) -> Array:
        position = view.game_view.cresnovian_chess
        return np.concatenate([
            pieces(position).ravel(),
            monuments(position.field).ravel(),
            one_of(SQUARES, square(position.field.word.square) if position.field.HasField("word") else None),
            one_of(PHASES, position.phase - 1),
            numbers(*kingdom(position, seat), seat == 0),
            numbers(*totals(position, seat), part(position.turns_taken, position.max_turns)),
            numbers(position.forbidden.WhichOneof("deed") == "document"),
            last_turn(position.undo.deed),
            numbers(part(position.poem.word_count, 180)),
        ])  # fmt: skip

    def legal_actions(
        self, seat: Seat, view: v1.View, next_seed: Callable[[], int]
    ) -> Mapping[int, LegalMove]:
        moves = seat.legal_moves(limit=LIMIT)
        # Where no move can be listed there is one nevertheless, and in each match another one.
        is_listed = len(moves) > 1 or not moves.unlisted_families
        listed = [moves[i] for i in evenly(len(moves))] if is_listed else []
        actions = dict(enumerate(listed))
        if moves.unlisted_families:
            known = set(moves.notations) if is_listed else set[str]()
            drawn = [seat.suggest(seed=next_seed()) for _ in range(SAMPLED)]
            unlisted = {move.notation: move for move in drawn if move.notation not in known}
            actions |= enumerate(unlisted.values(), start=LISTED)
        return actions


def evenly(count: int) -> list[int]:
    """Returns the indices of the moves that have an action, of a list of so many."""
    return list(range(count)) if count <= LISTED else [i * count // LISTED for i in range(LISTED)]


def numbers(*values: float) -> Array:
    """Returns numbers as an array."""
    return np.array(values, np.float32)


def one_of(count: int, index: int | None) -> Array:
    """Returns numbers that are 0 except for one."""
    encoded = np.zeros(count, np.float32)
    if index is not None:
        encoded[index] = 1
    return encoded


def square(message: field_v1.Square) -> int:
    """Returns the number of a square."""
    return 9 * (message.row - 1) + message.col - 1


def pieces(position: chess_v1.View) -> Array:
    """Returns the pieces."""
    encoded = np.zeros((PIECES, 60), np.float32)
    for piece in position.field.pieces:
        of = encoded[piece.umbration - 1]
        of[square(piece.square)] = of[SQUARES + square(piece.home)] = 1
        of[54] = part(piece.condition.q, 9)
        of[55] = piece.condition.status == field_v1.STATUS_BROKEN
        of[56] = piece.condition.status == field_v1.STATUS_ETERNAL
    if position.HasField("locked"):
        encoded[position.locked - 1, 57] = 1
    forbidden = position.forbidden
    if forbidden.HasField("travel"):
        encoded[forbidden.travel - 1, 58] = 1
    if forbidden.HasField("perform"):
        encoded[forbidden.perform - 1, 59] = 1
    return encoded


def monuments(field: field_v1.Field) -> Array:
    """Returns the monuments by square."""
    encoded = np.zeros((SQUARES, PIECES), np.float32)
    for monument in field.monuments:
        encoded[square(monument.square), monument.umbration - 1] = 1
    return encoded


def kingdom(position: chess_v1.View, seat: int) -> tuple[float, float]:
    """Returns whether a seat has the left and the right kingdom; neither before the choice."""
    if not position.HasField("player_two_kingdom"):
        return 0, 0
    has_left = (position.player_two_kingdom == field_v1.KINGDOM_LEFT) == (seat == 1)
    return has_left, not has_left


def totals(position: chess_v1.View, seat: int) -> tuple[float, float]:
    """Returns the Q in a seat's kingdom and in the other one."""
    both = part(position.player_one_q, 81), part(position.player_two_q, 81)
    return both[seat], both[1 - seat]


def last_turn(deed: field_v1.Deed) -> Array:
    """Returns the kind of the last turn, and its piece."""
    name = deed.WhichOneof("deed")
    kind = None if name is None else DEEDS.index(name)
    piece = {"travel": deed.travel - 1, "perform": deed.perform - 1}.get(name or "")
    return np.concatenate([one_of(len(DEEDS), kind), one_of(PIECES, piece)])
