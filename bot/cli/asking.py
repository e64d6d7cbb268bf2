"""`whichgpu ask`: one question, or one a line."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from advisor.query import Query
from bot.cli import lines, settle
from bot.messages import Asked, Question
from bot.pipeline import Answer, answer, prepare, warm

CHANNELS: Mapping[str, Asked] = {"direct": "direct", "help_channel": "overheard"}
FORMS = ("terminal", "markdown", "discord", "telegram")
LONGEST_STDIN = 100_000
EMPTY: tuple[object, ...] = ((), {})
NOT_SLOTS = {"kind", "also", "sources", "unknown", "nearest", "ambiguous"}


def one(
    text: str,
    *,
    language: str | None = None,
    form: str = "terminal",
    as_json: bool = False,
    picture: str | None = None,
) -> None:
    """Answer one question on stdout; a picture of the memory goes to its file."""
    if form not in FORMS:
        raise bad_option("--format", f"{form!r} is not one of {', '.join(FORMS)}")
    if not text and sys.stdin is not None and not sys.stdin.isatty():
        text = sys.stdin.buffer.read(LONGEST_STDIN).decode("utf-8", errors="replace")
    prepare()
    question = Question(text=clean(text), language=language, locale=system_locale())
    given = answer(question)
    if as_json:
        lines.put(as_line({"id": None, **as_object(given)}))
    else:
        from bot.adapters.terminal import show

        show(given.reply, form, given.advice)
    if picture is not None:
        save_picture(given, picture)
    report(given)


def batch(source: str) -> None:
    """One answer a line for one question a line; a line that is not a question becomes an error object."""
    prepare()
    warm()
    settle()
    locale = system_locale()
    for number, line in enumerate(lines.byte_lines(source), start=1):
        found = question_of(line, locale)
        if found is None:
            continue
        name, question = found
        if isinstance(question, Question):
            given = answer(question, pressable=False)
            report(given)
            lines.put(as_line({"id": name, **as_object(given)}))
        else:
            lines.put(as_line({"id": name, "line": number, "error": question}))


def question_of(line: bytes | None, locale: str | None) -> tuple[Any, Question | dict[str, str]] | None:
    """The id and the question of a line, or the id and what is wrong with it; None for an empty line."""
    if line is None:
        return None, fault(
            "line_too_long", f"The line has more than {lines.LONGEST_LINE} bytes.", "Send shorter texts."
        )
    text = line.decode("utf-8", errors="replace").removeprefix("\ufeff")
    if not text.strip():
        return None
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return None, fault(
            "not_json", "The line is not JSON.", 'Send one object a line: {"id": 1, "text": "13b qlora"}'
        )
    if not isinstance(row, dict):
        return None, fault("not_an_object", "The line is not a JSON object.", 'Send {"id": 1, "text": "13b qlora"}')
    name, words, language, channel = (row.get(key) for key in ("id", "text", "lang", "channel"))
    if not isinstance(words, str):
        return name, fault("no_text", '"text" is missing or not a string.', 'Send {"id": 1, "text": "13b qlora"}')
    if channel is not None and channel not in CHANNELS:
        return name, fault("bad_channel", '"channel" is not known.', f"Send one of {', '.join(CHANNELS)}.")
    if language is not None and not isinstance(language, str):
        return name, fault("bad_lang", '"lang" is not a string.', 'Send "en" or "de", or leave it out.')
    return name, Question(
        text=clean(words), language=language, locale=locale, asked=CHANNELS.get(channel or "direct", "direct")
    )


def as_object(given: Answer) -> dict[str, Any]:
    """An answer as it stands in the output of `ask --json`."""
    found = {
        "kind": given.kind.value,
        "silent": given.reply.silent,
        "query": slots_of(given.query),
        "stated": list(given.query.stated),
        "advice": given.advice,
        "reply": {"text": given.reply.text, "language": given.reply.language},
    }
    if given.error:
        found["error"] = {
            "code": given.error,
            "message": "The answer could not be made.",
            "fix": "Report this question.",
        }
    return found


def slots_of(query: Query) -> dict[str, Any]:
    """The slots that have a value, as they are written to JSON."""
    return {
        slot: value
        for slot, value in vars(query).items()
        if value is not None and value not in EMPTY and slot not in NOT_SLOTS
    }


def as_line(found: Mapping[str, Any]) -> str:
    """One line of JSON. The advice in it is written as it is; an id that no encoding takes is escaped."""
    try:
        return to_json(found).decode()
    except (PydanticSerializationError, UnicodeError):
        return json.dumps(to_jsonable_python({**found, "id": None}) | {"id": found.get("id")})


def report(given: Answer) -> None:
    """What went wrong inside goes to stderr, for whoever can mend it."""
    if given.error:
        sys.stderr.write((given.error_detail or given.error) + "\n")


def save_picture(given: Answer, path: str) -> None:
    """The memory breakdown as a PNG file."""
    from bot.picture import memory_png

    picture = memory_png(given.advice, given.language) if given.advice is not None else None
    if picture is None:
        raise bad_option("--picture", "this answer has no memory to draw")
    Path(path).write_bytes(picture.png)


def bad_option(name: str, why: str) -> Exception:
    """What the command line shows as an error of an option."""
    from typer import BadParameter  # only here: a plain question is answered without it

    return BadParameter(why, param_hint=name)


def system_locale() -> str | None:
    """The language that the environment asks for, as a hint."""
    import os

    return os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or None


def clean(text: str) -> str:
    """Without lone surrogates, which no output could take."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


def fault(code: str, message: str, fix: str) -> dict[str, str]:
    """An error object."""
    return {"code": code, "message": message, "fix": fix}
