"""A ready-to-run configuration of the set-up that an advice is about: script, YAML or command, versions named."""

import json
import shlex
from functools import lru_cache
from pathlib import Path

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

import knowledge
from advisor.advice import Advice
from bot.configs.choice import NAMES, TEMPLATES, choose
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
    choice = choose(advice, trainer, values, catalog)
    names = {key: known.name.split(" (")[0] for key, known in catalog.trainers.items()} | NAMES
    facts = {
        "trainer": names.get(choice.trainer, choice.trainer),
        "asked": names.get(choice.asked or "", "?"),
        "version": versions()[choice.trainer],
        "model": values.model,
        "tokens": filters.number(values.seq_len, language),
        "algorithm": (advice.query.algorithm or "sft").upper(),
        "batch": f"{values.micro_batch} × {values.grad_accum}" + (f" × {values.n_gpus}" if values.n_gpus > 1 else ""),
    }
    facts["method"] = words["full"] if values.full else _method(values)
    notes = [choice.why] if choice.why else []
    if advice.setup and advice.setup.generic:
        notes.append("size_only")
    if facts["algorithm"] not in ("SFT", "PRETRAIN"):
        notes.append("sft_only")
    lines = [words[name].format(**facts) for name in ("title", *notes)]
    blocks = [_fenced(name, values) for name in _files(choice.trainer)]
    return "\n\n".join(["\n".join(lines), *blocks, _data(choice.trainer, values, words)])


def rendered(template: str, values: Values) -> str:
    """One template of knowledge/configs filled in."""
    return environment().get_template(template).render(v=values, version=versions())


def _files(trainer: str) -> list[str]:
    """The trainer's template, then the further files that it needs."""
    more = sorted(path.name for path in (ROOT / "configs").glob(f"{trainer}.*.*.j2"))
    return [TEMPLATES[trainer], *more]


def _fenced(template: str, values: Values) -> str:
    suffix = template.removesuffix(".j2").rsplit(".", 1)[1]
    return f"```{FENCES[suffix]}\n{rendered(template, values).strip()}\n```"


def _method(values: Values) -> str:
    name = "DoRA" if values.dora else "LoRA"
    return f"Q{name}" if values.bits == 4 else f"{name}, 8 bit" if values.bits == 8 else name


def _data(trainer: str, values: Values, words: dict[str, str]) -> str:
    if trainer == "mlx-lm":
        return words["data_mlx"]
    messages = values.chat or trainer in ("llama-factory", "ms-swift")
    return words["data_messages"] if messages else words["data_text"]


@lru_cache(maxsize=16)
def words_of(language: str) -> dict[str, str]:
    """configs.yaml of a language, English where it has none."""
    known = (ROOT / "lang" / language / "configs.yaml").exists()
    return _load(ROOT / "lang" / (language if known else FALLBACK), "configs.yaml")


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
