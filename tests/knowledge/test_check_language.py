"""What one language says and another does not is named."""

from pathlib import Path

import pytest

from knowledge.check_language import language_faults
from knowledge.faults import Fault

PAGE = "---\nid: lora\nclaims: [S03]\n---\nText.\n"


@pytest.fixture
def lang(tmp_path: Path) -> Path:
    """Two languages that say the same, and what is shared."""
    for code in ("de", "en"):
        for name, text in {
            "faq/lora.md": PAGE,
            "answers/help.md.j2": "Text.\n",
            "answers/findings/rule.md.j2": "Text.\n",
            "answers/words.yaml": "verdict: {yes: ja, no: nein}\n",
            "phrases.yaml": "claims: {adds_up: [a b]}\nwords: {oom: [oom]}\n",
        }.items():
            (tmp_path / code / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / code / name).write_text(text)
    (tmp_path / "any").mkdir()
    (tmp_path / "any" / "phrases.yaml").write_text("ignore: [cuda]\n")
    return tmp_path


def test_two_languages_that_say_the_same_have_no_fault(lang: Path) -> None:
    assert language_faults(lang) == []


@pytest.mark.parametrize("name", ["faq/lora.md", "answers/help.md.j2", "answers/findings/rule.md.j2", "phrases.yaml"])
@pytest.mark.parametrize(("code", "other"), [("de", "en"), ("en", "de")])
def test_a_missing_file_is_named(lang: Path, name: str, code: str, other: str) -> None:
    (lang / code / name).unlink()
    assert Fault(f"lang/{code}", "", name, f"is missing; write it after lang/{other}/{name}") in language_faults(lang)


def test_a_missing_word_is_named(lang: Path) -> None:
    (lang / "de" / "answers" / "words.yaml").write_text("verdict: {yes: ja}\n")
    what = "is missing; lang/en/answers/words.yaml has it"
    assert language_faults(lang) == [Fault("lang/de/answers/words.yaml", "", "verdict.no", what)]


def test_a_missing_code_among_the_phrases_is_named(lang: Path) -> None:
    (lang / "de" / "phrases.yaml").write_text("claims: {}\nwords: {oom: [oom]}\n")
    what = "is missing; lang/en/phrases.yaml has it"
    assert language_faults(lang) == [Fault("lang/de/phrases.yaml", "", "claims.adds_up", what)]


def test_a_language_divides_its_own_words_as_it_likes(lang: Path) -> None:
    (lang / "de" / "phrases.yaml").write_text(
        "claims: {adds_up: [c]}\nwords: {speicher: [zu wenig speicher]}\nown: [x]\n"
    )
    assert language_faults(lang) == []


def test_a_page_under_another_name_is_named(lang: Path) -> None:
    (lang / "de" / "faq" / "lora.md").write_text(PAGE.replace("id: lora", "id: qlora"))
    assert language_faults(lang) == [Fault("lang/de/faq/lora.md", "", "id", "should be 'lora', as the file is named")]


def test_a_related_page_that_is_not_there_is_named(lang: Path) -> None:
    (lang / "de" / "faq" / "lora.md").write_text(PAGE.replace("claims:", "related: [lora, qlora]\nclaims:"))
    assert language_faults(lang) == [Fault("lang/de/faq/lora.md", "", "related", "no page is called 'qlora'")]


def test_a_page_without_front_matter_is_named(lang: Path) -> None:
    (lang / "de" / "faq" / "lora.md").write_text("Text.\n")
    what = "should begin with '---', its fields, and '---' before the text"
    assert language_faults(lang) == [Fault("lang/de/faq/lora.md", "", "", what)]


def test_claims_that_differ_are_named(lang: Path) -> None:
    (lang / "en" / "faq" / "lora.md").write_text(PAGE.replace("[S03]", "[S03, S63]"))
    assert language_faults(lang) == [Fault("lang/en/faq/lora.md", "", "claims", "S03, S63; lang/de has S03")]


def test_a_file_that_is_not_yaml_is_named(lang: Path) -> None:
    (lang / "de" / "phrases.yaml").write_text("claims: [\n")
    (fault,) = language_faults(lang)
    assert fault.file == "lang/de/phrases.yaml"
    assert fault.what.startswith("is not valid YAML")
