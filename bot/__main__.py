"""The command `whichgpu`, also `python -m bot`."""

import gc
import os
import sys
from collections.abc import Callable, Sequence

INTERRUPTED = 130
BROKEN_KNOWLEDGE = 2
UNREADABLE = 2
READER_GONE = 1


def main() -> None:
    """Run the command line. A broken knowledge file is one readable list, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else every installed package is searched for some
    gc.disable()  # a start makes much and drops nothing; what runs on turns it on again
    try:
        _run(without_options(sys.argv[1:]) or _any_command)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # `| head` has read enough; what Python still holds must not be written at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_GONE)
    except Exception as error:
        _known_faults(error)
        raise


def _run(command: Callable[[], None]) -> None:
    """Run a command, and write what Python still holds while an error can be answered for."""
    try:
        command()
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def without_options(arguments: Sequence[str]) -> Callable[[], None] | None:
    """A plain question, or `serve`: typer is not loaded for it, which takes a tenth of a start and 1.4 MiB."""
    match arguments:
        case ["ask", *words] if words and not any(word.startswith("-") for word in words):
            from bot.cli import asking

            return lambda: asking.one(" ".join(words))
        case ["serve"]:
            from bot.start import serve

            return serve
        case _:
            return None


def _any_command() -> None:
    from bot.cli.commands import app

    app(prog_name="whichgpu")


def _known_faults(error: Exception) -> None:
    """Leave with a list when the error is one that a person can mend by reading it."""
    from yaml import YAMLError

    from knowledge.faults import KnowledgeFaults

    if isinstance(error, OSError) and error.filename:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        sys.exit(UNREADABLE)
    if isinstance(error, KnowledgeFaults | YAMLError):
        print(error, file=sys.stderr)
        sys.exit(BROKEN_KNOWLEDGE)


if __name__ == "__main__":
    main()
