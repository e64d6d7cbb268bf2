"""The corpus: what people say and what it means, and an example for and against every phrase rule."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest
import yaml

from advisor.query import Query
from bot.messages import Question
from bot.parser import read
from bot.parser.findings import Target
from bot.parser.grammar import Grammar, compiled
from bot.parser.numbers import numbers_of
from bot.parser.text import Message
from knowledge.language import LANGUAGES, load_language, shared_phrases
from tests.paths import ROOT

SECTIONS = ("ignore", "numbers", "values", "kinds", "claims", "symptoms", "marks", "words")
SECTION_OF_ATOMS = "atom"


@cache
def corpus(language: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "tests" / "corpus" / f"{language}.yaml").read_text(encoding="utf-8"))
    return found


def questions() -> Iterable[Any]:
    for language in LANGUAGES:
        for entry in corpus(language)["questions"]:
            for text in entry["say"]:
                yield pytest.param(text, entry["mean"], id=text[:60])


def told(query: Query, slot: str) -> object:
    if slot == "gpus":
        return ", ".join(f"{card.count}x {card.gpu or f'{card.vram_gb:g} GB'}" for card in query.gpus)
    return getattr(query, slot)


@pytest.mark.parametrize(("text", "mean"), list(questions()))
def test_a_question_means_what_the_corpus_says(text: str, mean: Mapping[str, Any]) -> None:
    query = read(Question(text=text)).query
    found = {slot: told(query, slot) for slot in mean}
    assert found == {
        slot: pytest.approx(value, rel=1e-3) if isinstance(value, float) else value for slot, value in mean.items()
    }


def phrases_of(table: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """(rule, phrase) of a language's own phrases: rule as the corpus names it."""
    for section in SECTIONS:
        entries = table.get(section) or {}
        kind = SECTION_OF_ATOMS if section == "words" else section
        if isinstance(entries, list):
            yield from ((section, str(phrase)) for phrase in entries)
            continue
        for name, values in entries.items():
            lists = values.values() if isinstance(values, Mapping) else [values]
            yield from ((f"{kind}.{name}", str(phrase)) for phrases in lists for phrase in phrases or ())


def rule_of(target: Target) -> str:
    return target.section if target.section == target.name else f"{target.section}.{target.name}"


def found_in(grammar: Grammar, text: str, german: bool) -> set[tuple[str, str]]:
    message = Message.of(text)
    return {(rule_of(target), target.phrase) for target in grammar.matches(message, numbers_of(message, german))}


def tables(language: str) -> list[Mapping[str, Any]]:
    own = load_language(language).phrases
    return [shared_phrases(), own] if language == "en" else [own]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_has_an_example(language: str) -> None:
    grammar = Grammar(compiled(language))
    shown: set[tuple[str, str]] = set()
    for entry in corpus(language)["phrases"].values():
        for text in entry["say"]:
            shown |= found_in(grammar, text, language == "de")
    wanted = {pair for table in tables(language) for pair in phrases_of(table)}
    missing = sorted(wanted - shown)
    assert not missing, f"tests/corpus/{language}.yaml has no example that contains: {missing[:20]}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_counterexample_that_it_is_not_found_in(language: str) -> None:
    grammar = Grammar(compiled(language))
    for table in tables(language):
        for rule in dict.fromkeys(rule for rule, _ in phrases_of(table)):
            texts = corpus(language)["phrases"][rule]["not"]
            assert texts, f"{language}: {rule} has no counterexample"
            for text in texts:
                section, _, slot = rule.partition(".")
                if section in ("numbers", "values"):
                    assert slot not in read(Question(text=text)).query.stated, f"{language}: {text!r} states {slot}"
                    continue
                wrong = [phrase for name, phrase in found_in(grammar, text, language == "de") if name == rule]
                assert not wrong, f"{language}: {rule} is found in {text!r} by {wrong}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_corpus_names_only_rules_that_there_are(language: str) -> None:
    rules = {rule for table in tables(language) for rule, _ in phrases_of(table)}
    assert set(corpus(language)["phrases"]) <= rules
