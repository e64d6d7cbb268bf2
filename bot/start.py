"""The way into `whichgpu serve`: what must happen before everything is imported."""

import gc
import sys


def serve() -> None:
    """Run every platform that has a token in the environment."""
    gc.disable()  # imports make much and drop nothing; the app turns it on again when it is warm
    _without_rich()
    from bot.app import serve_command

    serve_command()


def _without_rich() -> None:
    """structlog (for its tracebacks) and httpx (for its command line) take rich when they can import it: 120 modules
    and
    8 MiB in a process that runs for months. Our tracebacks are plain: they must not show values, which are people's
    words.
    """
    if "rich" in sys.modules:
        return
    sys.modules["rich"] = None  # type: ignore[assignment] # makes `import rich` fail
    import httpx  # noqa: F401
    import structlog  # noqa: F401

    del sys.modules["rich"]
