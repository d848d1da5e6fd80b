# Generated from proto/matchbook/log/v1 by: MATCHBOOK_BLESS=1 cargo test -p wire --test python_messages
"""The messages of events in a log: for each its fields by number."""

from .schema import BOOL, BYTES, ENUM, TEXT, UINT32, UINT64, Field, Message

TIME_BANK: Message = {
    1: Field("budget_us", UINT64),
    2: Field("increment_us", UINT64),
}

TIME_CONTROL: Message = {
    1: Field("move_us", UINT64, optional=True, oneof="kind"),
    2: Field("bank", TIME_BANK, optional=True, oneof="kind"),
    3: Field("grace_us", UINT64),
}

MATCH_TERMS: Message = {
    1: Field("game_id", TEXT),
    2: Field("rules_version", UINT32),
    3: Field("options", BYTES),
    4: Field("seats", UINT32),
    5: Field("visibility", ENUM),
    6: Field("time_control", TIME_CONTROL, optional=True),
    7: Field("forbid_takebacks", BOOL),
}

MATCH_CREATED: Message = {
    1: Field("terms", MATCH_TERMS, optional=True),
    2: Field("rematch_of", BYTES, optional=True),
}

FORKED_MOVE: Message = {
    1: Field("seat", UINT32, optional=True),
    2: Field("move", BYTES),
}

MATCH_FORKED: Message = {
    1: Field("terms", MATCH_TERMS, optional=True),
    2: Field("parent_match_id", BYTES),
    3: Field("parent_seq", UINT32),
    4: Field("parent_hash", BYTES),
    5: Field("setup_seed", BYTES),
    6: Field("moves", FORKED_MOVE, repeated=True),
}

SEAT_TOKEN_ROTATED: Message = {
    1: Field("seat", UINT32, optional=True),
    2: Field("generation", UINT32),
}

PLAYER: Message = {
    1: Field("display_name", TEXT),
}

SEAT_CLAIMED: Message = {
    1: Field("seat", UINT32, optional=True),
    2: Field("entropy", BYTES),
}

MATCH_STARTED: Message = {}

MOVE_MADE: Message = {
    1: Field("seat", UINT32, optional=True),
    2: Field("move", BYTES),
    3: Field("state_digest", BYTES),
}

MOVE_SEALED: Message = {
    1: Field("seat", UINT32, optional=True),
}

OPENED_CHOICE: Message = {
    1: Field("seat", UINT32, optional=True),
    2: Field("opened", BYTES),
}

TURN_REVEALED: Message = {
    1: Field("choices", OPENED_CHOICE, repeated=True),
    2: Field("state_digest", BYTES),
}

PROPOSAL_MADE: Message = {
    1: Field("seat", UINT32, optional=True),
    2: Field("kind", ENUM),
}

PROPOSAL_ANSWERED: Message = {
    1: Field("seat", UINT32, optional=True),
    2: Field("kind", ENUM),
    3: Field("accepted", BOOL),
    4: Field("state_digest", BYTES),
}

STANDING: Message = {
    1: Field("seat", UINT32, optional=True),
    2: Field("rank", UINT32),
}

MATCH_RESULT: Message = {
    1: Field("outcome", ENUM),
    2: Field("standings", STANDING, repeated=True),
    3: Field("reason", TEXT),
}

MATCH_ENDED: Message = {
    1: Field("result", MATCH_RESULT, optional=True),
    2: Field("ended_by", ENUM),
    3: Field("seat", UINT32, optional=True),
    4: Field("opened_seed", BYTES),
    5: Field("state_digest", BYTES),
}
