"""What is it? The FAQ answers in words (bot.faq); with a model named, the numbers of the three methods stand beside
it.
"""

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import LORA_RANK
from advisor.topics import method_choice

FILE_SHARE = 2
"""Adapters are trained in fp32 and saved in 16 bit."""
EIGHT_B = 8_000_000_000
STATES, LEAN = 16, 6
"""Bytes per parameter with all weights trained: AdamW in mixed precision or fp32 (ZeRO, arXiv:1910.02054, sec. 3); bf16
weights and gradients with 8-bit AdamW.
"""


def answer(case: Case) -> Advice:
    """The rule of thumb in numbers for the named model, or for an 8B. `faq` in the facts is the entry asked for."""
    advice = method_choice.answer(case)
    said = case.query.params_b if case.generic else None
    params = said * 1e9 if said else case.params or EIGHT_B
    facts = {
        **advice.verdict.facts,
        "faq": case.query.faq,
        "params": case.params,
        "states_gb": round(STATES * params / 1e9),
        "lean_gb": round(LEAN * params / 1e9),
    }
    if "big_checkpoint" in case.symptoms:
        adapter = next(need.components.get("adapters", 0) for need in advice.needs if need.stack == "lora")
        facts |= {"adapter": adapter // FILE_SHARE, "rank": case.query.lora_rank or LORA_RANK}
    code = "adapter" if "big_checkpoint" in case.symptoms else advice.verdict.code
    verdict = Verdict(code=code, facts=facts)
    return advice.model_copy(update={"kind": Kind.FAQ_DEFINITION, "verdict": verdict})
