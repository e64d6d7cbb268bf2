"""The many names of methods, optimizers, targets and the like → the one that the terms know."""

from collections.abc import Iterable
from functools import lru_cache

from advisor.errors import UnknownName


def nearest(asked: str, known: Iterable[str], n: int = 3) -> tuple[str, ...]:
    """The nearest known names, best first."""
    from rapidfuzz import process

    return tuple(str(match[0]) for match in process.extract(asked.lower()[:80], sorted(set(known)), limit=n))


OPTIMIZER_PARTS = (
    # every word must be in the name; the first row that fits wins
    (("galore", "8"), "galore_8bit"),
    (("galore",), "galore"),
    (("fira",), "galore"),
    (("apollo",), "apollo"),
    (("badam",), "badam"),
    (("adalomo",), "adalomo"),
    (("lomo",), "lomo"),
    (("paged", "lion"), "paged_lion_8bit"),
    (("lion", "8"), "lion_8bit"),
    (("lion",), "lion"),
    (("paged", "8"), "paged_adamw_8bit"),
    (("paged",), "paged_adamw"),
    (("4bit",), "adamw_4bit"),
    (("4-bit",), "adamw_4bit"),
    (("torchao", "8"), "adamw_8bit_torchao"),
    (("8bit",), "adamw_8bit"),
    (("8-bit",), "adamw_8bit"),
    (("bnb",), "adamw_8bit"),
    (("adafactor",), "adafactor"),
    (("came",), "adafactor"),
    (("sm3",), "adafactor"),
    (("adam", "mini"), "adam_mini"),
    (("muon",), "muon"),
    (("dion",), "muon"),
    (("schedule", "free"), "schedule_free"),
    (("stable", "adam"), "stable_adamw"),
    (("prodigy",), "prodigy"),
    (("sophia",), "sophia"),
    (("adagrad",), "adagrad"),
    (("rmsprop",), "rmsprop"),
    (("sgd", "momentum"), "sgd_momentum"),
    (("sgd",), "sgd"),
    (("foreach",), "adamw_foreach"),
    (("fused", "adam"), "adamw_fused"),
    (("cpuadam",), "adamw_fused"),
    (("cpu_adam",), "adamw_fused"),
    (("apex",), "adamw_fused"),
    (("soap",), "prodigy"),
    (("shampoo",), "prodigy"),
    (("adan",), "prodigy"),
    (("lars",), "sgd_momentum"),
    (("tiger",), "sgd_momentum"),
    (("lora-fa",), "adamw"),
    (("lora_fa",), "adamw"),
    (("ademamix",), "prodigy"),
    (("adopt",), "adamw"),
    (("lamb",), "adamw"),
    (("adam",), "adamw"),
)
"""Words in an optimizer's name → the optimizer whose memory it has."""


def optimizer_of(name: str) -> str:
    """The optimizer in STEPS that takes the memory of `name`. Raises UnknownName."""
    return _optimizer_of(name.strip().lower()[:80])


@lru_cache(maxsize=512)
def _optimizer_of(text: str) -> str:
    for words, optimizer in OPTIMIZER_PARTS:
        if all(word in text for word in words):
            return optimizer
    known = sorted({optimizer for _, optimizer in OPTIMIZER_PARTS})
    near = nearest(text, known)
    raise UnknownName(
        f"optimizer: {text[:60]!r} is not known",
        f"nearest known: {', '.join(near)}",
        field="optimizer",
        asked=text[:60],
        nearest=near,
    )


ADAPTER_METHODS = frozenset(
    (
        "lora",
        "dora",
        "loftq",
        "adalora",
        "lokr",
        "loha",
        "rslora",
        "lora+",
        "loraplus",
        "pissa",
        "olora",
        "eva",
        "corda",
        "vera",
        "vblora",
        "fourierft",
        "oft",
        "boft",
        "bone",
        "miss",
        "hra",
        "ia3",
        "ln_tuning",
        "prefix_tuning",
        "prompt_tuning",
        "p_tuning",
        "ptuning",
        "adaption_prompt",
        "adapter",
        "adapter_v2",
        "glora",
        "gralora",
        "randlora",
        "road",
        "shira",
        "trainable_tokens",
        "unilora",
        "waveft",
        "c3a",
        "deft",
        "delora",
        "frod",
        "lily",
        "peanut",
        "psoft",
        "pvera",
        "tinylora",
        "hira",
        "adamss",
        "beft",
        "longlora",
        "lora-fa",
        "s-lora",
        "cpt",
        "poly",
        "xlora",
        "multitask_prompt_tuning",
        "layernorm",
        "bitfit",
        "llama-adapter",
    )
)
"""Methods that train few parameters on frozen weights (peft 0.21.2, litgpt 0.5.13, ms-swift 4.6)."""
NO_MATRIX = frozenset(
    (
        "adapter",
        "adapter_v2",
        "adaption_prompt",
        "prefix_tuning",
        "prompt_tuning",
        "p_tuning",
        "ptuning",
        "ln_tuning",
        "layernorm",
        "bitfit",
        "beft",
        "trainable_tokens",
        "cpt",
        "multitask_prompt_tuning",
        "llama-adapter",
    )
)
"""Those of them that put nothing beside a matrix: no inputs are kept for them."""
FULL_METHODS = frozenset(
    (
        "full",
        "galore",
        "apollo",
        "lisa",
        "badam",
        "lomo",
        "adalomo",
        "osf",
        "freeze",
        "fft",
        "sft",
        "pretrain",
        "llamapro",
        "llama-pro",
    )
)


def method_of(name: str, bits: float | None) -> tuple[str, str]:
    """(full | lora | qlora, the variant as named). Raises UnknownName."""
    text = name.strip().lower().replace(" ", "_").replace("full_fine-tuning", "full").replace("full_finetuning", "full")
    for prefix in ("grpo-", "dpo-", "orpo-", "kto-", "sft-", "grpo_", "dpo_"):
        text = text.removeprefix(prefix)
    low = bits is not None and bits < 16
    if text in FULL_METHODS or text.startswith("full"):
        return "full", text
    if text in ("qlora", "q-lora", "qdora", "qlora+") or text.startswith("qlora"):
        return "qlora", "dora" if text == "qdora" else "qlora"
    if text in ADAPTER_METHODS or "lora" in text or "tuning" in text or "adapter" in text or "prompt" in text:
        return ("qlora" if low else "lora"), text
    near = nearest(text, [*ADAPTER_METHODS, *FULL_METHODS, "qlora"])
    raise UnknownName(
        f"method: {name[:60]!r} is not known",
        f"nearest known: {', '.join(near)}",
        field="method",
        asked=name[:60],
        nearest=near,
    )


def quant_of(name: str | None, bits: float) -> tuple[str, bool | None]:
    """(nf4 | int8 | gptq | awq | hqq | torchao | aqlm | eetq | none, double quantisation where the name says so)."""
    if bits >= 16:
        return "none", None
    text = (name or "").lower()
    double = None
    if "no double" in text:
        double = False
    elif "double" in text or "dq" in text:
        double = True
    for word in ("gptq", "awq", "hqq", "torchao", "aqlm", "eetq"):
        if word in text:
            return word, double
    return ("int8" if bits >= 8 else "nf4"), double


def attention_of(name: str | None, default: str) -> str:
    """flash, efficient (the SDPA kernel that takes a mask) or eager."""
    text = (name or default).lower()
    if "eager" in text or text in ("math", "none", "naive"):
        return "eager"
    if "efficient" in text or "xformers" in text or "mem" in text:
        return "efficient"
    return "flash"
