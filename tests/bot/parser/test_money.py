"""Money: budgets, ranges, offers, prices per hour."""

import pytest

from advisor.query import Query
from bot.messages import Question
from bot.parser import read


def query(text: str) -> Query:
    return read(Question(text=text)).query


@pytest.mark.parametrize(
    ("text", "budget", "currency"),
    [
        ("around $600-700 for an 8b lora card", 700, "USD"),
        ("budget 1500-2000 €, 13b qlora", 2000, "EUR"),
        ("A100 kaufen (15-20k) oder mieten?", 15000, None),
        ("ich kann 1500 ausgeben, 13b lora", 1500, None),
        ("can spend 2000 on a card for 13b lora", 2000, None),
        ("worth buying a used 3090 for £650?", 650, "GBP"),
        ("runpod 4090 is 0.69$/hr. worth buying a 3090 for £650?", 650, "GBP"),
        ("Budget: 1,5k €, qlora", 1500, "EUR"),
    ],
)
def test_a_budget(text: str, budget: float, currency: str | None) -> None:
    assert (query(text).budget, query(text).currency) == (budget, currency)


@pytest.mark.parametrize(
    "text",
    [
        "p40 24gb (180€) or 3060 12gb (220€) for qlora",
        "3090 for 700€ vs 4090 for 1600€, 13b lora",
        "3090 (gebraucht 650€) oder 4070 Ti Super neu (800€)?",
        "i can spend 10 hours on a 7b lora",
        "0.20 to 0.80 $/h for a 13b lora",
    ],
)
def test_what_is_no_budget(text: str) -> None:
    assert query(text).budget is None


def test_prices_by_the_hour_belong_to_the_card_before_them() -> None:
    asked = read(Question(text="30b lora: runpod has A40 48GB at ~0.74/h and A100 80GB at 2/h, which?")).query
    assert asked.hourly == {"a40": 0.74, "a100-80gb-sxm": 2}
    assert read(Question(text="lambda H100 at 2.49 $/hr for 70b lora?")).query.hourly == {"h100-sxm": 2.49}
    paid = "bought a 3090 for 700 bucks instead of renting at 0.25/h, a run is 11 hours. dumb?"
    assert read(Question(text=paid)).query.hourly == {"rtx-3090": 0.25}
    assert read(Question(text="a 4090 for 2 h, 7b lora, 3 epochs per hour?")).query.hourly == {}


@pytest.mark.parametrize(
    ("text", "hourly"),
    [
        ("vast shows 5090 ~0.30/hr and H100 ~1-2/hr", {"rtx-5090": 0.3, "h100-sxm": (1, 2)}),
        ("a 4090 at $0.35-$0.50/h or an A40 at 0.74/h?", {"rtx-4090": (0.35, 0.5), "a40": 0.74}),
        ("h100 sxm für 2 bis 3 $/h mieten, oder 4090 für 0,40 $/h?", {"h100-sxm": (2, 3), "rtx-4090": 0.4}),
    ],
)
def test_a_range_by_the_hour_keeps_both_ends(text: str, hourly: dict[str, object]) -> None:
    assert read(Question(text=text)).query.hourly == hourly


@pytest.mark.parametrize(
    ("text", "prices"),
    [
        ("3090 for 750$ or 4090 for 1900$, which is cheaper to run?", {"rtx-3090": 750, "rtx-4090": 1900}),
        ("P40 (180€) or 3060 12gb (220€) for training?", {"p40": 180, "rtx-3060-12gb": 220}),
        (
            "Gebrauchte 3090 (ca. 700€, 370 W) gegen RTX PRO 4000 Blackwell (neu ca. 1400€, 145 W), Strom 0,30 €/kWh?",
            {"rtx-3090": 700, "rtx-pro-4000-blackwell": 1400},
        ),
        ("a 3090 for 700 bucks, or rent a 4090 at 0.4 $/h?", {}),
        ("3090 or 4090 for 13b lora, 1500€ budget", {}),
    ],
)
def test_prices_to_buy_belong_to_the_card_before_them(text: str, prices: dict[str, float]) -> None:
    assert read(Question(text=text)).query.asked_prices == prices
