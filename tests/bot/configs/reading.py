"""Configurations read back: calls of a script, a mapping, the flags of a command."""

import ast
import shlex
from typing import Any

import yaml

from bot.configs.values import Values

from .cases import misfit


def name_of(values: Values) -> str:
    """A short name of a case for the test's report."""
    method = "full" if values.full else f"{values.bits}bit" + ("-dora" if values.dora else "")
    return f"{values.model}-{method}-{len(values.modules)}-{values.n_gpus}{'-sharded' if values.sharded else ''}"


def python(text: str) -> dict[str, dict[str, ast.expr]]:
    """The calls of a script: dotted name → keyword → value. Fails when the script is not Python."""
    calls: dict[str, dict[str, ast.expr]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            calls.setdefault(ast.unparse(node.func), {}).update({k.arg: k.value for k in node.keywords if k.arg})
    return calls


def keywords_fit(call: dict[str, ast.expr], accepted: dict[str, str]) -> None:
    for name, node in call.items():
        assert name in accepted, name
        try:
            value = ast.literal_eval(node)
        except ValueError:
            continue  # torch.bfloat16 and other names
        assert not misfit(list(value) if isinstance(value, tuple) else value, accepted[name]), (name, value)


def mapping(text: str) -> dict[str, Any]:
    loaded = yaml.safe_load(text)
    assert isinstance(loaded, dict)
    return loaded


def flags(text: str, program: list[str]) -> dict[str, list[str]]:
    """The arguments of a shell command as a shell splits them: flag → values."""
    words = [word for word in shlex.split(text.replace("\\\n", " "), comments=True) if "=" not in word]
    assert words[: len(program)] == program
    found: dict[str, list[str]] = {}
    for word in words[len(program) :]:
        if word.startswith("--"):
            found[word] = []
        else:
            found[list(found)[-1]].append(word)
    return found


def as_kind(words: list[str]) -> Any:
    """Values of a flag as the kind they read as."""
    if len(words) != 1:
        return words
    return yaml.safe_load(words[0])
