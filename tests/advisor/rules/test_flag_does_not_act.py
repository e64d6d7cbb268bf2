"""The rule flag_does_not_act."""

from advisor.rules import flag_does_not_act
from tests.advisor.rules.ask import case


def test_counts_a_copy_for_every_process() -> None:
    found = flag_does_not_act.check(
        case(params_b=72.0, kind="system_ram", n_gpus=16, symptoms=("killed", "efficient_loading"))
    )
    assert found is not None
    assert found.facts["ranks"] == 16
    assert found.facts["all"] == 16 * found.facts["copy"]


def test_silent_where_nothing_failed() -> None:
    made = case(params_b=72.0, kind="faq_definition", n_gpus=16, symptoms=("efficient_loading",))
    assert flag_does_not_act.check(made) is None
