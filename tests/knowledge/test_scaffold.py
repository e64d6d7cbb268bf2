"""new-gpu, new-model, new-price, new-language: what they write is sound, or they write nothing."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from knowledge import compiled
from knowledge.__main__ import app
from knowledge.catalog import build
from tests.knowledge.conftest import SOUND, Facts

RUNNER = CliRunner()
A_CARD = {
    "id": "l4",
    "name": "L4",
    "vendor": "nvidia",
    "family": "Ada Lovelace",
    "architecture": "Ada Lovelace",
    "segment": "datacenter",
    "compute-capability": "7.5",
    "vram-gb": "24",
    "mem-type": "GDDR6",
    "bandwidth-gb-s": "300",
    "release-year": "2023",
    "source": "https://example.org/l4",
    "bf16-dense-tflops": "121",
    "tdp-w": "72",
    "aliases": "nvidia l4, l4 24gb",
}
A_MODEL = {
    "id": "meta-llama/Llama-2-13b-hf",
    "family": "llama2",
    "file": "meta.yaml",
    "hidden-size": "5120",
    "layers": "40",
    "heads": "40",
    "intermediate-size": "13824",
    "vocab-size": "32000",
    "max-context": "4096",
    "source": "https://example.org/config.json",
    "params-published": "13015864320",
    "aliases": "llama 2 13b",
    "kv-heads": "0",
    "head-dim": "0",
}


def run(command: str, options: dict[str, str], facts: Facts, *more: str) -> tuple[int, str]:
    words = [word for key, value in options.items() for word in (f"--{key}", value)]
    result = RUNNER.invoke(app, [command, *words, *more, "--facts", str(facts.folder)])
    return result.exit_code, result.output


def test_a_new_card_is_read_back(facts: Facts) -> None:
    code, output = run("new-gpu", A_CARD, facts)
    assert (code, output.strip().endswith("gpus/nvidia-datacenter.yaml")) == (0, True)
    card = build(compiled.read_yaml_tree(facts.folder)).gpus["l4"]
    assert (card.vram_gb, card.bf16_dense_tflops, card.family) == (24, 121, "Ada Lovelace")
    assert card.aliases == ("nvidia l4", "l4 24gb")
    assert facts.faults() == []


def test_what_stood_in_the_file_stays_as_it_was(facts: Facts) -> None:
    run("new-gpu", A_CARD, facts)
    text = (facts.folder / "gpus/nvidia-datacenter.yaml").read_text(encoding="utf-8")
    assert text.startswith(SOUND["gpus/nvidia-datacenter.yaml"].rstrip("\n"))


def test_a_new_card_joins_its_family(facts: Facts) -> None:
    run("new-gpu", {**A_CARD, "family": "Turing"}, facts)
    text = (facts.folder / "gpus/nvidia-datacenter.yaml").read_text(encoding="utf-8")
    assert text.count("Turing:\n") == 1
    assert build(compiled.read_yaml_tree(facts.folder)).gpus["l4"].family == "Turing"


def test_a_card_that_is_not_sound_is_not_written(facts: Facts) -> None:
    code, output = run("new-gpu", {**A_CARD, "aliases": "t4"}, facts)
    assert code == 1
    assert "'t4' already means t4" in output
    assert "l4:" not in (facts.folder / "gpus/nvidia-datacenter.yaml").read_text(encoding="utf-8")


def test_a_new_model_is_counted_and_read_back(facts: Facts) -> None:
    code, _ = run("new-model", A_MODEL, facts, "--no-tie-embeddings")
    assert code == 0
    model = build(compiled.read_yaml_tree(facts.folder)).models["meta-llama/Llama-2-13b-hf"]
    assert model.params_total == 13_015_864_320
    assert model.family == "llama2"


def test_a_model_whose_count_is_off_is_not_written(facts: Facts) -> None:
    code, output = run("new-model", {**A_MODEL, "layers": "41"}, facts, "--no-tie-embeddings")
    assert code == 1
    assert "published" in output
    assert "13b" not in (facts.folder / "models/meta.yaml").read_text(encoding="utf-8")


def test_a_new_price_joins_those_of_its_card(facts: Facts) -> None:
    price = {
        "gpu": "t4",
        "kind": "cloud",
        "price": "0.2",
        "provider": "Vast.ai",
        "date": "2026-11-30",
        "source": "https://a.example",
    }
    code, _ = run("new-price", price, facts)
    assert code == 0
    prices = build(compiled.read_yaml_tree(facts.folder)).prices_of("t4")
    assert [(p.kind, p.price, p.date) for p in prices] == [("cloud", 0.2, "2026-11-30"), ("used", 600, "2026-05")]


def test_a_price_without_a_day_is_not_written(facts: Facts) -> None:
    price = {
        "gpu": "t4",
        "kind": "cloud",
        "price": "0.2",
        "provider": "Vast.ai",
        "date": "soon",
        "source": "https://a.example",
    }
    code, output = run("new-price", price, facts)
    assert code == 1
    assert "date: " in output


@pytest.fixture
def lang(tmp_path: Path) -> Path:
    folder = tmp_path / "lang"
    (folder / "en" / "faq").mkdir(parents=True)
    (folder / "en" / "faq" / "lora.md").write_text("---\nid: lora\nclaims: [S03]\n---\nText.\n")
    (folder / "en" / "phrases.yaml").write_text("claims: {a: [b]}\n")
    return folder


def test_a_new_language_starts_as_a_copy(lang: Path) -> None:
    result = RUNNER.invoke(app, ["new-language", "fr", "--lang", str(lang)])
    assert result.exit_code == 0
    assert (lang / "fr" / "faq" / "lora.md").read_text() == (lang / "en" / "faq" / "lora.md").read_text()


@pytest.mark.parametrize("code", ["en", "../fr", "FR", ""])
def test_a_language_that_exists_or_is_no_code_is_refused(lang: Path, code: str) -> None:
    result = RUNNER.invoke(app, ["new-language", code, "--lang", str(lang)])
    assert result.exit_code == 1
    assert not (lang.parent / "fr").exists()


def test_check_lists_the_faults_of_facts_and_languages(facts: Facts, lang: Path) -> None:
    facts.change("prices.yaml", "date: 2026-05, ", "")
    (lang / "de").mkdir()
    result = RUNNER.invoke(app, ["check", "--facts", str(facts.folder), "--lang", str(lang)])
    assert result.exit_code == 1
    assert "prices.yaml: entry 't4 (price 1)' needs fixing:\n  date: Field required" in result.output
    assert "lang/de needs fixing:\n  faq/lora.md: is missing; write it after lang/en/faq/lora.md" in result.output


def test_check_names_a_file_with_another_ending(facts: Facts, lang: Path) -> None:
    facts.write("gpus/more.yml", "Turing: {}\n")
    result = RUNNER.invoke(app, ["check", "--facts", str(facts.folder), "--lang", str(lang)])
    assert "gpus/more.yml needs fixing:\n  only files that end in .yaml are read; rename it" in result.output


def test_check_says_so_when_all_is_sound(facts: Facts, lang: Path) -> None:
    result = RUNNER.invoke(app, ["check", "--facts", str(facts.folder), "--lang", str(lang)])
    assert (result.exit_code, result.output.strip()) == (0, "The knowledge is sound.")
