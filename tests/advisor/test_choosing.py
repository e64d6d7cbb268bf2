"""Which findings stay beside an answer: none off the point, none that says again what another says better."""

from functools import cache
from typing import Any

from advisor import choosing
from advisor.advice import Advice, correct, warn
from advisor.advisor import advise
from advisor.choosing import to_the_point
from advisor.query import CardCount, Kind, Query
from advisor.rules import CHECKS
from bot.messages import Question
from bot.pipeline import answer
from knowledge.catalog import load_catalog
from tests.advisor.checker import rows
from tests.advisor.rules.ask import cards, case, stated
from tests.paths import needs_shared


def codes(kind: str, **slots: Any) -> list[str]:
    query = stated(Kind(kind), **slots)
    return [found.code for found in advise(query, load_catalog()).findings]


def test_a_merge_is_no_training_step() -> None:
    merging = {"model": "meta-llama/Llama-3.1-8B", "gpus": cards("t4"), "ram_gb": 12.0, "method": "qlora"}
    assert codes("system_ram", symptoms=("oom_merge",), **merging) == []
    assert "bf16_anywhere" in codes("fits_check", **merging)


def test_one_long_batch_is_told_once() -> None:
    ran_out: dict[str, Any] = {"params_b": 8.0, "method": "lora", "gpus": cards("rtx-3090")}
    believed = {"claims": ("leak_after_steps",), **ran_out}
    assert "leak_after_steps" in codes("context_length", symptoms=("oom_step",), **believed)
    assert "leak_after_steps" not in codes("oom_help", symptoms=("oom_step",), **believed)  # the answer says it
    for kind in ("context_length", "oom_help"):
        told = codes(kind, symptoms=("oom_step", "same_steps"), **believed)
        assert "same_steps" in told
        assert "leak_after_steps" not in told


def test_how_a_card_computes_is_no_remark_on_a_term() -> None:
    asked = {"faq": "nvlink", "gpus": cards("v100-32gb", 2)}
    assert "bf16_anywhere" not in codes("faq_definition", **asked)
    assert "bf16_anywhere" in codes("faq_definition", compute_dtype="bf16", **asked)  # what is wrong is put right


def test_how_cards_exchange_is_no_remark_on_ram() -> None:
    asked = {"params_b": 70.0, "method": "qlora", "gpus": cards("rtx-4090", 2)}
    assert "pcie_only" not in codes("system_ram", ram_gb=64.0, symptoms=("killed",), **asked)
    assert "pcie_only" in codes("multi_gpu", **asked)


def test_a_machine_that_does_not_train_is_told_once() -> None:
    """A Radeon in an Intel Mac: no table of what its 8 GB would hold, no second word on Colab."""
    query = Query(
        kind=Kind.FITS_CHECK, os="macos", symptoms=("no_gpu_found",), unknown={"gpus": "Radeon Pro 5500M"},
        gpus=(CardCount(vram_gb=8.0),),
    )  # fmt: skip
    advice = advise(query, load_catalog())
    assert [found.code for found in advice.findings] == ["intel_mac"]
    assert advice.rungs == ()
    assert advice.asks is None


def test_pascal_is_told_once_with_its_number_format() -> None:
    asked = {"model": "meta-llama/Llama-3.1-8B", "gpus": cards("p40"), "method": "qlora"}
    for dtype in (None, "bf16"):
        found = codes("fits_check", **asked, compute_dtype=dtype)
        assert "old_generation" in found
        assert "bf16_anywhere" not in found


def test_no_rule_is_named_that_does_not_exist() -> None:
    named = {*choosing.OF_THE_STEP, *choosing.HOW_IT_COMPUTES, *choosing.IN_GENERAL, *choosing.DECIDES}
    named |= set(choosing.COVERS) | {code for covered in choosing.COVERS.values() for code in covered}
    assert named <= {code for code, _ in CHECKS}


def test_a_remark_on_tables_gives_way_to_a_figure_of_the_case() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))
    assert made.advice is not None
    table = correct(seen=None, estimate=None).model_copy(update={"code": "table_covers_me"})
    own = warn(rank=128, adapters=2**30).model_copy(update={"code": "high_rank"})
    assert to_the_point([table, own], made.advice) == [own]
    assert to_the_point([table], made.advice) == [table]


@cache
def given() -> tuple[tuple[str, Advice], ...]:
    """(id, advice) of every given question that gets any."""
    asked = [(row["id"], answer(Question(text=row["text"], asked="direct")).advice) for row in rows()]
    return tuple((name, advice) for name, advice in asked if advice is not None)


@needs_shared
def test_no_two_blocks_give_a_method_two_figures() -> None:
    """Where what makes it fit names a method with its bytes, no finding names that method with others."""
    for name, advice in given():
        told = {change.value for change in advice.changes if change.slot == "method"}
        for found in advice.findings:
            if found.code == "other_methods":
                assert not ("lora" in told and found.facts["lora"]), name
                assert "qlora" not in told or found.facts["full"], name


@needs_shared
def test_nothing_is_advised_that_is_in_use() -> None:
    for name, advice in given():
        query = advice.query
        assert all(c.value != query.trainer for c in advice.changes if c.slot == "trainer"), name
        assert all(not query.grad_checkpointing for c in advice.changes if c.slot == "grad_checkpointing"), name
        for found in advice.findings:
            assert found.code != "checkpointing_first" or query.grad_checkpointing is None, name
            assert found.facts.get("pick") is None or found.facts["pick"] != query.trainer, name


@needs_shared
def test_no_finding_is_said_twice_or_off_the_point() -> None:
    for name, advice in given():
        said = [found.code for found in advice.findings]
        covered = {code for found in said for code in choosing.COVERS.get(found, ())}
        assert not covered & set(said), name
        assert len(said) == len(set(said)), name
