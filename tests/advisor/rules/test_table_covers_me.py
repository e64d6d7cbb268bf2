"""The rule table_covers_me."""

import pytest

from advisor.advisor import advise
from advisor.query import Kind
from advisor.rules import table_covers_me
from bot import pipeline
from bot.messages import Question
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case, stated


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


@pytest.mark.parametrize(("language", "yes"), [("en", "Yes, but only offloaded"), ("de", "Ja, aber nur ausgelagert")])
def test_a_recipe_that_offloads_is_said_to_work_before_what_does_not(language: str, yes: str) -> None:
    """Reported: 70B on 2x 24 GB works with FSDP-QLoRA and parameters in RAM; without the switch it runs out."""
    asked = {"model": "meta-llama/Llama-2-70b-hf", "method": "qlora", "sharding": "fsdp", "seq_len": 512}
    claims = {"symptoms": ("oom_step",), "claims": ("table_covers_me",)}
    made = advise(stated(Kind.OOM_HELP, **asked, **claims, gpus=cards("rtx-3090", 2)), load_catalog())
    assert yes in render(made, language).title
    found = next(f for f in made.findings if f.code == "table_covers_me")
    assert 100 * 2**30 < found.facts["ram"] < 200 * 2**30
    on = case(kind="oom_help", **asked, **claims, gpus=cards("rtx-3090", 2), offload="params")
    spoken = table_covers_me.check(on)
    assert spoken is None or spoken.facts["offloads"] is None


@pytest.mark.parametrize(
    "text",
    [
        "torchtune lora, llama3 8B, RTX 4090. 2k ok, 8k = OOM. README memory numbers were much lower than what I see?",
        "8B lora auf einer 3090, 8k Tokens: OOM. Die Zahlen in der README sind viel kleiner, warum?",
    ],
)
def test_a_recipes_figure_is_one_of_short_rows(text: str) -> None:
    advice = pipeline.answer(Question(text=text)).advice
    assert advice is not None
    (found,) = [f for f in advice.findings if f.code == "table_covers_me"]
    short, own = found.facts["short"]
    assert short + 8 * 2**30 < own


def test_of_short_rows_nothing_is_said_where_the_own_are_short_or_a_figure_is_named() -> None:
    own = {"params_b": 8.0, "method": "lora", "kind": "oom_help", "gpus": cards("rtx-3090"), "symptoms": ("oom_step",)}
    short = table_covers_me.check(case(**own, seq_len=512, claims=("table_covers_me",)))
    assert short is not None
    assert short.facts["short"] is None
    assert table_covers_me.check(case(**own, seq_len=8192, claimed_gib=12.0, claims=("table_covers_me",))) is None
