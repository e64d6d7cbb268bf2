"""The rule killed_is_vram."""

from advisor.rules import killed_is_vram
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = killed_is_vram.check(
        case(model="meta-llama/Llama-3.1-8B", kind="method_choice", gpus=cards("rtx-3090", 2), symptoms=("killed",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        killed_is_vram.check(case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("rtx-3090", 2))) is None
    )


def test_ranks_are_those_of_one_machine() -> None:
    made = case(params_b=70.0, kind="fits_check", gpus=cards("a100-40gb-pcie", 24), nodes=3, claims=("killed_is_vram",))
    found = killed_is_vram.check(made)
    assert found is not None
    assert found.facts["ranks"] == 8


def test_silent_where_the_answer_is_about_ram_anyway() -> None:
    made = case(params_b=70.0, kind="multi_gpu", gpus=cards("a100-40gb-pcie", 8), symptoms=("killed",))
    assert made.advice is not None
    assert made.advice.verdict.code == "killed"
    assert killed_is_vram.check(made) is None
