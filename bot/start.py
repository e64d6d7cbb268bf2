"""The way into `whichgpu serve`: what must happen before everything is imported.

A bot runs for months, so its memory counts: what libraries import for parts of theirs that we do not use is left out.
All of it is optional; where a library has changed, it is imported as usual. tests/bot/runtime/test_start.py watches.
"""

import gc
import importlib.util
import mimetypes
import sys

from bot.undocumented import Finder


def serve() -> None:
    """Run every platform that has a token in the environment."""
    gc.disable()  # imports make much and drop nothing; the app turns it on again when it is warm
    lean_imports()
    from bot.app import serve_command

    serve_command()


def lean_imports() -> None:
    """Import structlog, httpx, SQLAlchemy without what we do not use of them, and large libraries undocumented."""
    sys.meta_path.insert(0, Finder())
    mimetypes.init(())  # the system's thousand kinds of file, which aiohttp would load: we send pictures and texts
    _without_rich()
    _without_orm()


def _without_rich() -> None:
    """structlog (for its tracebacks) and httpx (for its command line) take rich and click when they can import them.

    Our tracebacks are plain anyway: they must not show values, which are people's words.
    """
    left_out = [name for name in ("rich", "pygments", "click") if name not in sys.modules]
    for name in left_out:
        sys.modules[name] = None  # type: ignore[assignment] # makes importing it fail
    import httpx  # noqa: F401
    import structlog  # noqa: F401

    for name in left_out:
        del sys.modules[name]


def _without_orm() -> None:
    """The package sqlalchemy.ext.asyncio imports the ORM for its sessions; its module `engine` needs none of that."""
    name = "sqlalchemy.ext.asyncio"
    spec = importlib.util.find_spec(name)
    if name in sys.modules or spec is None:
        return
    sys.modules[name] = importlib.util.module_from_spec(spec)  # the package, but for what its __init__ imports
    try:
        import sqlalchemy.ext.asyncio.engine  # noqa: F401
    except ImportError:
        for module in [module for module in sys.modules if module.startswith(name)]:
            del sys.modules[module]
