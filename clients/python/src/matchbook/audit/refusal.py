"""Why a file is refused, in the words that both verifiers use."""

UNDECODABLE = "its public or sealed part is not the canonical encoding of an event of its kind"
UNKNOWN_SEAT = "it names no seat of the match"
OUT_OF_PLACE = "an event of its kind is not possible at this point"
TOO_MANY_ROTATIONS = "it replaces a seat's token more than 80 times"
WRONG_OPENING = "its opening does not fit the commitment"
MUST_NOT_OPEN = "a file must not open its sealed part"
NOT_TO_ACT = "it is not its seat's turn"
TOO_LATE = "its move comes after the seat's time and grace period"
WRONG_RESULT = "the match can't end with this result here"


class Refused(Exception):
    """A check failed."""

    def __init__(self, seq: int | None, check: str, reason: str) -> None:
        super().__init__(reason)
        self.seq, self.check, self.reason = seq, check, reason
