"""Names compared by tokens; typos with a guard."""

import json

from bot.parser.cards.shelf import shelf
from bot.parser.models.book import models
from knowledge.names import NameIndex, Names, following, name_tokens


def test_tokens() -> None:
    assert name_tokens("RTX A6000 48GB") == ("rtx", "a6000", "48", "gb")
    assert name_tokens("Qwen2.5-7B") == ("qwen", "2.5", "7", "b")
    assert name_tokens("qwen 2 7b") != name_tokens("qwen 27b")


def test_the_longest_name_wins() -> None:
    assert shelf().index.trie.find(name_tokens("rtx 3090 ti for lora"), 0) == (3, "rtx-3090-ti")


def test_a_number_inside_a_number_is_no_name() -> None:
    assert shelf().index.trie.find(name_tokens("13090"), 0) is None


def test_an_ambiguous_name_means_its_default() -> None:
    assert shelf().index.trie.find(("a100",), 0) == (1, "a100-80gb-sxm")


def test_nearest_names() -> None:
    assert "rtx-3090" in shelf().index.nearest("3909", 3, least=50)
    assert shelf().index.nearest("zzzzzzzz", 3) == ()
    assert any("Qwen2.5" in name for name in models().index.nearest("qwn2.5 7b", 3))


def test_a_compact_index_knows_the_same_names() -> None:
    """Places that are alike are kept once, and names that begin or end alike stay apart."""
    index, names = NameIndex(), {"small 7b": "a", "small 7b chat": "b", "big 7b": "a", "big 7b chat": "a", "big": "b"}
    for name, entry_id in names.items():
        index.add(entry_id, (name,))
    index.add("c", ("big 7b",))  # taken
    compact = Names(json.loads(json.dumps(index.as_plain())))
    for name, entry_id in names.items():
        assert compact.trie.find(name_tokens(name), 0) == (len(name_tokens(name)), entry_id)
        assert compact.nearest(name, 1) == (entry_id,)
    assert compact.trie.find(("small",), 0) is None
    assert compact.trie.find(("7", "b"), 0) is None


def test_the_last_words_of_the_only_name_left_must_all_be_there() -> None:
    index = NameIndex()
    index.add("a", ("lone 7b chat hf",))
    compact = Names(json.loads(json.dumps(index.as_plain())))
    for text, found in (
        ("lone 7b chat hf", 5),
        ("lone 7b chat hf q4", 5),
        ("lone 7b chat", None),
        ("lone 7b hf", None),
    ):
        assert compact.trie.find(name_tokens(text), 0) == ((found, "a") if found else None)
    assert following(compact.trie.root["lone"]) == {"7"}
