"""The rule mlx_keeps_activations."""

from advisor.rules import mlx_keeps_activations
from tests.advisor.rules.ask import cards, case


def test_speaks_where_much_was_seen_or_it_failed() -> None:
    seen = case(
        kind="context_length", gpus=cards("apple-m3-max"), trainer="mlx", method="lora", seq_len=8192, seen_gib=121.0
    )
    died = case(kind="oom_help", params_b=8.0, gpus=cards("apple-m3-max"), symptoms=("oom_step",))
    assert (found := mlx_keeps_activations.check(seen)) is not None
    assert found.facts["seen"]
    assert (found := mlx_keeps_activations.check(died)) is not None
    assert not found.facts["seen"]


def test_silent_with_checkpointing_elsewhere_and_unasked() -> None:
    on = case(kind="oom_help", gpus=cards("apple-m3-max"), grad_checkpointing=True, symptoms=("oom_step",))
    nvidia = case(kind="oom_help", params_b=8.0, gpus=cards("rtx-3090"), symptoms=("oom_step",))
    calm = case(kind="fits_check", params_b=8.0, gpus=cards("apple-m3-max"))
    assert all(mlx_keeps_activations.check(made) is None for made in (on, nvidia, calm))
