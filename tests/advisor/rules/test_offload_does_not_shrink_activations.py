"""The rule offload_does_not_shrink_activations."""

from advisor.rules import offload_does_not_shrink_activations
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = offload_does_not_shrink_activations.check(
        case(
            model="meta-llama/Llama-3.1-8B",
            kind="oom_help",
            gpus=cards("a100-80gb-sxm"),
            offload="optimizer",
            seq_len=32768,
        )
    )
    assert found is not None


def test_silent_without_offload() -> None:
    assert (
        offload_does_not_shrink_activations.check(
            case(model="meta-llama/Llama-3.1-8B", kind="oom_help", gpus=cards("a100-80gb-sxm"), seq_len=32768)
        )
        is None
    )


def test_silent_where_the_activations_are_what_is_offloaded() -> None:
    slots = {
        "model": "meta-llama/Llama-3.1-8B",
        "kind": "oom_help",
        "offload": "activations",
        "symptoms": ("oom_step",),
    }
    assert offload_does_not_shrink_activations.check(case(**slots, gpus=cards("a100-80gb-sxm"))) is None


def test_leads_where_all_is_offloaded_and_it_would_fit() -> None:
    """Why does the card run out, everything is offloaded: what stays is the answer."""
    slots = {"params_b": 72.0, "kind": "oom_help", "method": "full", "offload": "params", "sharding": "zero3"}
    made = case(**slots, symptoms=("oom_step",))
    found = offload_does_not_shrink_activations.check(made)
    assert found is not None
    assert found.gravity == "stop"
    assert found.facts["rest"] > 5 * 2**30


def test_silent_where_the_cards_hold_what_stays_and_the_ram_decides() -> None:
    eight = tuple(card.model_copy(update={"count": 8}) for card in cards("a100-40gb-pcie"))
    asked = case(params_b=70.0, kind="fits_check", method="full", offload="params", gpus=eight)
    assert asked.advice is not None
    assert asked.advice.verdict.code == "wants_ram"
    assert offload_does_not_shrink_activations.check(asked) is None
