"""Verification of a file: all steps of docs/audit.md except those that need the rules of the games."""

import hashlib
import struct
from collections.abc import Iterable, Sequence

from . import deal, messages, note, receipts, schema
from .kinds import KINDS, Kind, apply
from .log_file import Event, LogFile
from .note import PublicKey
from .position import Position
from .protobuf import BadMessage
from .receipts import Receipt
from .refusal import MUST_NOT_OPEN, UNDECODABLE, WRONG_OPENING, Refused
from .report import NO_RULES, Report

# The rules versions whose deal this program knows.
KNOWN_DEALS = {("ace-exorcist", 1)}

SEALED_SEED_BYTES = 64
MAX_PLAYER_BYTES = 1024


def verify(log: LogFile, keys: Sequence[PublicKey], evidence: Sequence[Receipt] = ()) -> Report:
    """Verifies a parsed file against the keys that are known to be the service's, and receipts."""
    moves = sum(is_move(event) for event in log.events)
    report = Report(str(log.match_id), log.game, log.rules_version, len(log.events), moves)
    try:
        if not log.events:
            raise Refused(None, "structure", "there are no events")
        report.head = log.events[-1].hash.hex()
        check_events(log, report)
        check_signature(log, keys, report)
        check_receipts(log, evidence, keys, report)
    except Refused as refused:
        report.fail(refused)
    return report


def is_move(event: Event) -> bool:
    """Returns whether an event is a move or a choice."""
    kind = KINDS.get(event.kind)
    return kind is not None and kind.name in ("made", "sealed")


def check_events(log: LogFile, report: Report) -> None:
    """Checks every event, and records what that proves."""
    position = Position(log.game, log.rules_version)
    openings = 0
    for index, event in enumerate(log.events):
        check_chain(log, index)
        openings += check_event(log, index, position)
    count = len(log.events)
    for check in ("structure", "chain", "times"):
        report.ok(check, count)
    if openings:
        report.ok("commitments", openings)
    else:
        report.not_needed("commitments", "the file opens nothing")
    record_play(log, position, report)
    record_deal(log, position, report)
    for event in log.events:
        if KINDS[event.kind].sealed == "player" and event.opened is None:
            report.remarks.append({"remark": "player_withheld", "seq": event.seq})
    for choice in position.chosen.values():
        if choice.opened is None:
            report.remarks.append({"remark": "choice_sealed", "seq": choice.seq})


def check_chain(log: LogFile, index: int) -> None:
    """Checks the number, time and hash of an event."""
    event, previous = log.events[index], log.events[index - 1] if index else None
    if event.seq != index + 1:
        raise Refused(index + 1, "structure", f"event {event.seq} stands in its place")
    if previous and event.time <= previous.time:
        raise Refused(event.seq, "times", "its record time is not after the previous event's")
    data = b"matchbook.event.v1\0" + (previous.hash if previous else bytes(32)) + log.match_id.bytes
    data += struct.pack(">IHq", event.seq, event.kind, event.time)
    data += hashlib.sha256(event.public).digest() + (event.commitment or bytes(32))
    if hashlib.sha256(data).digest() != event.hash:
        raise Refused(event.seq, "chain", "its hash does not fit its contents and the previous hash")


def check_event(log: LogFile, index: int, position: Position) -> int:
    """Checks the content of an event. Returns the number of sealed parts that it opens."""
    event = log.events[index]
    kind = KINDS.get(event.kind)
    if kind is None:
        raise Refused(event.seq, "structure", f"this program knows no event of kind {event.kind}")
    fields = decode(kind.message, event.public, event)
    if (kind.sealed is not None) != (event.commitment is not None):
        raise Refused(event.seq, "structure", UNDECODABLE)
    apply(position, event, kind, fields, lambda: next_mover(log, index))
    if event.opened is not None:
        check_opening(event, event.opened, kind)
    return check_openings_by_log(log, event, kind, fields, position) + (event.opened is not None)


def decode(message: schema.Message, data: bytes, event: Event) -> schema.Fields:
    """Decodes a message of an event, which must have its canonical encoding."""
    try:
        return schema.decode(message, data)
    except (BadMessage, UnicodeDecodeError):
        raise Refused(event.seq, "structure", UNDECODABLE) from None


def check_opening(event: Event, opened: bytes, kind: Kind) -> None:
    """Checks what a file opens itself: players, and the choice of a turn that is not revealed."""
    if kind.sealed == "seed":
        raise Refused(event.seq, "commitments", MUST_NOT_OPEN)
    if not event.can_be_opened_by(opened):
        raise Refused(event.seq, "commitments", WRONG_OPENING)
    if kind.sealed == "player":
        player = opened[32:]
        if len(player) > MAX_PLAYER_BYTES:
            raise Refused(event.seq, "structure", UNDECODABLE)
        decode(messages.PLAYER, player, event)


def check_openings_by_log(
    log: LogFile, event: Event, kind: Kind, fields: schema.Fields, position: Position
) -> int:
    """Checks what an event opens of earlier ones, and that the file does not. Returns their number."""
    if kind.name == "revealed":
        turn = [log.events[seq - 1] for seq in position.revealed]
        refuse_openings(turn)
        return len(turn)
    if kind.name == "ended":
        refuse_openings(position.chosen.values())
        opened = fields["opened_seed"]
        if len(opened) != SEALED_SEED_BYTES or not log.events[0].can_be_opened_by(opened):
            raise Refused(event.seq, "commitments", WRONG_OPENING)
        return 1
    return 0


def refuse_openings(choices: Iterable[Event]) -> None:
    """Refuses a file that opens a choice which the log opens itself or leaves sealed for ever."""
    for choice in choices:
        if choice.opened is not None:
            raise Refused(choice.seq, "commitments", MUST_NOT_OPEN)


def next_mover(log: LogFile, index: int) -> int | None:
    """Returns the seat of the next MoveMade after an event, or None if there is none."""
    for event in (log.events[later] for later in range(index + 1, len(log.events))):
        kind = KINDS.get(event.kind)
        if kind and kind.name == "made":
            seat: int | None = decode(messages.MOVE_MADE, event.public, event)["seat"]
            return seat
    return None


def record_play(log: LogFile, position: Position, report: Report) -> None:
    """Records what is known of moves, clocks and the result without the rules."""
    report.not_checkable("moves", NO_RULES)
    report.not_checkable("digests", NO_RULES)
    if not position.has_clocks:
        report.not_needed("clocks", "the match has no clocks")
    elif position.turns is None:
        report.not_checkable("clocks", "whose turn it was is not known here for this game or rules version")
    else:
        report.ok("clocks", report.moves)
    if position.stage != "over":
        report.not_checkable("result", "the match is not over")
    elif position.has_started:
        report.not_checkable("result", "whether the rules end the match there, and how, is not checked here")
    else:
        report.ok("result", 1)


def record_deal(log: LogFile, position: Position, report: Report) -> None:
    """Derives the seed, if it is open, and the hands that it deals."""
    if position.server is None:
        return report.not_checkable("seed", "the seed is opened at the end of the match")
    if len(position.claimed) < position.seats:
        return report.not_needed("seed", "play never started")
    entropy = [position.claimed[seat] for seat in range(position.seats)]
    seed = deal.seed(log.match_id.bytes, position.server, entropy)
    report.seed = seed.hex()
    if (log.game, log.rules_version) in KNOWN_DEALS:
        dealt = position.setup_seed or seed
        report.hands = [pack[:count] for pack, count in zip(deal.packs(dealt), deal.FIRST_HANDS)]
    report.not_checkable("seed", "it is derived, but only the rules compare it with the log")


def check_signature(log: LogFile, keys: Sequence[PublicKey], report: Report) -> None:
    """Checks the note, the key in the file and whether that key is trusted."""
    try:
        key = note.read_key(log.public_key)
        is_ok = key.name == log.service and note.is_signed(log.note, note.head_text(log), key)
    except note.BadNote as error:
        raise Refused(None, "signature", str(error)) from None
    if not is_ok:
        reason = "the note does not cover this log, or is not signed by the key in the file"
        raise Refused(None, "signature", reason)
    if keys and key not in keys:
        raise Refused(None, "signature", "the key that signed it is not one of the given keys")
    report.signed_by, report.key_is_known = str(key), key in keys
    report.ok("signature", 1)


def check_receipts(
    log: LogFile, evidence: Sequence[Receipt], keys: Sequence[PublicKey], report: Report
) -> None:
    """Checks the reader's receipts."""
    for receipt in evidence:
        receipts.check(log, receipt, [*keys, note.read_key(log.public_key)])
    if evidence:
        report.ok("receipts", len(evidence))
    else:
        report.not_needed("receipts", "no receipt was given")
