"""The rule where_it_goes."""

from advisor.rules import where_it_goes
from tests.advisor.rules.ask import cards, case

LLAMA = {"kind": "fits_check", "model": "meta-llama/Llama-3.2-1B", "method": "full", "seq_len": 4096}
ASKED = {"gpus": cards("v100-32gb"), "symptoms": ("oom_step", "asks_parts")}


def test_names_the_parts_and_the_rule_of_thumb() -> None:
    found = where_it_goes.check(case(**LLAMA, **ASKED, optimizer="adam"))
    assert found is not None
    assert next(name for name, _ in found.facts["parts"]) == "optimizer"
    assert sum(size for _, size in found.facts["parts"]) + found.facts["rest"] == found.facts["total"]
    assert found.facts["states"] == 16 * found.facts["params"]
    assert found.facts["logits"] == 12 * 4096 * 128_256


def test_no_rule_of_thumb_where_adapters_are_trained() -> None:
    found = where_it_goes.check(case(**(LLAMA | {"method": "qlora"}), **ASKED))
    assert found is not None
    assert found.facts["states"] is None


def test_silent_where_evaluation_is_the_peak() -> None:
    asked = case(**LLAMA, gpus=cards("v100-32gb"), symptoms=("oom_eval", "asks_parts"))
    assert where_it_goes.check(asked) is None


def test_silent_unasked() -> None:
    assert where_it_goes.check(case(**LLAMA, gpus=cards("v100-32gb"), symptoms=("oom_step",))) is None
