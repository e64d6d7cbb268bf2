"""The rule claimed_cards."""

import pytest

from advisor.rules import claimed_cards
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import case


def test_speaks_of_what_is_needless() -> None:
    made = case(kind="fits_check", params_b=8.0, method="qlora")
    made.query = made.query.model_copy(update={"named": {"claimed_cards": ("h100-sxm", "2")}})
    found = claimed_cards.check(made)
    assert found is not None
    assert found.facts["says"] == "no"


def test_silent_without_such_a_claim() -> None:
    assert claimed_cards.check(case(kind="fits_check", params_b=8.0, method="qlora")) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I want to train a 7B on 64k context. someone said that needs 8xH100. true?", "No, that needs no 8×"),
        ("Ein Freund meint, für 13B LoRA braucht man eine A100 80GB. Stimmt das?", "Nein, A100"),
        ("ChatGPT says 2x A100 for 8b qlora. is that right?", "No, that needs no 2×"),
        (
            "Read a blog saying a 5090 is the honest minimum for QLoRA on Llama 3.3 70B. Is this true?",
            "No, one RTX 5090",
        ),
        ("A youtuber claims you can qlora a 70B on a single 3090, is that true?", "No, one RTX 3090"),
        ("ein blog behauptet, eine 4090 reicht für QLoRA von 70B. stimmt das?", "Nein, eine RTX 4090 reicht nicht"),
        ("someone said 2x 3090 is enough for 70B lora, true?", "No, 2× RTX 3090 are too little"),
        ("reddit says a 3090 is the minimum for 32B qlora. correct?", "About right"),
        ("a blog says a 3090 is enough for 13B qlora, is that right?", "Right, RTX 3090 will do"),
        ("ein blog behauptet, eine 4090 reicht für QLoRA von 7B. stimmt das?", "Das stimmt, RTX 4090 reicht"),
    ],
)
def test_cards_of_others_that_are_doubted_are_nobodys(text: str, words: str) -> None:
    found = answer(Question(text=text))
    assert found.query.gpus == ()
    assert found.reply.title.startswith(words)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("ChatGPT says 2x A100 for 8B qlora. Is that right? I have a 4090", "rtx-4090"),
        ("the paper used my card, a 3090, for 13b qlora. is that right?", "rtx-3090"),
    ],
)
def test_ones_own_card_stays(text: str, card: str) -> None:
    assert [one.gpu for one in answer(Question(text=text)).query.gpus] == [card]
