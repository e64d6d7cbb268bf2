"""Threats of deploy/README.md, section Security, to the code as a whole; the others are tested where they strike."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.messages import Question
from bot.pipeline import answer
from tests.paths import ROOT

SOURCES = sorted(path for package in ("bot", "advisor", "knowledge") for path in (ROOT / package).rglob("*.py"))
CALLS = {"eval", "exec", "compile", "__import__", "system", "popen", "fork", "unsafe_load", "full_load"}
MODULES = {"pickle", "dill", "shelve", "marshal", "subprocess", "pty", "ctypes", "code"}
ALLOWED = {"knowledge/__main__.py": ["subprocess"]}
"""A developer's command that runs `whichgpu fit` anew; nothing that comes in reaches it."""
CODE_IN_A_QUESTION = (
    "does {{ 7777 * 7777 }} fit on a 3090?",
    "{% for x in range(10**9) %}{{ x }}{% endfor %} 13b qlora",
    "{{ config.__class__.__init__.__globals__['os'].popen('id').read() }} 8b lora",
    "qlora for ${7777*7777} or <%= 7777*7777 %> or #{7777*7777} on a 4090",
    "!!python/object/apply:os.system ['id']\nbase_model: x\nsequence_len: 4096\nadapter: qlora",
    "base_model: &a [*a, *a]\nadapter: lora\nsequence_len: 2048",
    "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nadapter: lora",
    '{"base_model": ' + "[" * 5_000 + "]" * 5_000 + "}",
    "torch.cuda.OutOfMemoryError: " + "(" * 20_000,
)  # fmt: skip


def calls(path: Path) -> Iterator[str]:
    """What a file calls by a dangerous name, and what it imports that can run or load anything."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in CALLS:
                yield node.func.id
            elif isinstance(node.func, ast.Attribute) and node.func.attr in CALLS - {"compile"}:
                yield node.func.attr
            elif isinstance(node.func, ast.Attribute) and node.func.attr == "load":
                given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
                loader = given.get("Loader", ast.unparse(node.args[1]) if len(node.args) > 1 else "")
                if ast.unparse(node.func.value) == "yaml" and "Safe" not in loader:
                    yield "yaml.load"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            yield from (name for name in names if name.split(".")[0] in MODULES)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_that_comes_in_can_be_run(path):
    assert list(calls(path)) == ALLOWED.get(path.relative_to(ROOT).as_posix(), [])


@pytest.mark.parametrize("text", CODE_IN_A_QUESTION)
def test_code_in_a_question_stays_text(text):
    given = answer(Question(text=text, asked="direct"))
    assert given.error is None
    said = given.reply.model_dump_json()
    assert str(7777 * 7777) not in said
    assert "uid=" not in said
