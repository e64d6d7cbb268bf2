"""Imports large libraries, and us, without documentation: 5 MiB of text that a bot keeps for months and never reads.

What `python -OO` does, for these only, whatever bytecode there is, and with their assertions left in.
"""

import sys
from collections.abc import Sequence
from dis import opmap
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from inspect import CO_OPTIMIZED
from types import CodeType, ModuleType

LIBRARIES = frozenset(
    {
        "advisor", "aiohttp", "attr", "bot", "discord", "httpx", "jinja2", "knowledge", "pydantic", "pydantic_core",
        "pydantic_settings", "sqlalchemy", "structlog", "telegram",
    }
)  # fmt: skip
HAS_DOCSTRING = 1 << 26
"""The flag of a function that has one, from Python 3.14 on; before, its first constant is one or None."""
BEGINNING = 40
"""Bytes of a class or module in which its docstring is stored."""
LOAD, STORE = opmap["LOAD_CONST"], opmap["STORE_NAME"]


class Undocumented(SourceFileLoader):
    """Loads a module without its longer docstrings."""

    def get_code(self, fullname: str) -> CodeType | None:
        """The module's code."""
        code = super().get_code(fullname)
        return code and without_docstrings(code)


class Finder(MetaPathFinder):
    """Finds the modules of LIBRARIES."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module with our loader; None where others shall look."""
        if fullname.partition(".")[0] not in LIBRARIES:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = Undocumented(spec.loader.name, spec.loader.path)
        return spec


def without_docstrings(code: CodeType) -> CodeType:
    """The same code; a docstring of more than a line is empty there, and in everything that is defined in it."""
    place = _docstring(code)
    consts = tuple(
        without_docstrings(const)
        if isinstance(const, CodeType)
        else ""
        if index == place and isinstance(const, str) and "\n" in const
        else const
        for index, const in enumerate(code.co_consts)
    )
    return code.replace(co_consts=consts)


def _docstring(code: CodeType) -> int | None:
    """Which of the constants is the docstring."""
    if code.co_flags & CO_OPTIMIZED:  # a function
        has = code.co_flags & HAS_DOCSTRING if sys.version_info >= (3, 14) else code.co_name[0] != "<"
        return 0 if has and code.co_consts else None
    steps = code.co_code[:BEGINNING]
    for at in range(2, len(steps), 2):
        if steps[at] == STORE and code.co_names[steps[at + 1]] == "__doc__":
            return steps[at - 1] if steps[at - 2] == LOAD else None
    return None
