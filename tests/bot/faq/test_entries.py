"""The entries themselves: every claim has one, both languages say the same things, every answer fits a phone."""

import re
from pathlib import Path

import pytest

from bot import faq
from bot.faq import entries
from bot.faq.entries import LANG, entries_of
from bot.messages import Table, Text
from knowledge.faults import KnowledgeFaults

LANGUAGES = sorted(path.parent.name for path in LANG.glob("*/faq"))
CLAIMS = [
    *("S01", "S02", "S03"),
    *("S10", "S11", "S12", "S13", "S14"),
    *("S20", "S21", "S22", "S23", "S24"),
    *("S30", "S31", "S32", "S40"),
    *("S50", "S51", "S52", "S53", "S54"),
    *("S60", "S61", "S62", "S63", "S64", "S65", "S66", "S67"),
]
ENTRIES = [(language, entry) for language in LANGUAGES for entry in entries_of(language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_claim_has_an_entry(language: str) -> None:
    covered = {claim for entry in entries_of(language).values() for claim in entry.claims}
    assert sorted(covered) == CLAIMS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_can_be_asked_for_by_its_id(claim: str, language: str) -> None:
    entry = faq.find(claim, language)
    assert entry is not None
    assert claim in entries_of(language)[entry].claims


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_the_languages_hold_the_same_entries(language: str) -> None:
    english, other = entries_of("en"), entries_of(language)
    assert list(other) == list(english)
    for key, entry in english.items():
        for field in ("claims", "related", "reach", "beside"):
            assert getattr(other[key], field) == getattr(entry, field), (key, field)
        assert bool(re.search(r"^\|", other[key].text, re.M)) == bool(re.search(r"^\|", entry.text, re.M)), key


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_the_languages_name_the_same_figures(language: str) -> None:
    for key, entry in entries_of("en").items():
        here, there = figures(entry.text, "en"), figures(entries_of(language)[key].text, language)
        assert len(here ^ there) <= max(4, len(here) // 4), (key, here ^ there)


def figures(text: str, language: str) -> set[str]:
    """The numbers of a text, written alike."""
    found = re.findall(r"\d+(?:[.,]\d+)*", text)
    if language == "de":
        found = [number.replace(".", "").replace(",", ".") for number in found]
    return {number.replace(",", "") for number in found}


@pytest.mark.parametrize(("language", "entry"), ENTRIES)
def test_an_answer_fits_a_phone_and_leads_with_its_point(language: str, entry: str) -> None:
    reply = faq.answer(entry, language)
    assert reply.language == language
    assert len(reply.text) <= 900
    first = reply.text.split("\n", 1)[0]
    assert re.fullmatch(r"\*\*[^*]+\*\*|\*\*[^*].*[^*]\*\*", first), first
    assert 20 <= len(reply.title) <= 260
    assert "*" not in reply.title
    for block in reply.blocks:
        if isinstance(block, Table):
            assert {len(row) for row in block.rows} == {len(block.header)}
        else:
            assert isinstance(block, Text)
            assert not re.search(r"^#|^\||<[a-z/]|\{\{", block.markdown, re.M)
            assert block.markdown.count("**") % 2 == 0
            assert block.markdown.count("`") % 2 == 0


@pytest.mark.parametrize(("language", "entry"), ENTRIES)
def test_buttons_lead_to_entries(language: str, entry: str) -> None:
    for button in faq.answer(entry, language).buttons:
        name, _, other = button.change.partition("=")
        assert name == "faq"
        assert other != entry
        assert button.label == faq.title(other, language)
        assert len(button.change) <= 40


def test_prices_carry_date_and_source() -> None:
    for language, entry in ENTRIES:
        for gpu, kind in re.findall(r"price\('([^']+)', '([^']+)'\)", entries_of(language)[entry].text):
            assert re.fullmatch(r"[\d.,–]+ USD \([^()]*20\d\d, [a-z0-9.-]+\)", faq.price(gpu, kind, language))
    with pytest.raises(KeyError):
        faq.price("rtx-3090", "stolen", "en")


def test_german_says_du() -> None:
    for key, entry in entries_of("de").items():
        assert not re.search(r"[a-zäöüß,] (Sie|Ihnen|Ihre?[mnrs]?)\b", entry.text), key


def test_a_language_without_entries_answers_in_english() -> None:
    assert faq.answer("qlora", "xx").language == "en"
    with pytest.raises(KeyError):
        faq.answer("no-such-entry", "de")


def test_every_fault_is_named_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHICHGPU_COMPILED_DIR", str(tmp_path / "compiled"))
    folder = tmp_path / "xy" / "faq"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("no front matter at all", "utf-8")
    (folder / "b.md").write_text("---\nid: b\ntitle: T\nasks: [x]\ncolour: red\n---\nshort\n", "utf-8")
    (folder / "d.md").write_text("---\nid: [\n---\n", "utf-8")
    monkeypatch.setattr(entries, "LANG", tmp_path)
    with pytest.raises(KnowledgeFaults) as caught:
        entries_of("xy")
    said = str(caught.value)
    for part in ("a.md", "front matter", "b.md", "colour", "asks", "d.md"):
        assert part in said


def test_a_page_may_continue_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHICHGPU_COMPILED_DIR", str(tmp_path / "compiled"))
    folder = tmp_path / "xz" / "faq"
    folder.mkdir(parents=True)
    head = "---\nid: {0}\ntitle: Page {0}\nasks: [one way, another]\nupdated: 2026-11-30\n{1}---\n"
    lead = "**A first paragraph that says forty letters or more.**"
    (folder / "a.md").write_text(head.format("a", "reach: setting\n") + f"{lead}\n\nWhy.\n\n" + "long " * 180, "utf-8")
    (folder / "b.md").write_text(head.format("b", "continues: a\n") + f"{lead} And yes.\n", "utf-8")
    monkeypatch.setattr(entries, "LANG", tmp_path)
    entry = entries_of("xz")["b"]
    assert entry.text == f"{lead} And yes.\n\nWhy."  # the long paragraph would not fit
    assert (entry.reach, entry.related) == (entries.Reach.SETTING, ("a",))
    entries_of.cache_clear()
    (folder / "c.md").write_text(head.format("c", "continues: b\n") + lead, "utf-8")
    with pytest.raises(KnowledgeFaults, match="no entry that stands alone is called 'b'"):
        entries_of("xz")
