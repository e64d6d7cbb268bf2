"""Who may ask, how often and how much. Pure but for the clock that is handed in."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Literal

TEXT_CHARS = 8_000
"""Longer texts are cut: nobody types that; a pasted log comes as a file."""
FILE_BYTES = 256 * 1024
"""Pasted files: configs and logs."""
FILES = 3
BUCKETS = 20_000
"""Persons and chats remembered; the one unused longest goes first."""
BURST_SECONDS = 30
"""A bucket holds what fills it in half a minute: people ask in bursts."""

Verdict = Literal["yes", "say_wait", "silent", "denied"]


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float
    told: bool = False


class Buckets:
    """A token bucket for each key. One that is full again is forgotten: a new one is the same."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = monotonic, most: int = BUCKETS) -> None:
        self.rate = per_minute / 60
        self.size = max(1.0, self.rate * BURST_SECONDS)
        self._full_after = self.size / self.rate
        self._clock = clock
        self._most = most
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, key: str, tokens: float = 1.0) -> _Bucket | None:
        """None when there was enough; else the empty bucket, whose `told` says whether the person knows."""
        now = self._clock()
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = _Bucket(self.size, now)
            self._forget(now)
        else:
            self._buckets.move_to_end(key)
            bucket.tokens = min(self.size, bucket.tokens + max(0.0, now - bucket.at) * self.rate)
            bucket.at = now
        if bucket.tokens < tokens:
            return bucket
        bucket.tokens -= tokens
        bucket.told = False
        return None

    def _forget(self, now: float) -> None:
        """Drop those that are full again, unused longest first, and what is too many."""
        buckets = self._buckets
        while len(buckets) > self._most or now - next(iter(buckets.values())).at >= self._full_after:
            buckets.popitem(last=False)

    def __len__(self) -> int:
        return len(self._buckets)


class Guard:
    """Decides before anything is read or thought."""

    def __init__(
        self,
        *,
        per_user: float,
        per_chat: float,
        allow_chats: Iterable[str] = (),
        deny_chats: Iterable[str] = (),
        deny_users: Iterable[str] = (),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._users = Buckets(per_user, clock)
        self._chats = Buckets(per_chat, clock)
        self._allow = frozenset(allow_chats)
        self._deny = frozenset(deny_chats)
        self._deny_users = frozenset(deny_users)

    def check(
        self,
        platform: str,
        person: str,
        chat: str,
        *,
        places: Iterable[str] = (),
        public: bool = True,
        weight: float = 1.0,
    ) -> Verdict:
        """Whether to answer. `places`: ids of what the chat is part of (server, category); `public`: others see the
        answer; `weight`: how much of a question it is.

        say_wait: over the limit, and not yet told so; silent: told already, or the chat is over its limit.
        """
        here = {f"{platform}:{place}" for place in (chat, *places)}
        if f"{platform}:{person}" in self._deny_users or here & self._deny or (self._allow and not here & self._allow):
            return "denied"
        empty = self._users.take(f"{platform}:{person}", weight)
        if empty is not None:
            told, empty.told = empty.told, True
            return "silent" if told else "say_wait"
        if public and self._chats.take(f"{platform}:{chat}") is not None:
            return "silent"
        return "yes"


def fitting(text: str) -> str:
    """Text cut to what is read, without NUL and lone surrogates."""
    return text[:TEXT_CHARS].replace("\0", "").encode("utf-8", "replace").decode("utf-8")
