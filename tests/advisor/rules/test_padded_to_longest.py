"""The rule padded_to_longest."""

from advisor.rules import padded_to_longest
from tests.advisor.rules.ask import case

DIES = {"kind": "oom_help", "params_b": 8.0, "seq_len": 32768, "symptoms": ("oom_later", "asks_padding")}


def test_speaks_of_the_maximum_that_was_named() -> None:
    found = padded_to_longest.check(case(**DIES))
    assert found is not None
    assert found.facts["tokens"] == 32768


def test_silent_where_examples_are_packed() -> None:
    assert padded_to_longest.check(case(**DIES, packing=True)) is None


def test_silent_unasked() -> None:
    assert padded_to_longest.check(case(**(DIES | {"symptoms": ("oom_later",)}))) is None
