"""`whichgpu chat`: the same conversation as in a private chat. A button's number presses it."""

import sys
from contextlib import suppress

from advisor.query import Query
from bot.adapters.terminal import markdown, show_rich
from bot.cli import settle
from bot.cli.asking import clean, report, system_locale
from bot.messages import Button, Question
from bot.pipeline import Answer, answer, prepare

LEAVE = {"exit", "quit", "/quit", "/exit", ":q"}
PROMPT = "> "


def chat(language: str | None) -> None:
    """Read a line, answer it, until the end of the input."""
    prepare()
    settle()
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  editing and history for input(), where the system has it
        show(answer(Question(language=language, locale=system_locale())))
    previous: Query | None = None
    buttons: tuple[Button, ...] = ()
    spoken = system_locale()
    while (line := next_line()) is not None and line.lower() not in LEAVE:
        if not line:
            continue
        given = answer(question_of(line, buttons, language, spoken), previous)
        previous, spoken = given.remember or previous, given.language
        buttons = given.reply.buttons or buttons
        show(given)
        report(given)


def question_of(line: str, buttons: tuple[Button, ...], language: str | None, spoken: str | None) -> Question:
    """The button with this number, else the line as a question; `spoken`: the language of the answer before."""
    change = None
    if line.isascii() and line.isdigit() and len(line) < 3 and 1 <= int(line) <= len(buttons):
        change = buttons[int(line) - 1].change
    return Question(text="" if change else line, change=change, language=language, locale=spoken, chat="terminal")


def next_line() -> str | None:
    """A line from the terminal; None at its end or at Ctrl-C."""
    try:
        return clean(input(PROMPT if sys.stdin.isatty() else "")).strip()
    except (EOFError, KeyboardInterrupt):
        return None


def show(given: Answer) -> None:
    """With colours for a person, as Markdown for a pipe."""
    if given.reply.silent:
        return
    if sys.stdout.isatty():
        from rich.console import Console

        show_rich(Console(), given.reply, given.advice, numbered=True)
    else:
        print(markdown(given.reply), flush=True)  # noqa: T201
