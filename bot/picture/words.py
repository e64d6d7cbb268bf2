"""What stands on the picture: names and numbers in a language."""

from advisor.advice import Advice, Need
from bot.renderer import filters
from bot.renderer.environment import words_of
from knowledge.compiled import PACKAGE, load_yaml_tree

FALLBACK = "en"
MAX_NAME = 40
"""Characters of a model's name that are looked at."""


class Speaker:
    """The words of one advice in one language."""

    def __init__(self, advice: Advice, language: str) -> None:
        known = (PACKAGE / "lang" / language / "picture.yaml").exists()
        self.language = language if known else FALLBACK
        self.words = load_yaml_tree(PACKAGE / "lang" / self.language, "picture.yaml", texts=True)["picture.yaml"]
        self.names = words_of(self.language)
        self.advice = advice
        card = next((card for card in advice.query.gpus if card.vram_gb), None)
        self.card_gb = round(card.vram_gb) if card and card.vram_gb else None

    def title(self) -> str:
        """Model and method: "13B · QLoRA"."""
        assert self.advice.setup is not None
        method = self.names["method"].get(self.advice.setup.method, self.advice.setup.method)
        model = "".join(sign for sign in self.advice.setup.model[:MAX_NAME] if sign.isprintable())
        return f"{model} · {method}"

    def subtitle(self) -> str:
        """The settings that the figures are for."""
        setup = self.advice.setup
        assert setup is not None
        parts = [
            self.words["tokens"].format(n=self.tokens(setup.seq_len)),
            self.words["batch"].format(n=setup.micro_batch),
        ]
        if setup.n_gpus > 1:
            parts.append(self.words["per_card"].format(n=setup.n_gpus))
        elif setup.lora_rank and setup.method != "full":
            parts.append(self.words["rank"].format(n=setup.lora_rank))
        return " · ".join(parts)

    def stack(self, code: str) -> str:
        """A stack's name."""
        return str(self.names["stack"].get(code, code))

    def short(self, code: str) -> str:
        """A stack's name for a narrow column."""
        return str(self.words["short"].get(code, self.stack(code).split(" ")[0]))[:9]

    def part(self, name: str) -> str:
        """What a colour means."""
        full = self.advice.setup is not None and self.advice.setup.method == "full"
        return str(self.words["part"]["trained_full" if full and name == "trained" else name])

    def gib(self, size: int) -> str:
        """Bytes with their unit."""
        return filters.gib(size, self.language)

    def bare(self, size: int) -> str:
        """Bytes as GiB without the unit."""
        return filters.bare_gib(size, self.language)

    def range(self, need: Need) -> str:
        """The 90 % interval."""
        return filters.span((need.low, need.high), self.language)

    def tokens(self, value: int) -> str:
        """A context length, as the answer writes it."""
        return filters.tokens(value, self.language)

    def note(self) -> str:
        """How to read it."""
        return str(self.words["note"])

    def ladder(self) -> str:
        """The heading of the ladder."""
        return str(self.words["ladder"])

    def alt(self, needs: tuple[Need, ...]) -> str:
        """The picture in words."""
        stacks = "; ".join(f"{self.stack(need.stack)} {self.gib(need.device)} ({self.range(need)})" for need in needs)
        said = str(self.words["alt"]).format(title=self.title(), subtitle=self.subtitle(), needs=stacks)
        rungs = ", ".join(
            f"{self.tokens(rung.value)} {self.bare(rung.needs[0])}" for rung in self.advice.rungs if rung.needs
        )
        return said + (" " + str(self.words["alt_ladder"]).format(rungs=rungs) if rungs else "")
