"""Proposals, their answers, and the moves that a takeback can take back."""

from dataclasses import dataclass, field

from .clocks import Clocks

# The kinds of proposals.
DRAW, TAKEBACK = 1, 2

# Games with secrets, chance or simultaneous turns, in which no move is taken back.
GAMES_WITHOUT_TAKEBACKS = {"ace-exorcist", "angels-and-demons"}
# How many of the newest moves can be taken back, and how many takebacks a match may have.
TAKEBACK_MOVES, MAX_TAKEBACKS = 8, 100


@dataclass
class Proposals:
    """The proposals and recent moves of a match."""

    forbids_takebacks: bool
    # The proposals since the last move of their seat, by kind and seat: whether each is still open.
    made: dict[tuple[int, int], bool] = field(default_factory=dict)
    # The newest moves in effect: who made each, and the clocks right after it.
    recent: list[tuple[int, Clocks | None]] = field(default_factory=list)
    takebacks: int = 0

    def move(self, seat: int, clocks: Clocks | None) -> None:
        """Records a move, with which the proposals of its seat lapse."""
        self.withdraw(seat)
        self.recent = [*self.recent, (seat, clocks)][-TAKEBACK_MOVES:]

    def withdraw(self, seat: int) -> None:
        """Forgets the proposals of a seat that moves."""
        self.made = {key: is_open for key, is_open in self.made.items() if key[1] != seat}

    def open(self, kind: int) -> int | None:
        """Returns the seat whose proposal of a kind is open, if there is one."""
        return next((seat for (at, seat), is_open in self.made.items() if at == kind and is_open), None)

    def propose(self, seat: int, kind: int) -> bool:
        """Records a proposal. Returns whether its seat may make it."""
        if (kind, seat) in self.made or self.open(kind) is not None:
            return False
        if kind == TAKEBACK and not self.may_take_back(seat):
            return False
        self.made[kind, seat] = True
        return True

    def may_answer(self, seat: int, kind: int) -> bool:
        """Returns whether a seat may answer a proposal, which another seat must have made."""
        return self.open(kind) not in (None, seat)

    def decline(self, kind: int) -> None:
        """Records that the open proposal is declined."""
        proposer = self.open(kind)
        if proposer is not None:
            self.made[kind, proposer] = False

    def take_back(self) -> tuple[int, Clocks | None] | None:
        """Takes back moves as proposed. Returns their number and the clocks after the first, or None."""
        proposer = self.open(TAKEBACK)
        if proposer not in [seat for seat, _ in self.recent]:
            return None
        self.takebacks += 1
        self.made = {}
        count = 0
        while True:
            seat, clocks = self.recent.pop()
            count += 1
            if seat == proposer:
                return count, clocks

    def may_take_back(self, seat: int) -> bool:
        """Returns whether a seat has a move that can be taken back."""
        allowed = not self.forbids_takebacks and self.takebacks < MAX_TAKEBACKS
        return allowed and seat in [mover for mover, _ in self.recent]
