"""How often a call is retried, and after what delay."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How calls are retried and streams are reopened: with delays that double up to a maximum.

    `attempts` includes the first one; for a stream the count starts anew with each frame received.
    `max_delay` also bounds the delay that the service asks for. Delays are in seconds.

    >>> RetryPolicy().delay_after(1)
    0.1
    >>> RetryPolicy(attempts=3).delay_after(3) is None
    True
    """

    attempts: int = 7
    initial_delay: float = 0.1
    max_delay: float = 5.0

    @classmethod
    def none(cls) -> "RetryPolicy":
        """Returns a policy of one attempt: nothing is retried, no stream is reopened."""
        return cls(attempts=1)

    def delay_after(self, failures: int, at_least: float | None = None) -> float | None:
        """Returns the delay after this many failed attempts in a row; `None` if no attempt is left."""
        if failures >= self.attempts:
            return None
        doubled = self.initial_delay * 2.0 ** min(failures - 1, 30)
        return min(max(doubled, at_least or 0.0), self.max_delay)


class Backoff:
    """The failures in a row of one call or stream."""

    def __init__(self, policy: RetryPolicy) -> None:
        self._policy = policy
        self._failures = 0

    def after_failure(self, at_least: float | None) -> float | None:
        """Counts a failure and returns the delay before the next attempt; `None` if none is left."""
        self._failures += 1
        return self._policy.delay_after(self._failures, at_least)

    def reset(self) -> None:
        """Counts from zero again."""
        self._failures = 0
