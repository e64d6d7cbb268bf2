"""How soon the bot may speak unasked again: counted in what people write meanwhile, not only in time."""

import time
from collections.abc import Callable

from bot.store.loader import Recent

MESSAGES = 5
"""So many messages of people between two answers that nobody asked the bot for."""
SAME_SECONDS = 3_600.0
"""The same question is answered unasked once an hour in a channel."""
CHANNELS = 2_048


class Cooldown:
    """Counts per channel. In memory: a restart at most lets it speak once too early."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: Recent[str, int] = Recent(CHANNELS)
        self._given: Recent[str, float] = Recent(CHANNELS)

    def heard(self, channel: str) -> None:
        """Somebody wrote something."""
        self._since[channel] = (self._since[channel] if channel in self._since else MESSAGES - 1) + 1

    def allows(self, channel: str) -> bool:
        """Whether enough was written since."""
        return channel not in self._since or self._since[channel] >= MESSAGES

    def spoke(self, channel: str) -> None:
        """The bot has spoken unasked."""
        self._since[channel] = 0

    def is_new(self, channel: str, answer: str) -> bool:
        """Whether this answer was not given unasked here of late; remembers it."""
        key, now = f"{channel}:{answer}", self._clock()
        known = key in self._given and now - self._given[key] < SAME_SECONDS
        if not known:
            self._given[key] = now
        return not known
