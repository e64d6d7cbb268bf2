"""Templates and words of a language: compiled once, sandboxed, and strict about every name."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined, Template
from jinja2.environment import TemplateModule
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import SandboxedEnvironment

from advisor.advice import Part
from advisor.query import Query
from bot.renderer.filters import filters
from bot.renderer.kept import Kept
from knowledge.catalog import load_catalog
from knowledge.compiled import load_yaml_tree
from knowledge.language import load_language

OPEN = ("stack", "trainer", "method", "with_method", "algorithm", "component", "slot")
"""Lists whose codes come from the catalog as well: one without a word of its own is called as the catalog calls it."""


class Names(dict[str, Any]):
    """Words by code; a code without one is its own name."""

    def __missing__(self, code: str) -> str:
        trainer = load_catalog().trainers.get(code)
        return trainer.name if trainer else str(code)


Words = dict[str, dict[str, Any]]


@lru_cache(maxsize=16)
def words_of(language: str) -> Words:
    """answers/words.yaml: what the codes of an Advice are called, and the labels of buttons."""
    words = load_yaml_tree(Path(str(load_language(language).answers)), "words.yaml")["words.yaml"]
    return {name: Names(entry) if name in OPEN else entry for name, entry in words.items()}


OURS = (LoopContext, TemplateModule)
"""Objects of jinja2's own that a template may look into."""
TABLES: frozenset[type] = frozenset((dict, Names))
PARTS: frozenset[type] = frozenset((Query, *Part.__subclasses__()))
"""What an Advice is made of: fields lie open in `__dict__`."""


class Sandbox(SandboxedEnvironment):
    """A sandbox that knows what templates read most: facts and fields of an Advice. Everything else takes the long
    way.
    """

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A key of the facts, a field of a part, or what the sandbox allows."""
        kind = type(obj)
        if kind in TABLES:
            if attribute in obj:
                return obj[attribute]
        elif kind in PARTS:
            known = obj.__dict__
            if attribute in known:
                return known[attribute]
        elif kind in OURS and not attribute.startswith("_"):
            return getattr(obj, attribute)
        return super().getattr(obj, attribute)

    def call(__self, __context: Any, __obj: Any, *values: Any, **named: Any) -> Any:  # noqa: N805  as jinja2 names them
        """A macro of ours at once; anything else as the sandbox allows."""
        if type(__obj) is Macro:
            named.pop("_loop_vars", None)  # jinja2's own, for callables that ask for the context
            named.pop("_block_vars", None)
            return __obj(*values, **named)
        return super().call(__context, __obj, *values, **named)

    def make_globals(self, d: Any) -> Any:
        """A plain dict: the chained one of jinja2 is walked in Python, twice at every rendering."""
        return {**self.globals, **(d or {})}


@lru_cache(maxsize=16)
def environment(language: str) -> SandboxedEnvironment:
    """The language's templates."""
    env = Sandbox(
        loader=FileSystemLoader(str(load_language(language).answers)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        auto_reload=False,
        cache_size=-1,  # there are few: a plain dict, while a cache with a limit locks and sorts at every import
        bytecode_cache=Kept(language),
    )
    env.filters.update(filters(language))
    env.globals["w"] = words_of(language)
    return env


@lru_cache(maxsize=2048)
def template(name: str, language: str) -> Template:
    """A compiled template; jinja2.TemplateNotFound when the language lacks it."""
    return environment(language).get_template(f"{name}.md.j2")
