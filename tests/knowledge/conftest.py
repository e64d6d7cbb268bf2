"""A small sound tree of facts to break in one place, and the faults that the check then names."""

from collections.abc import Callable
from pathlib import Path

import pytest

from knowledge import compiled
from knowledge.check import facts_faults
from knowledge.faults import Fault, KnowledgeFaults

SOUND = {
    "sources.yaml": "datasheet: {title: The datasheet}\n",
    "capabilities.yaml": """
'7.5':
  supports: {bf16: false, flash_attention_2: 'no', bitsandbytes_4bit: cuda, unsloth: 'yes'}
  source: datasheet
  checked: 2026-11-30
""",
    "gpus/nvidia-datacenter.yaml": """
Turing:
  t4:
    name: Tesla T4
    aliases: [nvidia t4]
    vendor: nvidia
    architecture: Turing
    segment: datacenter
    compute_capability: '7.5'
    memory: {vram_gb: 16, usable_gib: 14.7, mem_type: GDDR6, bandwidth_gb_s: 320}
    compute: {fp16_dense_tflops: 65}
    sold: {release_year: 2018, still_sold_new: 'no'}
    source: datasheet
    checked: 2026-11-30
""",
    "models/meta.yaml": """
llama2:
  meta-llama/Llama-2-7b-hf:
    aliases: [llama 2 7b]
    siblings: [meta-llama/Llama-2-7b-chat-hf]
    shape: {hidden_size: 4096, layers: 32, heads: 32, intermediate_size: 11008, vocab_size: 32000, max_context: 4096}
    params_published: 6738417664
    source: https://huggingface.co/meta-llama/Llama-2-7b-hf
    checked: 2026-11-30
""",
    "prices.yaml": """
t4:
  - {kind: used, price: 600, provider: street price, date: 2026-05, source: 'https://example.org/t4'}
""",
    "ambiguous.yaml": """
gpus:
  tesla:
    candidates: [t4]
    default: t4
    resolution: the one that people mean
""",
}
"""What a fact folder holds, file by file."""


class Facts:
    """A folder of facts under test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in SOUND.items():
            self.write(name, text)

    def write(self, name: str, text: str | bytes) -> None:
        """Put a file into the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    def change(self, name: str, old: str, new: str) -> None:
        """Replace one text in one file."""
        text = (self.folder / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} should stand once in {name}"
        self.write(name, text.replace(old, new))

    def add(self, name: str, text: str) -> None:
        """Put text at the end of a file."""
        self.write(name, (self.folder / name).read_text(encoding="utf-8") + text)

    def faults(self) -> list[Fault]:
        """What the check finds, in the order of the listing."""
        try:
            return sorted(facts_faults(compiled.read_yaml_tree(self.folder)))
        except KnowledgeFaults as broken:
            return sorted(broken.faults)


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    """A sound tree."""
    return Facts(tmp_path / "facts")


@pytest.fixture
def only_fault(facts: Facts) -> Callable[[], Fault]:
    """The one fault of the tree; fails when there are more or none."""

    def the_one() -> Fault:
        faults = facts.faults()
        assert len(faults) == 1, faults
        return faults[0]

    return the_one
