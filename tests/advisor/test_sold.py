"""A card of a size that it never had is counted as it is sold, and what is asked of it is answered so."""

import pytest

from advisor.query import CardCount
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import case


def said(text: str) -> str:
    return answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    ("text", "first", "counted"),
    [
        ("13B lokal ausführen, mir wurde eine RTX 2080 Ti mit 16 GB empfohlen", "**Eine RTX 2080 Ti", "8 Bit nein"),
        ("can I run a 30B on a 3080 with 24GB", "**No RTX 3080", "Not whole on RTX 3080 10GB"),
        ("run 13b locally on a rtx 3070 16gb", "**No RTX 3070 with 16 GB", "On RTX 3070: 4 bit"),
        ("does the rtx 3060 ti have 12gb?", "**No RTX 3060 Ti with 12 GB was sold", "I counted with 8 GB"),
        ("RTX 2080 Ti has 16GB right? buying one to finetune 7B", "**No RTX 2080 Ti with 16 GB", "of 10.8 GiB"),
        ("Stimmt es, dass die RTX 4070 16 GB hat? 7B mit QLoRA", "**Eine RTX 4070 mit 16 GB gab es nie", "12 GB"),
        ("Somebody said the 4070 has 16gb. which gpu for 8b qlora", "**8B with QLoRA", "I counted with 12 GB"),
    ],
)
def test_a_size_that_was_never_sold_is_not_counted(text: str, first: str, counted: str) -> None:
    reply = said(text)
    assert reply.startswith(first)
    assert counted in reply


def test_a_size_that_was_sold_is_counted() -> None:
    assert said("run llama 13b on a 2080 ti 22gb").startswith("**On RTX 2080 Ti 22GB (modified): 4 bit yes")
    assert said("run 13B on rtx 4090 24gb").startswith("**On RTX 4090: 4 bit yes")


@pytest.mark.parametrize(
    ("text", "bought"),
    [
        ("what pc do I need to run 13B locally for under 1000€?", "1,000 EUR buy a used RTX 3090, 24 GB"),
        ("Budget 1000 €, ich will ein 13B lokal laufen lassen", "Für 1.000 EUR gibt es: RTX 3090 gebraucht"),
        ("budget $500, want to run 7B models at home, which gpu?", "look for a used RTX 5060 Ti 16GB"),
    ],
)
def test_a_budget_for_running_buys_a_card(text: str, bought: str) -> None:
    assert bought in said(text)


def test_nothing_is_sold_to_who_has_a_card_or_cannot_pay_for_one() -> None:
    own = (CardCount(gpu="rtx-3060-12gb", name="RTX 3060 12GB"),)
    for slots in ({"gpus": own}, {"params_b": 70.0}, {"budget": None}):
        asked = {"kind": "inference_only", "params_b": 13.0, "budget": 900.0, "currency": "USD"} | slots
        advice = case(**asked).advice
        assert advice is not None
        assert advice.verdict.facts["buys"] is None
