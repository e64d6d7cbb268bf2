"""Logs: for a person (console) or a collector (JSON). No message texts, and no secret even if one slips into a
message."""

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

import structlog

from bot.store.errors import StoreError

if TYPE_CHECKING:
    from bot.settings import Settings

HIDDEN = "[hidden]"
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
QUIET = ("httpx", "httpcore", "aiosqlite", "sqlalchemy", "alembic", "aiohttp.access", "telegram", "discord", "asyncio")
"""Libraries that log addresses with tokens in them, or too much: their warnings only."""


TELLING = (OSError, StoreError)
"""Exceptions whose message is about us, not what somebody wrote."""
PLATFORMS = ("telegram.", "discord.", "aiohttp.", "httpx.", "bot.")
MESSAGE_CHARS = 120


def without_words(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: tracebacks with their frames, but no message of an exception that may quote a person."""
    info = event.pop("exc_info", None)
    error = sys.exc_info()[1] if info is True else info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        event["exception"] = plain_traceback(error)
    return event


def plain_traceback(error: BaseException) -> str:
    """Frames and class names of an exception and of those that led to it."""
    parts: list[str] = []
    seen: set[int] = set()
    while error is not None and id(error) not in seen and len(seen) < 8:
        seen.add(id(error))
        frames = "".join(traceback.format_tb(error.__traceback__))
        parts.append(f"Traceback (most recent call last):\n{frames}{named(error)}")
        following = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if following is None:
            break
        error = following
    return "\n\nThe exception above came from this one, in reverse:\n\n".join(parts)


def frames_only(detail: str) -> str:
    """A traceback that is text already: its frames, and the class names of its exceptions."""
    kept = []
    for line in detail.splitlines():
        if line.startswith(("  File ", "    ", "Traceback")):
            kept.append(line)
        elif line[:1].strip() and line.partition(":")[0].replace(".", "").isidentifier():
            kept.append(line.partition(":")[0])
    return "\n".join(kept)


def named(error: BaseException) -> str:
    """The class of an exception, with its message where that is about us."""
    kind = type(error)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    if isinstance(error, TELLING) or name.startswith(PLATFORMS):
        return f"{name}: {str(error)[:MESSAGE_CHARS]}"
    return name


class Redactor:
    """Replaces known secrets in everything that is logged, tracebacks included."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        self._secrets = tuple(sorted(secrets, key=len, reverse=True))

    def __call__(self, logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """A structlog processor."""
        for key, value in event.items():
            event[key] = self.value(value)
        return event

    def value(self, value: Any) -> Any:
        """The value without secrets."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, (int, float, bool, type(None))):
            return value
        return self.text(str(value)) if any(secret in str(value) for secret in self._secrets) else value

    def text(self, text: str) -> str:
        """The text without secrets."""
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, HIDDEN)
        return text


class _RedactedLines(logging.Formatter):
    """The last line of defence: what reaches the stream has no secret in it."""

    def __init__(self, inner: logging.Formatter, redactor: Redactor) -> None:
        super().__init__()
        self._inner = inner
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.text(self._inner.format(record))


def set_up_log(settings: "Settings", stream: Any = None) -> None:
    """Send everything, our events and the libraries' records, to one stream in one form."""
    redactor = Redactor(settings.secrets)
    level = LEVELS[settings.log_level]
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if settings.log_format == "json":
        last: list[Any] = [without_words, redactor, structlog.processors.JSONRenderer()]
    else:
        target = stream or sys.stderr
        last = [without_words, redactor, structlog.dev.ConsoleRenderer(colors=target.isatty())]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last]
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_RedactedLines(formatter, redactor))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
