"""A ready-to-run configuration of the set-up that an advice is about: script, YAML or command, versions named."""

import json
import shlex
from functools import lru_cache
from pathlib import Path

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

import knowledge
from advisor.advice import Advice
from bot.configs.algorithm import VLLM
from bot.configs.choice import NAMES, TEMPLATES, Choice, choose, decoder
from bot.configs.values import Values, values_of
from bot.renderer import filters
from knowledge.catalog import load_catalog
from knowledge.compiled import load_yaml_tree

__all__ = ["TEMPLATES", "config_for", "rendered"]

ROOT = Path(knowledge.__file__).parent
FALLBACK = "en"
FENCES = {"py": "python", "yaml": "yaml", "sh": "bash", "json": "json"}


def config_for(advice: Advice, trainer: str | None = None, language: str = "en") -> str:
    """Markdown: what the configuration is for, the configuration in a code block, how to run it and on what data.

    For the asked trainer where it can do the set-up, else for one that can, and says so. Without a model in the advice
    it is the request to name one.
    """
    catalog = load_catalog()
    words = words_of(language)
    values = values_of(advice, catalog)
    if values is None:
        return str(words["no_model"])
    if not decoder(advice, catalog):
        return str(words["encoder"]).format(model=values.model)
    choice = choose(advice, trainer, values, catalog)
    facts = _facts(advice, choice, values, language)
    lines = [words[name].format(**facts) for name in ("title", *_notes(advice, choice, values))]
    blocks = [block for name in _files(choice.trainer) if (block := _fenced(name, values))]
    return "\n\n".join(["\n".join(lines), *blocks, _data(choice.trainer, values, words)])


def _facts(advice: Advice, choice: Choice, values: Values, language: str) -> dict[str, object]:
    """What the sentences around a configuration are filled in with."""
    names = {key: known.name.split(" (")[0] for key, known in load_catalog().trainers.items()} | NAMES
    learnt = values.algorithm != "sft"
    algorithm = _algorithm(values.algorithm if learnt else advice.query.algorithm or "sft")
    method = words_of(language)["full"] if values.full else _method(values)
    return {
        "trainer": names.get(choice.trainer, choice.trainer),
        "asked": names.get(choice.asked or "", "?"),
        "version": versions()[choice.trainer],
        "model": values.model,
        "tokens": filters.number(values.seq_len, language),
        "algorithm": algorithm,
        "method": f"{algorithm} · {method}" if learnt else method,
        "prompt": filters.number(values.prompt_len, language),
        "completion": filters.number(values.completion_len, language),
        "micro": values.micro_batch,
        "bits": values.bits,
        "vllm": VLLM.get(choice.trainer, ""),
        "batch": f"{values.micro_batch} × {values.grad_accum}" + (f" × {values.n_gpus}" if values.n_gpus > 1 else ""),
    }


def _keeps_from_vllm(choice: Choice, values: Values) -> bool:
    """TRL sends vLLM merged weights, for which packed ones have the wrong shape (trl issues #4973, #3125)."""
    return choice.trainer == "trl" and values.bits < 16


def _notes(advice: Advice, choice: Choice, values: Values) -> list[str]:
    """Codes of what is to be said before the configuration."""
    asked = advice.query.algorithm or "sft"
    setup = advice.setup
    notes = {
        choice.why or "": choice.why is not None,
        "size_only": setup is not None and setup.generic,
        "sft_only": values.algorithm == "sft" and asked not in ("sft", "pretrain"),
        "kto_pairs": setup is not None and values.micro_batch > max(1, setup.micro_batch),
        "sft_first": not values.chat and values.algorithm not in ("sft", "orpo", "grpo"),
        "grpo_length": values.algorithm == "grpo",
        "grpo_vllm": values.algorithm == "grpo" and not _keeps_from_vllm(choice, values),
        "grpo_alone": values.algorithm == "grpo" and _keeps_from_vllm(choice, values),
    }
    return [code for code, said in notes.items() if said]


def rendered(template: str, values: Values) -> str:
    """One template of knowledge/configs filled in."""
    return environment().get_template(template).render(v=values, version=versions())


def _files(trainer: str) -> list[str]:
    """The trainer's template, then the further files that it needs."""
    more = sorted(path.name for path in (ROOT / "configs").glob(f"{trainer}.*.*.j2"))
    return [TEMPLATES[trainer], *more]


def _fenced(template: str, values: Values) -> str:
    """A file in a code block; empty for a file that this run does without."""
    text = rendered(template, values).strip()
    suffix = template.removesuffix(".j2").rsplit(".", 1)[1]
    return f"```{FENCES[suffix]}\n{text}\n```" if text else ""


def _method(values: Values) -> str:
    name = "DoRA" if values.dora else "LoRA"
    return f"Q{name}" if values.bits == 4 else f"{name}, 8 bit" if values.bits == 8 else name


def _algorithm(name: str) -> str:
    return {"simpo": "SimPO"}.get(name, name.upper())


def _data(trainer: str, values: Values, words: dict[str, str]) -> str:
    """How a line of the data looks: by trainer where it wants its own form, by messages or texts else."""
    if trainer == "mlx-lm":
        return words["data_mlx"]
    messages = values.chat or trainer in ("llama-factory", "ms-swift")
    form = "messages" if messages else "text"
    if values.algorithm == "sft":
        return words[f"data_{form}"]
    kind = values.algorithm if values.algorithm in ("kto", "grpo") else "pairs"
    lines = forms()[kind]
    line = lines.get(f"{trainer} {form}") or lines[form]
    return words[f"data_{kind}"].format(line=line)


@lru_cache(maxsize=16)
def words_of(language: str) -> dict[str, str]:
    """configs.yaml of a language, English where it has none."""
    known = (ROOT / "lang" / language / "configs.yaml").exists()
    return _load(ROOT / "lang" / (language if known else FALLBACK), "configs.yaml")


@lru_cache(maxsize=1)
def forms() -> dict[str, dict[str, str]]:
    """How a line of data looks: kind of data → form."""
    return dict(load_yaml_tree(ROOT / "configs", "data.yaml", texts=True)["data.yaml"])


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """The versions that the templates are written for."""
    return _load(ROOT / "configs", "versions.yaml")


def _load(folder: Path, name: str) -> dict[str, str]:
    return dict(load_yaml_tree(folder, name, texts=True)[name])


@lru_cache(maxsize=1)
def environment() -> SandboxedEnvironment:
    """The templates, with a quoting filter per language: `py`, `yaml` (JSON is YAML), `sh`."""
    env = SandboxedEnvironment(
        loader=FileSystemLoader(str(ROOT / "configs")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    env.filters.update(py=_python, yaml=json.dumps, sh=lambda value: shlex.quote(str(value)))
    return env


def _python(value: object) -> str:
    """A Python literal with double quotes."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_python(item) for item in value) + "]"
    return json.dumps(value)
