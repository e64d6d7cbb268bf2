"""The rule share_trained."""

import pytest

from advisor.rules import share_trained
from advisor.stacks import GIB
from bot.parser.slots import Slots
from bot.parser.trained import state_trained
from tests.advisor.rules.ask import cards, case

QWEN = {"kind": "oom_help", "model": "Qwen/Qwen-1_8B", "method": "lora", "symptoms": ("oom_step",)}


def test_speaks_where_embeddings_are_trained() -> None:
    found = share_trained.check(case(**QWEN, gpus=cards("rtx-3060-12gb"), trainable_params=676_003_840))
    assert found is not None
    assert 0.26 < found.facts["share"] < 0.28
    assert 10.0 * GIB < found.facts["size"] < 10.2 * GIB
    assert found.facts["alone"] < found.facts["usable"]


def test_says_so_where_no_adapter_is_at_work() -> None:
    found = share_trained.check(case(**QWEN, trainable_params=1_836_828_672))
    assert found is not None
    assert found.facts["whole"]


def test_silent_without_a_count() -> None:
    assert share_trained.check(case(**QWEN)) is None


def test_silent_where_all_is_trained_on_purpose() -> None:
    assert share_trained.check(case(**(QWEN | {"method": "full"}), trainable_params=1_836_828_672)) is None


@pytest.mark.parametrize(
    ("text", "trained"),
    [
        ("trainable params: 676,003,840 || all params: 2,512,832,512 || trainable%: 26.9", 676_003_840),
        ("it says 20% of the parameters are trainable", 450_000_000),
        ("20 % der Parameter sind trainierbar", 450_000_000),
        ("trainable%: 20", 450_000_000),
        ("trainable params: 41,943,040 || all params: 8,072,204,288 || trainable%: 0.5196", None),
        ("a trainable adapter of 20 MB", None),
        ("90% of the data is training data", None),
    ],
)
def test_reads_the_share(text: str, trained: int | None) -> None:
    slots = Slots()
    slots.state("params_b", 1.8)
    state_trained(slots, text)
    assert slots.values.get("trainable_params") == trained
