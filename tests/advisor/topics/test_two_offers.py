"""Two offers by the hour for one card: the bill is for the cheaper one, and says what the other costs more."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


def title(text: str) -> str:
    return answer(Question(text=text)).reply.title


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "AWS p4d mit 8x A100 40G kostet 32,77 $/h, Lambda verlangt 1,29 $ pro A100 und Stunde. 8B mit LoRA, "
            "20k Beispiele. Welches nehmen?",
            "das andere Angebot, 4,10 je Stunde und Karte, kostet 3,2-mal so viel",
        ),
        (
            "RunPod 4090 at 0.69/h or Vast 4090 at 0.35/h, 8B qlora 10k examples, which one?",
            "the other offer, 0.69 an hour and card, is 2 times as much",
        ),
    ],
)
def test_the_dearer_offer_is_set_beside_the_cheaper_one(text: str, told: str) -> None:
    assert told in title(text)


def test_one_offer_has_no_other() -> None:
    assert "other offer" not in title("8B qlora, 10k examples, 4090 at 0.35/h, what does it cost?")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "is the H100 at 2.49/h or the A100 at 1.29/h cheaper for a 8B lora, 20k examples?",
            "Take the A100 80GB SXM: both",
        ),
        ("H100 at 1.90/h or A100 at 1.79/h for a 8B qlora, 20k examples?", "Take the H100 SXM5 80GB: both"),
    ],
)
def test_of_two_cards_at_offered_hours_the_cheaper_run_is_taken(text: str, first: str) -> None:
    said = title(text)
    assert said.startswith(first)
    assert "at your offers a run costs less there" in said


def test_without_offers_the_price_of_the_card_decides() -> None:
    assert "at your offers" not in title("4090 or 3090 for 7B qlora?")
