"""Names compared by tokens; typos with a guard."""

from knowledge.catalog import load_catalog
from knowledge.names import NameIndex, name_tokens


def index() -> NameIndex:
    return NameIndex.of(load_catalog())


def test_tokens() -> None:
    assert name_tokens("RTX A6000 48GB") == ("rtx", "a6000", "48", "gb")
    assert name_tokens("Qwen2.5-7B") == ("qwen", "2.5", "7", "b")
    assert name_tokens("qwen 2 7b") != name_tokens("qwen 27b")


def test_the_longest_name_wins() -> None:
    tokens = name_tokens("rtx 3090 ti for lora")
    hit = index().find(tokens, 0) or index().find(tokens, 1)
    assert hit is not None
    assert hit.id == "rtx-3090-ti"


def test_a_number_inside_a_number_is_no_name() -> None:
    assert index().find(name_tokens("13090"), 0) is None


def test_an_ambiguous_name_means_its_default() -> None:
    assert index().exact("a100", "gpu") == "a100-80gb-sxm"


def test_nearest_names() -> None:
    assert "rtx-3090" in index().nearest("3909", 3, "gpu", least=50)
    assert index().nearest("zzzzzzzz", 3, "gpu") == ()
    assert any("Qwen2.5" in name for name in index().nearest("qwn2.5 7b", 3, "model"))


def test_digits_are_never_corrected() -> None:
    assert index().corrected("rtx 3909", "gpu") is None
    assert index().corrected("lama 3 8b", "model") in ("meta-llama/Meta-Llama-3-8B", None)
