"""A rule is one file, one test and one template per language; a forgotten one is named here."""

from pathlib import Path

import pytest
from jinja2 import Environment, meta, nodes

from advisor import rules
from advisor.rules import CHECKS
from bot.renderer.environment import environment
from knowledge.language import load_language
from tests.paths import ROOT

LANGUAGES = ("en", "de")
CODES = [code for code, _ in CHECKS]


def template_path(code: str, language: str) -> Path:
    return Path(str(load_language(language).answers)) / "findings" / f"{code}.md.j2"


def facts_used(path: Path) -> set[str]:
    """The facts of the finding that a template reads: f.name."""
    tree = Environment(autoescape=False).parse(path.read_text("utf-8"))
    return {
        node.attr
        for node in tree.find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == "f"
    }


@pytest.mark.parametrize("code", CODES)
def test_rule_has_its_test(code: str) -> None:
    test = ROOT / "tests" / "advisor" / "rules" / f"test_{code}.py"
    assert test.exists(), f"write {test.relative_to(ROOT)}: when it speaks, when it is silent"
    assert "silent" in test.read_text("utf-8"), f"{test.name} needs a case in which the rule is silent"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_rule_has_its_template(code: str, language: str) -> None:
    assert template_path(code, language).exists(), f"write answers/findings/{code}.md.j2 in {language}"


@pytest.mark.parametrize("code", CODES)
def test_languages_use_the_same_facts(code: str) -> None:
    used = {language: facts_used(template_path(code, language)) for language in LANGUAGES}
    assert used["de"] == used["en"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_template_without_a_rule(language: str) -> None:
    folder = template_path("x", language).parent
    assert {path.name.removesuffix(".md.j2") for path in folder.glob("*.j2")} <= set(CODES)


def test_templates_know_only_what_they_are_given() -> None:
    for code in CODES:
        source = template_path(code, "en").read_text("utf-8")
        names = meta.find_undeclared_variables(environment("en").parse(source))
        assert names <= {"f", "finding", "w"}, f"findings/{code}.md.j2 uses {sorted(names)}"


def test_every_belief_has_its_rule() -> None:
    beliefs = set(load_language("en").phrases["claims"])
    assert beliefs <= {code for code, _ in rules.CHECKS}
