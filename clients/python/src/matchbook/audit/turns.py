"""Whose turn it can be, as far as that follows from who has moved, without the rules of the games."""

from collections.abc import Callable, Sequence
from enum import Enum

# From the seats of the moves in effect to those that may be to act.
Turns = Callable[[Sequence[int]], set[int]]


class Simultaneous(Enum):
    """Turns in which all seats choose."""

    SIMULTANEOUS = "simultaneous"


SIMULTANEOUS = Simultaneous.SIMULTANEOUS


def by_turns(movers: Sequence[int]) -> set[int]:
    """Ludus Magus: the options say who begins; then the seats alternate."""
    return {0, 1} if not movers else {1 - movers[-1]}


def after_a_choice(movers: Sequence[int]) -> set[int]:
    """Cresnovian Chess: seat 0 places, seat 1 chooses a kingdom and begins; then the seats alternate."""
    return {0} if not movers else {1} if len(movers) == 1 else {1 - len(movers) % 2}


def with_answers(movers: Sequence[int]) -> set[int]:
    """Ace Exorcist: seat 0 begins. Seat 1 moves after it, once or, after the answer to an attack, twice."""
    if not movers:
        return {0}
    if movers[-1] == 0:
        return {1}
    return {0} if movers[-2] == 1 else {0, 1}


# The games and rules versions whose turns are known here.
TURNS: dict[tuple[str, int], Turns | Simultaneous] = {
    ("ace-exorcist", 1): with_answers,
    ("angels-and-demons", 1): SIMULTANEOUS,
    ("cresnovian-chess", 1): after_a_choice,
    ("ludus-magus", 1): by_turns,
}
