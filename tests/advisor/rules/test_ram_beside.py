"""ram_beside: system RAM that is asked beside another need."""

import pytest

from advisor.rules import ram_beside
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case

ASKED = {"kind": "fits_check", "model": "meta-llama/Llama-2-70b-hf", "also": "system_ram"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4x A100 80G. Is that enough for llama2-70b qlora? And how much regular RAM?", "**System RAM**: plan 192 GB"),
        (
            "4x A100 80G. Reicht das für Llama2-70B? Und wieviel normaler Arbeitsspeicher?",
            "**Arbeitsspeicher**: plane 192",
        ),
    ],
)
def test_ram_that_is_asked_besides_is_told(text: str, said: str) -> None:
    assert said in answer(Question(text=text)).reply.text


def test_several_ranks_need_a_whole_copy_while_they_load() -> None:
    finding = ram_beside.check(case(**ASKED, gpus=cards("a100-80gb-sxm", 4)))
    assert finding is not None
    assert finding.facts["plan_gb"] * 2**30 > finding.facts["load_16"]
    assert finding.facts["load_all"] == pytest.approx(4 * finding.facts["load_16"], rel=0.05)


def test_silent_without_the_question_or_a_card() -> None:
    assert ram_beside.check(case(**ASKED | {"also": None}, gpus=cards("a100-80gb-sxm", 4))) is None
    assert ram_beside.check(case(**ASKED)) is None
    assert ram_beside.check(case(**ASKED | {"kind": "system_ram"}, gpus=cards("a100-80gb-sxm", 4))) is None
