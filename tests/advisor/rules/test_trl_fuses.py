"""The rule trl_fuses."""

from advisor.rules import trl_fuses
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case

EIGHT_B = {"model": "meta-llama/Llama-3.1-8B", "method": "qlora", "seq_len": 4096, "gpus": cards("rtx-3090")}


def test_an_older_version_is_told_with_its_figure() -> None:
    found = trl_fuses.check(case(kind="fits_check", **EIGHT_B, trainer="trl"))
    assert found is not None
    assert found.gravity == "note"
    assert found.facts["older"] > 1.5 * found.facts["newer"]


def test_louder_where_the_run_failed() -> None:
    found = trl_fuses.check(case(kind="oom_help", **EIGHT_B, trainer="trl", symptoms=("oom_step",)))
    assert found is not None
    assert found.gravity == "warn"


def test_pairs_of_a_small_model_are_all_logits_on_an_older_version() -> None:
    """Reported: DPO of a 0.5B fills 80 GB; one fp32 copy of the logits of 2 x 2,048 tokens alone is 2.3 GiB."""
    asked = {"model": "Qwen/Qwen2.5-0.5B", "kind": "fits_check", "method": "qlora", "algorithm": "dpo", "seq_len": 2048}
    found = trl_fuses.check(case(**asked, trainer="trl", gpus=cards("a100-80gb-sxm")))
    assert found is not None
    assert found.facts["since"] == "1.15"
    assert found.facts["older"] > 4 * found.facts["newer"]


def test_silent_for_other_trainers_and_where_logits_are_small() -> None:
    assert trl_fuses.check(case(kind="fits_check", **EIGHT_B, trainer="hf")) is None
    assert trl_fuses.check(case(kind="fits_check", **EIGHT_B, trainer="trl", algorithm="orpo")) is None
    assert trl_fuses.check(case(kind="fits_check", params_b=7.0, method="lora", seq_len=256, trainer="trl")) is None


def test_a_version_that_is_named_is_the_one_that_counts() -> None:
    """Asked in a tracker with trl==0.11.0: figures for today's TRL are not that person's."""
    text = "trl==0.9.6, SFTTrainer, llama 3 8b, 24GB 4090, max_seq_length=4096 lora bf16 OOM. any idea"
    old = answer(Question(text=text))
    assert old.query.fused_loss is False
    assert "24.1 GiB" in old.reply.title
    assert "TRL 0.9.6 builds all logits: 24.1 GiB" in old.reply.text
    new = answer(Question(text=text.replace("0.9.6", "1.9.0")))
    assert new.query.fused_loss is None
    assert "18.7 GiB" in new.reply.title
