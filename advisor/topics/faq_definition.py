"""What is it? The FAQ answers in words (bot.faq); with a model named, the numbers of the three methods stand beside
it.
"""

from advisor.advice import Advice
from advisor.case import Case
from advisor.query import Kind
from advisor.topics import method_choice

EIGHT_B = 8_000_000_000
STATES, LEAN = 16, 6
"""Bytes per parameter with all weights trained: AdamW in mixed precision or fp32 (ZeRO, arXiv:1910.02054, sec. 3); bf16
weights and gradients with 8-bit AdamW.
"""


def answer(case: Case) -> Advice:
    """The rule of thumb in numbers for the named model, or for an 8B. `faq` in the facts is the entry asked for."""
    advice = method_choice.answer(case)
    facts = {
        **advice.verdict.facts,
        "faq": case.query.faq,
        "params": case.params,
        "states": STATES * (case.params or EIGHT_B),
        "lean_states": LEAN * (case.params or EIGHT_B),
    }
    verdict = advice.verdict.model_copy(update={"facts": facts})
    return advice.model_copy(update={"kind": Kind.FAQ_DEFINITION, "verdict": verdict})
