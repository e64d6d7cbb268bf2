"""The rule more_processes."""

import pytest

from advisor.rules import more_processes
from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case


def test_speaks_of_the_machine_that_has_as_many() -> None:
    told = {"kind": "oom_help", "params_b": 8.0, "gpus": cards("a10g", 1)}
    found = more_processes.check(case(**told, named={"processes": ("8", "g5.8xlarge")}))
    assert found is not None
    assert (found.facts["cards"], found.facts["larger"]) == (1, "g5.48xlarge")


def test_silent_where_no_machine_is_named() -> None:
    assert more_processes.check(case(kind="oom_help", params_b=8.0, gpus=cards("a10g", 1))) is None


@pytest.mark.parametrize(
    ("text", "cards_there", "said"),
    [
        ("tune run --nproc_per_node 8 full ft llama 3.1 8B, OOM on a g5.8xlarge", 1, ("8", "g5.8xlarge")),
        ("accelerate with num_processes 4 on a g4dn.xlarge, OOM for llama 2 7b qlora", 1, ("4", "g4dn.xlarge")),
        ("torchrun --nproc_per_node 4 on a g5.12xlarge, llama 3 8b lora OOM", 4, None),
        ("torchrun --nproc_per_node 8 on a p4d.24xlarge, llama 3 8b lora OOM", 8, None),
    ],
)
def test_a_rented_machine_has_the_cards_that_it_has(text: str, cards_there: int, said: tuple[str, str] | None) -> None:
    query = read(Question(text=text)).query
    assert sum(card.count for card in query.gpus) == cards_there == query.n_gpus
    assert query.named.get("processes") == said


def test_it_leads() -> None:
    text = "tune run --nproc_per_node 8 full ft llama 3.1 8B, OOM on a g5.8xlarge. 8 should spread it?"
    assert answer(Question(text=text)).reply.text.startswith("**g5.8xlarge has 1 A10G")


def test_two_processes_on_one_card_gain_nothing() -> None:
    given = answer(Question(text="accelerate launch --num_processes 2 on my single 3090, does that help? 7b qlora"))
    assert [card.count for card in given.query.gpus] == [1]
    assert given.reply.text.startswith("**No: 2 processes on one RTX 3090 gain nothing")
    assert read(Question(text="num_processes 2, 2x 3090, 7b qlora")).query.n_gpus == 2
