"""When a call is tried again, and after which pause."""

from __future__ import annotations

import random
import time
import uuid

from google.protobuf.message import Message

from ctxdb.errors import Error

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0
#: Time that a call may take in addition to the time it asks the server to wait.
GRACE = 10.0
SHORTEST = 0.001
KEY = "idempotency_key"
TIMEOUT = "timeout"


class Attempts:
    """The tries of one call, within one deadline; ``retries`` is 0 where it is not safe to repeat it."""

    def __init__(self, retries: int, deadline: float) -> None:
        self._left = retries
        self._pause = FIRST_PAUSE
        self._ends = time.monotonic() + deadline

    def remaining(self) -> float:
        """Seconds until the deadline; never so few that gRPC would take them for none."""
        return max(SHORTEST, self._ends - time.monotonic())

    def pause_after(self, error: Error) -> float:
        """Seconds to wait before the next attempt; raises the error if no attempt is left."""
        pause = max(self._pause * random.uniform(0.5, 1.0), error.retry_after or 0.0)
        if error.code != "UNAVAILABLE" or self._left == 0 or pause >= self.remaining():
            raise error
        self._left -= 1
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        return pause


def give_key(request: Message) -> bool:
    """Whether the request carries an idempotency key; one that can and does not is given one, so that every try sends the same."""
    if KEY not in request.DESCRIPTOR.fields_by_name:
        return False
    if not request.HasField(KEY):
        setattr(request, KEY, uuid.uuid4().hex)
    return True


def seconds_of(asked: float | None, default: float) -> float:
    """A deadline as asked, else the default. ValueError where it is no time at all."""
    if asked is not None and asked <= 0:
        raise ValueError("a deadline is more than 0 seconds")
    return default if asked is None else asked


def deadline_of(request: Message, asked: float | None, default: float) -> float:
    """As asked, else the default, which is never less than what the request lets the server wait."""
    if TIMEOUT in request.DESCRIPTOR.fields_by_name and request.HasField(TIMEOUT):
        default = max(default, float(getattr(request, TIMEOUT)) + GRACE)
    return seconds_of(asked, default)
