"""Which trainer's template to fill in: the asked one where it can do the set-up, else the one that suits it."""

from dataclasses import dataclass

from advisor.advice import Advice
from advisor.stacks import ENCODERS, gap_of
from bot.configs.algorithm import abilities, can
from bot.configs.values import Values
from knowledge.catalog import Catalog
from knowledge.schemas import NotFor

TEMPLATES = {
    "unsloth": "unsloth.py.j2",
    "axolotl": "axolotl.yaml.j2",
    "llama-factory": "llama-factory.yaml.j2",
    "trl": "trl.py.j2",
    "ms-swift": "ms-swift.sh.j2",
    "mlx-lm": "mlx-lm.sh.j2",
}
ALSO = {
    "hf": "trl",
    "peft": "trl",
    "transformers": "trl",
    "fsdp-qlora": "axolotl",
    "mlx": "mlx-lm",
    "swift": "ms-swift",
}
NAMES = {"trl": "TRL", "fsdp-qlora": "FSDP-QLoRA"}
"""Shorter names than the catalog's."""
SHARDS = ("axolotl", "trl", "ms-swift")
"""Templates that know how to split one model over several cards; ms-swift's ready-made FSDP2 only in 16 bit."""


@dataclass(frozen=True)
class Choice:
    """A trainer with a template. `why` is a code when it is another one than was asked for."""

    trainer: str
    asked: str | None = None
    why: str | None = None


def choose(advice: Advice, trainer: str | None, values: Values, catalog: Catalog) -> Choice:
    """The trainer to write a configuration for."""
    asked = trainer or advice.query.trainer
    named = ALSO.get(asked or "", asked)
    apple = _on_apple(advice, catalog)
    usual, suited = _usual(values, apple), _suited(values, apple)
    if named in (None, usual) and _gap(advice, usual, catalog):
        return Choice("trl", usual, "not_for_model")
    if named is None:
        return Choice(suited) if suited == usual else Choice(suited, usual, "no_algorithm")
    if _gap(advice, named, catalog):
        return Choice("trl", asked, "not_for_model")
    if named not in TEMPLATES:
        return Choice(suited, asked, "no_template")
    if not can(named, values.algorithm) or (asked in abilities() and not can(asked, values.algorithm)):
        return Choice(suited, asked, "no_algorithm")
    if values.sharded and (named not in SHARDS or (named == "ms-swift" and (values.offload or values.bits < 16))):
        return Choice(_suited(values, apple=False), asked, "no_sharding")
    if named == "mlx-lm" and advice.query.gpus and not apple:
        return Choice(suited, asked, "apple_only")
    return Choice(named)


def decoder(advice: Advice, catalog: Catalog) -> bool:
    """The model is of the kind that the templates load: no encoder, with a decoder or without."""
    gap = _gap(advice, "unsloth", catalog)
    return gap is None or gap.why not in ENCODERS


def _gap(advice: Advice, trainer: str, catalog: Catalog) -> NotFor | None:
    """Why a trainer is not for the model of the advice."""
    model = catalog.models.get((advice.setup and advice.setup.model_id) or "")
    return gap_of(trainer, model, advice.query.arch, catalog)


def _usual(values: Values, apple: bool) -> str:
    """The trainer of a plain fine-tuning run."""
    return "mlx-lm" if apple else "axolotl" if values.sharded else "unsloth"


def _suited(values: Values, apple: bool) -> str:
    """The usual trainer where it has the algorithm; TRL has all of them."""
    usual = _usual(values, apple)
    return usual if can(usual, values.algorithm) else "trl"


def _on_apple(advice: Advice, catalog: Catalog) -> bool:
    cards = [gpu for card in advice.query.gpus if (gpu := catalog.gpus.get(card.gpu or ""))]
    return any(card.vendor == "apple" for card in cards) or (not cards and advice.query.os == "macos")
