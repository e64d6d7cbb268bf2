"""What `bot.undocumented` takes out of libraries, and that it takes out nothing else."""

import dis
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from bot.undocumented import LIBRARIES, forget_annotations, without_docstrings
from tests.paths import ROOT

SOURCE = '''"""A module.

More of it."""
NOTE = """Not
a docstring."""


class Thing:
    """A thing.

    At length."""

    text = """Several
lines."""

    def size(self):
        """Its size.

        At length."""
        return """Several
lines."""

    def plain(self):
        return """No docstring,
but lines."""


class Bare:
    text = """Several
lines."""


def short(size: int) -> int:
    """One line."""


def named():
    """named"""
    return "named"


class Named:
    """Named"""

    name = "Named"


class Sized:
    def __init__(self, size: int) -> None:
        self.size = size

    @property
    def half(self) -> float:
        return self.size / 2

    @half.setter
    def half(self, size: float) -> None:
        self.size = int(size * 2)

    @classmethod
    def small(cls, size: int = 1) -> "Sized":
        return cls(size)

    @staticmethod
    def plain(size: int) -> int:
        return size


TEXTS = ["""a
b""" for _ in "x"]
later = lambda: """c
d"""
'''


def test_docstrings_go_and_nothing_else() -> None:
    found: dict[str, Any] = {}
    exec(without_docstrings(compile(SOURCE, "x.py", "exec", dont_inherit=True)), found)
    thing, bare, short, later = (found[name] for name in ("Thing", "Bare", "short", "later"))
    assert (found["__doc__"], thing.__doc__, thing.size.__doc__) == ("", "", "")
    assert (short.__doc__, bare.__doc__, later.__doc__) == ("", None, None)
    assert found["NOTE"] == "Not\na docstring."
    assert thing.text == bare.text == thing().size() == "Several\nlines."
    assert thing().plain() == "No docstring,\nbut lines."
    assert (found["TEXTS"], later()) == (["a\nb"], "c\nd")
    assert (found["named"](), found["Named"].name) == ("named", "Named")


def test_annotations_of_functions_go_and_those_of_fields_stay() -> None:
    found: dict[str, Any] = {}
    exec(compile(SOURCE, "x.py", "exec", dont_inherit=True), found)
    sized = found["Sized"]
    functions = [found["short"], *(vars(sized)[name] for name in ("__init__", "small", "plain"))]
    functions = [getattr(one, "__func__", one) for one in functions] + [sized.half.fget, sized.half.fset]
    assert all(one.__annotations__ for one in functions)
    for value in (found["short"], sized, "text", None):
        forget_annotations(value)
    assert not any(one.__annotations__ for one in functions)
    assert sized.small().half == 0.5

    class Fields:
        size: int = 1

    forget_annotations(Fields)
    assert Fields.__annotations__ == {"size": int}


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from codes(const)


def gone(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, int]]:
    """Each code with the place of a constant that was taken out."""
    for one, other in zip(codes(before), codes(after), strict=True):
        for place, (was, now) in enumerate(zip(one.co_consts, other.co_consts, strict=True)):
            if isinstance(was, str) and was != now:
                yield one, place


@pytest.mark.parametrize("library", sorted(LIBRARIES))
def test_no_code_of_a_library_uses_what_is_taken_out(library: str) -> None:
    spec = find_spec(library)
    assert spec is not None
    assert spec.origin is not None
    taken = 0
    for file in Path(spec.origin).parent.glob("*.py"):
        code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
        for one, place in gone(code, without_docstrings(code)):
            taken += 1
            steps = [*dis.get_instructions(one)]
            used = [at for at, step in enumerate(steps) if step.opcode in dis.hasconst and step.arg == place]
            names = [steps[at + 1].argval for at in used]
            assert set(names) <= {"__doc__"}, f"{file.name}: {one.co_name}"
    assert taken > 5


def test_serving_imports_them_without() -> None:
    code = (
        "from bot.start import lean_imports; lean_imports(); import discord, telegram, sqlalchemy.sql.selectable as s;"
        "print([len(x.__doc__ or '') for x in (discord.Client, telegram.Message, s.Select, s.Select.where)],"
        " telegram.Bot.send_message.__annotations__)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[0, 0, 0, 0] {}"
