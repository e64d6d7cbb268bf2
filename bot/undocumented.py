"""Imports large libraries, and us, without documentation: 7 MiB that a bot keeps for months and never reads.

Docstrings, as `python -OO` drops them, but for these only, whatever bytecode there is, and with their assertions left
in; and what functions say of the types of their arguments, once all that reads them has been defined.
"""

import sys
from collections.abc import Sequence
from dis import hasconst, opmap
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from inspect import CO_OPTIMIZED
from types import CodeType, FunctionType, ModuleType

LIBRARIES = frozenset(
    {
        "advisor", "aiohttp", "asyncio", "attr", "bot", "discord", "email", "http", "httpx", "jinja2", "knowledge",
        "logging", "prometheus_client", "pydantic", "pydantic_core", "pydantic_settings", "sqlalchemy", "structlog",
        "telegram", "telegramify_markdown", "urllib",
    }
)  # fmt: skip
HAS_DOCSTRING = 1 << 26
"""The flag of a function that has one, from Python 3.14 on; before, its first constant is one or None."""
BEGINNING = 40
"""Bytes of a class or module in which its docstring is stored."""
LOAD, STORE = opmap["LOAD_CONST"], opmap["STORE_NAME"]


class Undocumented(SourceFileLoader):
    """Loads a module without its docstrings and its functions' annotations."""

    def get_code(self, fullname: str) -> CodeType | None:
        """The module's code."""
        code = super().get_code(fullname)
        return code and without_docstrings(code)

    def exec_module(self, module: ModuleType) -> None:
        """Run it; what decorators and class definitions read of annotations they have read by then."""
        super().exec_module(module)
        for value in [*vars(module).values()]:
            if getattr(value, "__module__", None) == module.__name__:
                forget_annotations(value)


def forget_annotations(value: object) -> None:
    """Drop the annotations of a function, or of the functions of a class; a class keeps those of its fields."""
    if isinstance(value, FunctionType):
        del value.__annotations__
    elif isinstance(value, type):
        for member in vars(value).values():
            if isinstance(member, staticmethod | classmethod):
                forget_annotations(member.__func__)
            elif isinstance(member, property):
                forget_annotations(member.fget)
                forget_annotations(member.fset)
            elif isinstance(member, FunctionType):
                forget_annotations(member)


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
    """The same code; a docstring is empty there, and in everything that is defined in it."""
    place = _docstring(code)
    consts = tuple(
        without_docstrings(const)
        if isinstance(const, CodeType)
        else ""
        if index == place and isinstance(const, str)
        else const
        for index, const in enumerate(code.co_consts)
    )
    return code.replace(co_consts=consts)


def _docstring(code: CodeType) -> int | None:
    """Which of the constants is the docstring; None where a word or a line may be used for something else too."""
    steps = code.co_code
    if code.co_flags & CO_OPTIMIZED:  # a function
        has = code.co_flags & HAS_DOCSTRING if sys.version_info >= (3, 14) else code.co_name[0] != "<"
        return 0 if has and (_lines(code, 0) or not _uses(steps, 0)) else None
    for at in range(2, min(BEGINNING, len(steps)), 2):
        if steps[at] == STORE and code.co_names[steps[at + 1]] == "__doc__":
            place = steps[at - 1]
            alone = steps[at - 2] == LOAD and (_lines(code, place) or _uses(steps, place) == 1)
            return place if alone else None
    return None


def _lines(code: CodeType, place: int) -> bool:
    return place < len(code.co_consts) and "\n" in str(code.co_consts[place])


def _uses(steps: bytes, place: int) -> int:
    """How often a constant is used, at most."""
    return sum(steps.count(bytes((opcode, place))) for opcode in hasconst)
