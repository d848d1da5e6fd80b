"""Files of exported logs, in the JSON form of docs/audit.md."""

import base64
import json
import os
import re
from pathlib import Path
from typing import Any, Protocol, TextIO, TypeVar

from tqdm import tqdm

from . import v1
from .errors import MatchbookError
from .values import Exported


M_contra = TypeVar("M_contra", contravariant=True)


class Writer(Protocol[M_contra]):
    """What takes the messages of an export."""

    @property
    def is_complete(self) -> bool:
        """Whether the last message was written."""
        ...

    def write(self, message: M_contra, /) -> None:
        """Takes a message."""
        ...


def line_of(record: v1.LogHeader | v1.LogEvent | v1.LogHead) -> str:
    """Returns a record as a line of a log file."""
    if isinstance(record, v1.LogHeader):
        fields: dict[str, Any] = {
            "formatVersion": record.format_version,
            "service": record.service,
            "matchId": record.match_id,
            "gameId": record.game_id,
            "rulesVersion": record.rules_version,
        }
        return _line("header", fields)
    if isinstance(record, v1.LogHead):
        return _line("head", {"note": record.note, "publicKey": record.public_key})
    fields = {
        "seq": record.seq,
        "recordTimeUs": str(record.record_time_us),
        "kind": record.kind,
        "publicPart": _base64(record.public_part),
    }
    if record.HasField("commitment"):
        fields["commitment"] = _base64(record.commitment)
    if record.HasField("opened"):
        fields["opened"] = _base64(record.opened)
    return _line("event", fields | {"hash": _base64(record.hash)})


def _line(name: str, fields: dict[str, Any]) -> str:
    return json.dumps({name: fields}, ensure_ascii=False, separators=(",", ":")) + "\n"


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


class PartFile:
    """A file that has its name only once it is complete."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(path.name + ".part")
        self._file: TextIO = self._part.open("w", encoding="utf-8", newline="\n")

    def write(self, record: v1.LogHeader | v1.LogEvent | v1.LogHead) -> None:
        """Adds a record."""
        self._file.write(line_of(record))

    def complete(self) -> None:
        """Gives the file its name."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._part.replace(self._path)

    def discard(self) -> None:
        """Removes the file, unless it is complete."""
        self._file.close()
        self._part.unlink(missing_ok=True)


class LogWriter:
    """Writes the log of one match to a file."""

    def __init__(self, path: Path, bar: "tqdm[Any]") -> None:
        self._file = PartFile(path)
        self._bar = bar
        self.is_complete = False

    def write(self, response: v1.ExportLogResponse) -> None:
        """Adds a record; the last one completes the file."""
        if response.HasField("header"):
            self._file.write(response.header)
        elif response.HasField("event"):
            self._file.write(response.event)
            self._bar.update()
        elif response.HasField("head"):
            self._file.write(response.head)
            self._file.complete()
            self.is_complete = True

    def close(self) -> None:
        """Removes the file if it is not complete."""
        if not self.is_complete:
            self._file.discard()


class FolderWriter:
    """Writes the logs of many matches into a folder, over as many streams as it takes."""

    def __init__(self, folder: Path, page_token: str, bar: "tqdm[Any]") -> None:
        self._folder = folder
        self._bar = bar
        self._file: PartFile | None = None
        self._matches = 0
        self._skipped: dict[str, str] = {}
        self.page_token = page_token
        """Where an export can go on later."""
        self.is_complete = False

    @property
    def exported(self) -> Exported:
        """What was written."""
        return Exported(self._matches, self._skipped)

    def write(self, frame: v1.ExportMatchesResponse) -> None:
        """Adds a record."""
        if frame.HasField("header"):
            self.abandon()
            match_id = frame.header.match_id
            if not re.fullmatch("[0-9A-Za-z-]{1,64}", match_id):
                # As a file's name it could lead out of the folder.
                raise MatchbookError(f"a log has no valid match id: {match_id!r}")
            self._file = PartFile(self._folder / f"{match_id}.jsonl")
            self._file.write(frame.header)
        elif frame.HasField("event") and self._file is not None:
            self._file.write(frame.event)
        elif frame.HasField("head") and self._file is not None:
            self._file.write(frame.head)
            self._file.complete()
            self._file = None
            self._matches += 1
            self._bar.update()
        elif frame.HasField("skipped"):
            self.abandon()
            reason = v1.ErrorReason.Name(frame.skipped.reason) if _is_known(frame) else "UNKNOWN"
            self._skipped[frame.skipped.match_id] = reason.removeprefix("ERROR_REASON_")
        elif frame.HasField("end"):
            self.is_complete = True
        self.page_token = frame.next_page_token or self.page_token

    def abandon(self) -> None:
        """Removes the file of a match whose records stopped before their end."""
        if self._file is not None:
            self._file.discard()
            self._file = None


def _is_known(frame: v1.ExportMatchesResponse) -> bool:
    return frame.skipped.reason in v1.ErrorReason.values()


def progress_bar(unit: str, total: int | None, progress: bool | None) -> "tqdm[Any]":
    """Returns a progress bar. With `None` it is shown only on a terminal."""
    return tqdm(total=total, unit=unit, disable=None if progress is None else not progress, leave=False)
