"""The rule table_covers_me."""

from advisor.rules import table_covers_me
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = table_covers_me.check(
        case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("t4", 8), claims=("table_covers_me",))
    )
    assert found is not None


def test_a_figure_far_off_is_called_wrong() -> None:
    said = {"params_b": 7.0, "kind": "fits_check", "seq_len": 2048, "micro_batch": 1, "claims": ("table_covers_me",)}
    found = table_covers_me.check(case(**said, seen_gib=177.0))
    assert found is not None
    assert found.facts["seen"] > 2 * found.facts["estimate"]
    near = table_covers_me.check(case(**said, seen_gib=16.0))
    assert near is not None
    assert near.facts["seen"] is None


def test_silent_without_it() -> None:
    assert table_covers_me.check(case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("t4", 8))) is None


def test_silent_about_system_ram() -> None:
    made = case(params_b=70.0, kind="system_ram", gpus=cards("a100-40gb-pcie", 8), claims=("table_covers_me",))
    assert table_covers_me.check(made) is None


def test_silent_where_the_answer_sets_both_figures_side_by_side() -> None:
    made = case(
        model="meta-llama/Llama-3.1-8B", kind="fits_check", method="full", trainer="torchtune",
        gpus=cards("rtx-4090"), claims=("table_covers_me",),
    )  # fmt: skip
    assert table_covers_me.check(made) is None


def test_a_record_of_length_has_everything_on_at_once() -> None:
    asked = {"kind": "context_length", "params_b": 70.0, "method": "qlora", "seq_len": 32_768}
    found = table_covers_me.check(case(**asked, claims=("table_covers_me",)))
    assert found is not None
    assert found.facts["long"]
