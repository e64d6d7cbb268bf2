"""An advice as the values of one training run: what a template may use. Every text is checked, every number is one."""

import re
from dataclasses import dataclass

from advisor.advice import Advice, Setup
from advisor.estimator.names import FULL_METHODS
from bot.configs.algorithm import algorithm_in, batch_of, completion_len, learning_rate
from knowledge.catalog import Catalog
from knowledge.compiled import PACKAGE, load_yaml_tree
from knowledge.schemas import Gpu, Model

HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
MODULE = re.compile(r"[A-Za-z_][\w.]{0,63}", re.ASCII)
ATTENTION = ("q_proj", "k_proj", "v_proj", "o_proj")
MLP = ("gate_proj", "up_proj", "down_proj")
GROUPS = {
    "all": (*ATTENTION, *MLP),
    "all-linear": (*ATTENTION, *MLP),
    "qkvo": ATTENTION,
    "attention": ATTENTION,
    "qv": ("q_proj", "v_proj"),
    "mlp": MLP,
}
OPTIMIZERS = {
    "adamw": "adamw_torch",
    "adamw_fused": "adamw_torch_fused",
    "adamw_torch": "adamw_torch",
    "adamw_torch_fused": "adamw_torch_fused",
    "adamw_8bit": "adamw_8bit",
    "adamw_bnb_8bit": "adamw_8bit",
    "paged_adamw": "paged_adamw_32bit",
    "paged_adamw_32bit": "paged_adamw_32bit",
    "paged_adamw_8bit": "paged_adamw_8bit",
    "adafactor": "adafactor",
    "sgd": "sgd",
    "lion": "lion_32bit",
    "lion_8bit": "lion_8bit",
}
"""Optimizers as a set-up names them → as transformers does."""
NEAR = 0.15
"""How far the usual model may be from the size that was named."""
EPOCHS = 2
EPOCHS_OF_PREFERENCES = 1
"""TRL's own number is 3, its recipes for preferences and rewards take 1."""
ITERATIONS = 600
"""Steps of a run on a data set of unknown size, where the trainer wants a number."""


@dataclass(frozen=True)
class Values:
    """One run. `modules` are the layers that carry an adapter; `all_linear` says that they are all of them."""

    model: str
    full: bool
    dora: bool
    bits: int
    seq_len: int
    micro_batch: int
    grad_accum: int
    rank: int
    modules: tuple[str, ...]
    all_linear: bool
    optimizer: str
    learning_rate: float
    epochs: int
    iterations: int
    fp16: bool
    flash: bool
    checkpointing: bool
    packing: bool
    n_gpus: int
    sharded: bool
    offload: bool
    chat: bool
    """The model has a chat template, so that the data are messages; else plain texts."""
    algorithm: str
    """sft, dpo, ipo, orpo, kto, simpo, cpo or grpo."""
    group: int
    """Completions per prompt of GRPO."""
    completion_len: int
    """Tokens of an answer of GRPO; `seq_len` holds the prompt as well."""

    @property
    def alpha(self) -> int:
        """As large as the rank: a scale of 1. FAQ entry lora-alpha."""
        return self.rank

    @property
    def rate(self) -> str:
        """The learning rate without an exponent: "1e-05" is a text in YAML."""
        return f"{self.learning_rate:.8f}".rstrip("0")

    @property
    def prompt_len(self) -> int:
        """Tokens that GRPO's prompt may have beside its answer."""
        return self.seq_len - self.completion_len

    @property
    def update(self) -> int:
        """Sequences per update, over all cards."""
        return self.micro_batch * self.grad_accum * self.n_gpus

    @property
    def dtype(self) -> str:
        """What is computed in."""
        return "float16" if self.fp16 else "bfloat16"

    @property
    def peft_targets(self) -> str | tuple[str, ...]:
        """The modules as PEFT wants them."""
        return "all-linear" if self.all_linear else self.modules


def values_of(advice: Advice, catalog: Catalog) -> Values | None:
    """The run that an advice is about; None when it is about no model."""
    setup, query = advice.setup, advice.query
    model = _model_id(advice, catalog) if setup else None
    if setup is None or model is None:
        return None
    gpu = _gpu(advice, catalog)
    full = setup.method in FULL_METHODS
    n_gpus = max(1, setup.n_gpus)
    algorithm = algorithm_in(advice)
    batch = batch_of(algorithm, max(1, setup.micro_batch), query.grad_accum, n_gpus)
    epochs = max(1, min(100, round(query.epochs or (EPOCHS if algorithm == "sft" else EPOCHS_OF_PREFERENCES))))
    modules, all_linear = _modules(setup)
    return Values(
        model=model,
        full=full,
        dora="dora" in setup.method,
        bits=16 if full else _bits(setup),
        seq_len=setup.seq_len,
        micro_batch=batch.micro,
        grad_accum=batch.accum,
        rank=setup.lora_rank or 16,
        modules=modules,
        all_linear=all_linear,
        optimizer=_optimizer(setup, gpu),
        learning_rate=learning_rate(algorithm, full, setup.params),
        epochs=epochs,
        iterations=_iterations(query.dataset_examples, epochs, batch.micro),
        fp16=bool(gpu and not gpu.supports.bf16),
        flash=gpu is None or gpu.supports.flash_attention_2 == "yes",
        checkpointing=setup.grad_checkpointing,
        packing=bool(query.packing) and algorithm == "sft",
        n_gpus=n_gpus,
        sharded=_sharded(setup),
        offload=setup.offload not in ("none", "activations") or (_sharded(setup) and _fits_nowhere(advice)),
        chat=_chat(model, catalog),
        algorithm=algorithm,
        group=batch.group,
        completion_len=completion_len(setup.seq_len),
    )


def _model_id(advice: Advice, catalog: Catalog) -> str | None:
    """The hub id as asked for; for a mere size an open model near it; else the stand-in, or the nearest known."""
    setup = advice.setup
    assert setup is not None
    asked = None if setup.generic else advice.query.model
    for name in (asked, _usual(setup.params, catalog) if setup.generic else None, setup.model_id):
        if name and HUB_ID.fullmatch(name):
            return name
    if not setup.params:
        return None
    nearest = min(catalog.models.values(), key=lambda model: (abs(_params(model) - setup.params), model.id))
    return nearest.id


def _usual(params: int, catalog: Catalog) -> str | None:
    """The usual model of a size, from knowledge/configs/models.yaml; None where none is near."""
    ids: list[str] = load_yaml_tree(PACKAGE / "configs", "models.yaml", texts=True)["models.yaml"]
    sizes = {name: _params(catalog.by_sibling[name.lower()]) for name in ids}
    name = min(ids, key=lambda name: abs(sizes[name] - params))
    return name if abs(sizes[name] - params) <= NEAR * params else None


def _params(model: Model) -> int:
    return model.params_published or 0


def _gpu(advice: Advice, catalog: Catalog) -> Gpu | None:
    for card in advice.query.gpus:
        if card.gpu and card.gpu in catalog.gpus:
            return catalog.gpus[card.gpu]
    return None


def _bits(setup: Setup) -> int:
    """Bits of the frozen base that bitsandbytes can load: 4, 8 or none of its business."""
    return 4 if setup.weight_bits <= 6 else 8 if setup.weight_bits <= 8 else 16


def _modules(setup: Setup) -> tuple[tuple[str, ...], bool]:
    targets = setup.lora_targets or "all"
    if isinstance(targets, str):
        modules = GROUPS.get(targets, GROUPS["all"])
    else:
        modules = tuple(name for name in targets if MODULE.fullmatch(name)) or GROUPS["all"]
    return modules, set(modules) == set(GROUPS["all"])


def _optimizer(setup: Setup, gpu: Gpu | None) -> str:
    stated = OPTIMIZERS.get((setup.optimizer or "").lower())
    if _sharded(setup):
        return stated if stated and "8bit" not in stated and "paged" not in stated else "adamw_torch_fused"
    return stated or ("adamw_torch" if gpu and gpu.vendor == "apple" else "adamw_8bit")


def _sharded(setup: Setup) -> bool:
    """Whether the weights themselves are split over the cards."""
    return setup.n_gpus > 1 and setup.sharding in ("fsdp", "fsdp2", "zero3")


def _fits_nowhere(advice: Advice) -> bool:
    """Whether no stack fits the asker's cards as it stands, so that only system RAM can help."""
    fits = [need.fit for need in advice.needs if need.fit]
    return bool(fits) and all(fit in ("no", "unlikely") for fit in fits)


def _iterations(examples: int | None, epochs: int, micro_batch: int) -> int:
    return max(1, min(10**7, examples * epochs // micro_batch)) if examples else ITERATIONS


def _chat(model: str, catalog: Catalog) -> bool:
    """Whether the model is made for conversation: by its name, which siblings in the catalog share."""
    low = model.lower()
    if any(word in low for word in ("instruct", "chat", "-it", "thinking", "reason")):
        return True
    known = catalog.by_sibling.get(low)
    return known is None or known.kind != "base"
