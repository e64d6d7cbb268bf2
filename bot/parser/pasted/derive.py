"""From pairs to slots: which key wins, and what several keys say together."""

import re
from collections.abc import Iterable
from typing import Any

from bot.parser.pasted import trainers
from bot.parser.pasted.keys import KEYS, Meaning
from bot.parser.pasted.scan import Pair, Scanned, known_values

ADAPTER_CALLS = {"LoraConfig", "get_peft_model"}
TRAINED_BY_CALL = {
    **dict.fromkeys(("DPOTrainer", "DPOConfig"), "dpo"),
    **dict.fromkeys(("GRPOTrainer", "GRPOConfig"), "grpo"),
    **dict.fromkeys(("KTOTrainer", "KTOConfig"), "kto"),
    **dict.fromkeys(("ORPOTrainer", "ORPOConfig"), "orpo"),
    **dict.fromkeys(("PPOTrainer", "PPOConfig"), "ppo"),
    **dict.fromkeys(("RewardTrainer", "RewardConfig"), "reward"),
}
ALGORITHM_COMMAND = re.compile(r"\btrl[ \t]+(sft|dpo|grpo|kto|reward)\b")
QUANTISED_NAME = (
    (re.compile(r"(?:bnb|unsloth)-4bit|-4bit\b|gptq|awq|int4|nf4", re.IGNORECASE), 4.0),
    (re.compile(r"int8|8bit", re.IGNORECASE), 8.0),
)
LITGPT_NAMES = {
    "lora_query": "q_proj",
    "lora_key": "k_proj",
    "lora_value": "v_proj",
    "lora_projection": "o_proj",
    "lora_mlp": "mlp",
    "lora_head": "lm_head",
}
INTERNAL = (
    "component",
    "prompt_len",
    "completion_len",
    "with_mlp",
    "litgpt",
    "adapter",
    "dora",
    "nodes",
    "per_node",
    "visible",
    "include",
)


def meanings(pair: Pair) -> Iterable[Meaning]:
    """What a pair's key can mean, the one with its section first."""
    for name in (f"{section}.{pair.key}" for section in reversed(pair.path[-4:])):
        if name in KEYS:
            yield KEYS[name]
            return
    for name in (pair.key, f"{pair.key}+"):
        if name in KEYS:
            yield KEYS[name]


def slots_of(text: str, scanned: Scanned, counted: list[Pair]) -> tuple[dict[str, Any], str | None]:
    """(slots, model as written) of the pairs that count as configuration."""
    variables = dict(known_values(scanned.pairs))
    best: dict[str, tuple[int, Any]] = {}
    targets: list[str] = []
    for pair in counted:
        pair = resolved(pair, variables)
        for meaning in meanings(pair):
            value = meaning.read(pair)
            if value is None:
                continue
            if meaning.slot == "litgpt":
                targets += [LITGPT_NAMES[pair.key]] if value else []
            elif meaning.slot not in best or meaning.rank > best[meaning.slot][0]:
                best[meaning.slot] = (meaning.rank, value)
    slots = {slot: value for slot, (_, value) in best.items()}
    slots.setdefault("lora_targets", tuple(targets) or None)
    keys = {pair.key for pair in scanned.pairs}
    settings = {pair.key for pair in scanned.pairs if pair.form != "flag"}
    slots["trainer"] = trainers.recognise(text, scanned, keys, settings)
    _component(text, slots)
    model = slots.pop("model", None)
    _method(slots, scanned, keys, model)
    _lengths(slots)
    _cards(slots)
    _algorithm(text, slots, scanned)
    return {slot: value for slot, value in slots.items() if value is not None and slot not in INTERNAL}, model


def resolved(pair: Pair, variables: dict[str, str]) -> Pair:
    """A value that is a variable's name becomes what the script gave to that variable."""
    name = (pair.value or "").lower().strip("${}")
    if (
        (pair.quoted and "$" not in (pair.value or ""))
        or pair.items
        or name not in variables
        or variables[name].lower() == name
    ):
        return pair  # a text, a list, or no variable that was seen
    return Pair(pair.key, variables[name], pair.path, pair.line, pair.form)


def _component(text: str, slots: dict[str, Any]) -> None:
    """torchtune names model and method in one word, and its recipe names method and sharding."""
    name, method = trainers.component(slots.get("component") or "")
    recipe = trainers.RECIPE.search(text)
    if recipe:
        its_method, sharding = trainers.RECIPES[recipe[1]]
        method = method or its_method
        slots.setdefault("sharding", sharding if sharding not in ("", "none") else None)
        if recipe[2] and not slots.get("model"):
            slots["model"] = recipe[2]
    config = trainers.TUNE_CONFIG.search(text) if slots.get("trainer") == "torchtune" else None
    if config and not name:
        size, _, rest = config[2].partition("_")
        name = f"{trainers.version(config[1])} {size}".lower()
        method = "qlora" if rest.startswith("qlora") else method
    if name:
        slots["model"] = name
    if method:
        slots["adapter"] = method if slots.get("adapter") is None else slots["adapter"]


def _method(slots: dict[str, Any], scanned: Scanned, keys: set[str], model: str | None) -> None:
    """full, lora, qlora or dora, from the adapter, the bits and what else is there."""
    called = {part for name, _ in scanned.calls for part in name.split(".")}
    adapter = slots.get("adapter")
    if adapter is None and slots.get("trainer") == "axolotl" and _given_empty(scanned, "adapter"):
        adapter = "full"
    if adapter is None and (slots.get("lora_rank") or called & ADAPTER_CALLS or slots.get("lora_targets")):
        adapter = "lora"
    bits = slots.get("weight_bits") or _bits_of(model)
    loads = slots.get("trainer") == "unsloth" and any(name.startswith("Fast") for name in called)
    if bits is None and adapter == "lora" and loads and not keys & {"load_in_4bit", "load_in_8bit", "load_in_16bit"}:
        bits = 4.0  # what FastLanguageModel does when it is not told
    if adapter == "qlora":
        bits = bits or 4.0
    if slots.get("dora") and adapter in ("lora", "qlora"):
        adapter = "dora"
    elif adapter == "lora" and bits is not None and bits <= 4:
        adapter = "qlora"
    slots["method"] = adapter
    slots["weight_bits"] = None if adapter == "full" else bits


def _given_empty(scanned: Scanned, key: str) -> bool:
    return any(pair.key == key and pair.value is None for pair in scanned.pairs)


def _bits_of(model: str | None) -> float | None:
    return next((bits for pattern, bits in QUANTISED_NAME if model and pattern.search(model)), None)


def _lengths(slots: dict[str, Any]) -> None:
    """With reinforcement learning the length is prompt and completion together."""
    prompt, completion = slots.get("prompt_len"), slots.get("completion_len")
    if prompt and completion and (slots.get("seq_len") or 0) < prompt + completion:
        slots["seq_len"] = prompt + completion
    if slots.get("with_mlp") and isinstance(slots.get("lora_targets"), tuple):
        slots["lora_targets"] = (*slots["lora_targets"], "mlp")


def _cards(slots: dict[str, Any]) -> None:
    """Processes per node times nodes; a list of visible devices; DeepSpeed's localhost:0,1."""
    each = slots.get("per_node")
    if each and not slots.get("n_gpus"):
        slots["n_gpus"] = each * (slots.get("nodes") or 1)
    listed = slots.get("visible") or (slots.get("include") or "").partition(":")[2]
    devices = [part for part in re.split(r"[,\s]+", listed[:400].strip("\"'")) if part.isdigit()]
    if not slots.get("n_gpus") and devices:
        slots["n_gpus"] = len(set(devices))
    if (slots.get("n_gpus") or 0) > 4096:
        slots["n_gpus"] = None


def _algorithm(text: str, slots: dict[str, Any], scanned: Scanned) -> None:
    if slots.get("algorithm"):
        return
    called = {part for name, _ in scanned.calls for part in name.split(".")}
    command = ALGORITHM_COMMAND.search(text) if "trl" in text else None
    by_call = next((TRAINED_BY_CALL[name] for name in sorted(called) if name in TRAINED_BY_CALL), None)
    slots["algorithm"] = by_call or (command[1] if command and command[1] != "sft" else None)
