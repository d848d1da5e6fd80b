"""Ace Exorcist. The Exorcist moves twice in a row where it answers an attack and then begins its turn.

A move is a kind and a set of cards in the own hand, so the action is `64 * kind + cards`, where bit `i` of
`cards` stands for card `i` of the hand, in the order of the observation:

| kind | move | | kind | move |
|---|---|---|---|---|
| 0 | ritual | | 5 | banish the first card of the Ritual Space |
| 1 | attack | | 6 | banish the second one |
| 2 | trade | | 7 | assault |
| 3 | take the hit | | 8 | heal |
| 4 | guard: the lower card low, the higher one high | | 9 | pass |

An observation has the shape `(406,)`. A card takes 16 numbers: 1 at its suit (0 to 5: Blood, Blade, Flame,
Bell, Book, Candle) and at 6 plus its value less 1; a place without a card is all 0. A set of cards takes 60:
1 at ten times its suit plus its value less 1.

| indices | what |
|---|---|
| 0 to 95 | the six places of the own hand |
| 96 to 143 | the three places of the Ritual Space |
| 144 to 239 | the attack to answer, at most six cards |
| 240 to 299 | both discard piles |
| 300 to 305 | hit points / 60, hand size / 6, stack size / 30: the own ones, then the other's |
| 306 to 321 | the Summoner's top card, while it is known |
| 322 to 338 | the latest assault: its strength / 55, then the card it put back |
| 339 to 398 | the cards that it took |
| 399, 400 | whether the agent is the Summoner, the Exorcist |
| 401, 402 | whether the match is over, whether there was an assault |
| 403 to 405 | cards in the Ritual Space / 3, in the attack / 6, in both discard piles / 60 |

The hand of the other seat and both stacks are in no observation, also where a match shows them to all.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from matchbook.games.ace_exorcist.v1 import ace_exorcist_pb2 as cards_v1

from .. import LegalMove, Seat, v1
from .spaces import Array, GameSpaces, part

HAND, RITUAL, SUITS, VALUES = 6, 3, 6, 10
CARD, SET = SUITS + VALUES, SUITS * VALUES
SUBSETS = 1 << HAND
# Kinds of moves, in the order of their actions; `banish` takes two numbers.
RITUAL_KIND, ATTACK, TRADE, TAKE_HIT, GUARD, BANISH, ASSAULT, HEAL, PASS = 0, 1, 2, 3, 4, 5, 7, 8, 9
MAX_STRENGTH = sum(range(1, VALUES + 1))

Cards = Iterable[cards_v1.Card]


class AceExorcist(GameSpaces):
    """Observations and actions."""

    has_chance = True
    shape = (406,)
    actions = SUBSETS * (PASS + 1)

    def __init__(self, _: Mapping[str, Any]) -> None:
        pass

    def observe(self, view: v1.View, seat: int) -> Array:
        table = view.game_view.ace_exorcist
        own, other = holdings(table, seat)
        assault = table.latest_assault
        discards = [*table.summoner.discards, *table.exorcist.discards]
        facts = (
            view.status == v1.MATCH_STATUS_OVER,
            table.HasField("latest_assault"),
            part(len(table.ritual), RITUAL),
            part(len(table.attack), HAND),
            part(len(discards), SET),
        )
        return np.concatenate([
            row(own.hand.cards, HAND),
            row(table.ritual, RITUAL),
            row(table.attack, HAND),
            card_set(discards),
            numbers(*counts(own), *counts(other)),
            row([table.summoner.known_top] if table.summoner.HasField("known_top") else [], 1),
            numbers(part(assault.strength, MAX_STRENGTH)),
            row([assault.put_back] if assault.HasField("put_back") else [], 1),
            card_set(assault.taken),
            numbers(seat == 0, seat == 1),
            numbers(*facts),
        ])  # fmt: skip

    def legal_actions(
        self, seat: Seat, view: v1.View, next_seed: Callable[[], int]
    ) -> Mapping[int, LegalMove]:
        moves = seat.legal_moves()
        table = view.game_view.ace_exorcist
        return {action(table, moves.seat, move.move.ace_exorcist): move for move in moves}


def holdings(table: cards_v1.View, seat: int) -> tuple[cards_v1.Holding, cards_v1.Holding]:
    """Returns what a seat and the other seat have."""
    both = table.summoner, table.exorcist
    return both[seat], both[1 - seat]


def counts(holding: cards_v1.Holding) -> tuple[float, ...]:
    """Returns the public numbers of a seat."""
    return part(holding.hit_points, 60), part(holding.hand_size, HAND), part(holding.stack_size, 30)


def numbers(*values: float) -> Array:
    """Returns numbers as an array."""
    return np.array(values, np.float32)


def row(cards: Cards, places: int) -> Array:
    """Returns cards in order, each in a place of its own."""
    encoded = np.zeros((places, CARD), np.float32)
    for place, card in enumerate(cards):
        encoded[place, card.suit - 1] = 1
        encoded[place, SUITS + card.value - 1] = 1
    return encoded.ravel()


def card_set(cards: Cards) -> Array:
    """Returns cards as a set."""
    encoded = np.zeros(SET, np.float32)
    for card in cards:
        encoded[VALUES * (card.suit - 1) + card.value - 1] = 1
    return encoded


def action(table: cards_v1.View, seat: int, move: cards_v1.Move) -> int:
    """Returns the action of a legal move."""
    kind, cards = kind_and_cards(table, move)
    hand = list(holdings(table, seat)[0].hand.cards)
    places = [hand.index(card) for card in cards]
    return SUBSETS * kind + sum(1 << place for place in places)


def kind_and_cards(table: cards_v1.View, move: cards_v1.Move) -> tuple[int, Cards]:
    """Returns the number of a move's kind, and the cards that it plays from the hand."""
    match move.WhichOneof("kind"):
        case "ritual":
            return RITUAL_KIND, [move.ritual.card]
        case "attack":
            return ATTACK, move.attack.cards
        case "trade":
            return TRADE, move.trade.cards
        case "take_hit":
            return TAKE_HIT, []
        case "guard":
            # An end without a guard is a card without a suit.
            return GUARD, [card for card in (move.guard.low, move.guard.high) if card.suit]
        case "banish":
            return BANISH + list(table.ritual).index(move.banish.ritual), move.banish.flush
        case "assault":
            return ASSAULT, move.assault.flush
        case "heal":
            return HEAL, move.heal.cards
        case _:
            return PASS, []
