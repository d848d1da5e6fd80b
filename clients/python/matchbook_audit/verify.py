"""Verification of a file: all steps of docs/audit.md except for the rules of the games."""

import base64
import hashlib
import re
import struct
from dataclasses import dataclass, field

from . import deal, note, protobuf
from .kinds import KINDS
from .protobuf import LENGTH, VARINT

GAMES_OF_CHANCE = {"ace-exorcist"}
# The rules versions whose deal this program knows.
KNOWN_DEALS = {("ace-exorcist", 1)}

# The numbers of seats by which a game is played, as far as this program knows games.
SEATS_OF_GAMES = {
    "ace-exorcist": (2,),
    "angels-and-demons": (2,),
    "cresnovian-chess": (2,),
    "ludus-magus": (2,),
}
# The numbers of seats that a match of any game can have.
SEATS = tuple(range(1, 9))

# The outcome of a match that was called off.
NO_OUTCOME = 3

# The generation of a seat's last token: the first one and 80 rotations.
MAX_GENERATION = 81

# The kinds of proposals.
DRAW, TAKEBACK = 1, 2

# Games with secrets, chance or simultaneous turns, in which no move is taken back.
GAMES_WITHOUT_TAKEBACKS = {"ace-exorcist", "angels-and-demons"}
# How many of the newest moves can be taken back, and how many takebacks a match may have.
TAKEBACK_MOVES, MAX_TAKEBACKS = 8, 100


class Refused(Exception):
    """A check failed."""

    def __init__(self, seq, check, reason):
        super().__init__(reason)
        self.seq, self.check, self.reason = seq, check, reason


@dataclass
class Report:
    """A report on a file."""

    verdict: str = "verified"
    game: str | None = None
    rules_version: int | None = None
    seq: int | None = None
    check: str | None = None
    reason: str | None = None
    head: str | None = None
    seed: str | None = None
    hands: list | None = None
    remarks: list = field(default_factory=list)


@dataclass
class Progress:
    """The progress of a match, event by event."""

    stage: str = "empty"
    # The number of the match's seats.
    seats: int = 0
    claimed: dict = field(default_factory=dict)
    # The generation of each claimed seat's newest token.
    generations: dict = field(default_factory=dict)
    chosen: dict = field(default_factory=dict)
    # The proposals since the last move of their seat, by kind and seat: whether each is still open.
    proposals: dict = field(default_factory=dict)
    # The seats that made the newest moves in effect, as many as can be taken back.
    moves: list = field(default_factory=list)
    takebacks: int = 0
    forbids_takebacks: bool = False
    server: bytes | None = None
    first: dict = field(default_factory=dict)
    chained: bytes = bytes(32)
    time: int | None = None


def verify(log, keys, receipts=()):
    """Verifies a parsed file against the keys that are known to be the service's."""
    report = Report(game=log.game, rules_version=log.rules_version)
    try:
        progress = Progress()
        if not log.events:
            raise Refused(None, "structure", "there are no events")
        for expected, event in enumerate(log.events, 1):
            check_event(log, event, expected, progress)
        check_deal(log, progress, report)
        check_signature(log, keys)
        check_receipts(log, receipts)
    except Refused as refused:
        report.verdict = "refused"
        report.seq, report.check, report.reason = refused.seq, refused.check, refused.reason
        return report
    report.head = log.events[-1].hash.hex()
    sealed = [event.seq for event in progress.chosen.values() if not event.opened]
    report.remarks += [f"the choice of event {seq} is sealed" for seq in sealed]
    if not keys:
        report.verdict = "key_unknown"
    elif progress.stage != "over":
        report.verdict = "incomplete"
    return report


def check_event(log, event, expected, progress):
    """Checks an event's number, time, hash, kind and openings."""
    if event.seq != expected:
        raise Refused(event.seq, "structure", f"expected event {expected} here")
    if progress.time is not None and event.time <= progress.time:
        raise Refused(event.seq, "times", "its record time is not after the previous event's")
    if chain_hash(log, event, progress.chained) != event.hash:
        raise Refused(event.seq, "chain", "its hash does not fit its contents and the previous hash")
    progress.chained, progress.time = event.hash, event.time
    kind = KINDS.get(event.kind)
    if kind is None or (kind.sealed is not None) != (event.commitment is not None):
        reason = "its kind is unknown, or its sealed part is missing or unexpected"
        raise Refused(event.seq, "structure", reason)
    if event.opened is not None and not kind.disclosed:
        raise Refused(event.seq, "commitments", "a file must not open this event")
    if event.opened is not None and not opens(event.opened, event.commitment):
        raise Refused(event.seq, "commitments", "its opening does not fit the commitment")
    try:
        step(log, event, kind, progress)
    except (protobuf.BadMessage, UnicodeDecodeError) as error:
        raise Refused(event.seq, "structure", f"it can't be decoded: {error}") from None


def chain_hash(log, event, previous):
    """Computes the hash that an event must have."""
    data = b"matchbook.event.v1\0" + previous + log.match_id.bytes
    data += struct.pack(">IHq", event.seq, event.kind, event.time)
    data += hashlib.sha256(event.public).digest() + (event.commitment or bytes(32))
    return hashlib.sha256(data).digest()


def opens(opened, commitment):
    """Returns whether bytes open a commitment."""
    return len(opened) >= 32 and hashlib.sha256(opened).digest() == commitment


def step(log, event, kind, progress):
    """Checks that an event is possible at this point, and what it opens."""
    fits = progress.stage in kind.stages
    name = kind.name
    if name in ("created", "forked"):
        begin(log, event, progress)
    elif name == "claimed":
        fields = protobuf.read(event.public, entropy=(2, LENGTH, b""))
        seat = seat_of(event, progress)
        fits = fits and seat not in progress.claimed and len(fields["entropy"]) <= 64
        progress.claimed[seat] = fields["entropy"]
        progress.generations[seat] = 1
    elif name == "rotated":
        fits = fits and rotate(event, progress)
    elif name == "started":
        fits = fits and len(progress.claimed) == progress.seats
        progress.stage = "running"
    elif name == "sealed":
        seat = seat_of(event, progress)
        fits = fits and seat not in progress.chosen
        progress.chosen[seat] = event
        withdraw(progress, seat)
    elif name == "made":
        seat = seat_of(event, progress)
        withdraw(progress, seat)
        progress.moves = [*progress.moves, seat][-TAKEBACK_MOVES:]
    elif name == "proposed":
        fits = fits and propose(event, progress)
    elif name == "answered":
        fits = fits and answer(event, progress)
    elif name == "revealed":
        fits = fits and len(progress.chosen) == progress.seats
        if fits:
            reveal(event, progress)
    elif name == "ended":
        end(log, event, progress)
    else:
        # Any other event is an act of a seat, which must be claimed.
        fits = fits and seat_of(event, progress) in progress.claimed
    if kind.sealed == "player" and event.opened is not None:
        protobuf.read(event.opened[32:], name=(1, LENGTH, b""))["name"].decode()
    if not fits:
        raise Refused(event.seq, "structure", "an event of its kind is not possible at this point")


def rotate(event, progress):
    """Records a seat's next token. Returns whether it has the next generation, and may have it."""
    seat = seat_of(event, progress)
    generation = protobuf.read(event.public, generation=(2, VARINT, 0))["generation"]
    expected = progress.generations.get(seat, MAX_GENERATION) + 1
    progress.generations[seat] = generation
    return generation == expected <= MAX_GENERATION


def withdraw(progress, seat):
    """Forgets the proposals of a seat that moves."""
    progress.proposals = {key: is_open for key, is_open in progress.proposals.items() if key[1] != seat}


def open_proposal(progress, kind):
    """Returns the seat whose proposal of a kind is open, if there is one."""
    return next((seat for (at, seat), is_open in progress.proposals.items() if at == kind and is_open), None)


def propose(event, progress):
    """Records a proposal. Returns whether its seat may make it."""
    seat, kind = seat_of(event, progress), proposal_kind(event)
    if (kind, seat) in progress.proposals or open_proposal(progress, kind) is not None:
        return False
    if kind == TAKEBACK and not may_take_back(progress, seat):
        return False
    progress.proposals[kind, seat] = True
    return True


def answer(event, progress):
    """Records an answer. Returns whether there is a proposal that it can answer."""
    seat, kind = seat_of(event, progress), proposal_kind(event)
    proposer = open_proposal(progress, kind)
    fields = protobuf.read(event.public, accepted=(3, VARINT, 0), digest=(4, LENGTH, b""))
    takes_back = bool(fields["accepted"]) and kind == TAKEBACK
    # The end of the match accepts a draw, not this event.
    if proposer in (None, seat) or (fields["accepted"] and not takes_back):
        return False
    if len(fields["digest"]) != (32 if takes_back else 0):
        raise Refused(event.seq, "structure", "its digest is missing or unexpected")
    if takes_back:
        if proposer not in progress.moves:
            return False
        while progress.moves.pop() != proposer:
            pass
        progress.takebacks += 1
        progress.proposals = {}
    else:
        progress.proposals[kind, proposer] = False
    return True


def may_take_back(progress, seat):
    """Returns whether a seat has a move that can be taken back."""
    allowed = not progress.forbids_takebacks and progress.takebacks < MAX_TAKEBACKS
    return allowed and seat in progress.moves


def proposal_kind(event):
    """Returns what a proposal or an answer is about."""
    kind = protobuf.read(event.public, kind=(2, VARINT, 0))["kind"]
    if kind not in (DRAW, TAKEBACK):
        raise Refused(event.seq, "structure", "there is no such kind of proposal")
    return kind


def seat_of(event, progress, message=None, field=1):
    """Returns the seat that a message of an event names, which it must; by default the event itself."""
    data = event.public if message is None else message
    number = protobuf.read(data, seat=(field, VARINT, None))["seat"]
    # A reader of `uint32` keeps the lower 32 bits.
    if number is None or number % 2**32 >= progress.seats:
        raise Refused(event.seq, "structure", "it names no seat of the match")
    return number % 2**32


def begin(log, event, progress):
    """Checks the first event against the header."""
    progress.stage = "open"
    progress.first = protobuf.read(event.public, terms=(1, LENGTH, b""), setup_seed=(5, LENGTH, b""))
    if len(progress.first["setup_seed"]) not in (0, 32):
        raise Refused(event.seq, "structure", "its setup seed must have 32 bytes")
    terms = protobuf.read(
        progress.first["terms"],
        game_id=(1, LENGTH, b""),
        rules_version=(2, VARINT, 0),
        seats=(4, VARINT, 0),
        forbid_takebacks=(7, VARINT, 0),
    )
    progress.forbids_takebacks = bool(terms["forbid_takebacks"]) or log.game in GAMES_WITHOUT_TAKEBACKS
    if (terms["game_id"].decode(), terms["rules_version"]) != (log.game, log.rules_version):
        raise Refused(event.seq, "structure", "its game or rules version differs from the header's")
    seats = terms["seats"] % 2**32
    if seats not in SEATS_OF_GAMES.get(log.game, SEATS):
        raise Refused(event.seq, "structure", f"{log.game} is not played by {seats} seats")
    progress.seats = seats
    if KINDS[event.kind].name == "forked":
        for number, wire, move in protobuf.fields(event.public):
            if (number, wire) == (6, LENGTH):
                seat_of(event, progress, move)


def reveal(event, progress):
    """Checks the openings of a turn's choices."""
    choices = [
        (seat_of(event, progress, value), protobuf.read(value, opened=(2, LENGTH, b"")))
        for number, wire, value in protobuf.fields(event.public)
        if (number, wire) == (1, LENGTH)
    ]
    if [seat for seat, _ in choices] != list(range(progress.seats)):
        raise Refused(event.seq, "structure", "it does not open the choices of all seats in their order")
    for seat, opening in choices:
        choice = progress.chosen.pop(seat)
        if choice.opened is not None or not opens(opening["opened"], choice.commitment):
            raise Refused(event.seq, "commitments", "its opening does not fit the commitment")


def end(log, event, progress):
    """Checks the opening of the seed."""
    progress.stage = "over"
    opened = protobuf.read(
        event.public, result=(1, LENGTH, None), seat=(3, VARINT, None), seed=(4, LENGTH, b"")
    )
    if not opens(opened["seed"], log.events[0].commitment) or len(opened["seed"]) != 64:
        raise Refused(event.seq, "commitments", "its opening does not fit the commitment")
    if opened["result"] is None:
        raise Refused(event.seq, "structure", "it has no result")
    if opened["seat"] is not None:
        seat_of(event, progress, field=3)
    check_standings(event, opened["result"], progress)
    progress.server = opened["seed"][32:]


def check_standings(event, result, progress):
    """Checks that a result ranks every seat, or none if the match was called off."""
    outcome = protobuf.read(result, outcome=(1, VARINT, 0))["outcome"]
    ranked = [
        seat_of(event, progress, value)
        for number, wire, value in protobuf.fields(result)
        if (number, wire) == (2, LENGTH)
    ]
    if ranked != ([] if outcome == NO_OUTCOME else list(range(progress.seats))):
        raise Refused(event.seq, "result", "its standings do not list all seats in their order")


def check_deal(log, progress, report):
    """Derives the seed, if it is open, and the hands that it deals."""
    if progress.server is None or len(progress.claimed) < progress.seats:
        return
    entropy = [progress.claimed[seat] for seat in range(progress.seats)]
    seed = deal.seed(log.match_id.bytes, progress.server, entropy)
    report.seed = seed.hex()
    if (log.game, log.rules_version) in KNOWN_DEALS:
        dealt = progress.first["setup_seed"] or seed
        report.hands = [pack[:count] for pack, count in zip(deal.packs(dealt), deal.FIRST_HANDS)]
    elif log.game in GAMES_OF_CHANCE:
        report.remarks.append(f"the deal of rules version {log.rules_version} is not known here")


def check_signature(log, keys):
    """Checks the note, the key in the file and whether that key is trusted."""
    try:
        key = note.read_key(log.public_key)
        text = note.head_text(log)
        is_ok = key.name == log.service and note.is_signed(log.note, text, key)
    except note.BadNote as error:
        raise Refused(None, "signature", str(error)) from None
    if not is_ok:
        reason = "the note does not cover this log, or is not signed by the key in the file"
        raise Refused(None, "signature", reason)
    if keys and key not in keys:
        raise Refused(None, "signature", "the key that signed it is not one of the given keys")


def check_receipts(log, receipts):
    """Checks receipts of the form `HASH@SEQ`."""
    for receipt in receipts:
        match = re.fullmatch(r"([0-9a-f]{64}|[0-9A-Za-z+/]{43}=)@([0-9]{1,10})", receipt)
        if match is None:
            raise Refused(None, "receipts", "a receipt must be HASH@SEQ")
        at = int(match[2])
        found = log.events[at - 1].hash if 1 <= at <= len(log.events) else b""
        if match[1] not in (found.hex(), base64.b64encode(found).decode()):
            raise Refused(None, "receipts", f"the log has another event {at} than the receipt")
