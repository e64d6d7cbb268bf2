"""Every verdict's code has one meaning, told in one place."""

import itertools
import re
from collections.abc import Iterator

from advisor import verdicts
from advisor.advisor import advise
from advisor.query import Kind
from bot.messages import Question
from bot.pipeline import answer
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import stated
from tests.advisor.topics.test_every_topic import CARDS, MODELS, MORE
from tests.dialogues.script import LANGUAGES, files, read
from tests.paths import ROOT

ANSWERS = ROOT / "knowledge" / "lang" / "en" / "answers"
PARTS = {"m.md.j2", "unsaid.md.j2"}
"""Macros: their codes are of other things."""
ONE = re.compile(r'(?:(?<![.\w])code|verdict\.code) ==? "([a-z_0-9]+)"')
SEVERAL = re.compile(r"(?:(?<![.\w])code|verdict\.code) (?:not )?in \(([^)]*)\)")


def of_templates() -> Iterator[str]:
    for path in ANSWERS.glob("*.md.j2"):
        if path.name not in PARTS:
            text = path.read_text("utf-8")
            yield from ONE.findall(text)
            for group in SEVERAL.findall(text):
                yield from re.findall(r'"([a-z_0-9]+)"', group)


def of_questions() -> Iterator[str]:
    for kind, model, cards, more in itertools.product(Kind, MODELS, CARDS, MORE):
        slots = {**model, **cards, **more}
        query = stated(kind, **slots)
        yield advise(query, load_catalog()).verdict.code


def of_dialogues() -> Iterator[str]:
    for path in (path for language in LANGUAGES for path in files(language)):
        given = answer(Question(text=read(path)[1][0].asked, asked="direct"))
        if given.advice is not None:
            yield given.advice.verdict.code


def test_no_code_is_forgotten() -> None:
    missing = {*of_templates(), *of_questions(), *of_dialogues()} - verdicts.ALL
    assert not missing, f"put into advisor/verdicts.py what these mean: {sorted(missing)}"


def test_a_code_has_one_meaning() -> None:
    for one, other in itertools.combinations((verdicts.FITS, verdicts.FAILS, verdicts.CAUSES, verdicts.NEITHER), 2):
        assert not one & other
