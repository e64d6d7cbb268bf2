"""Model names as people write them, and bare sizes: "llama3 8b", "Qwen3-235B-A22B-Instruct-2507", "8x7B", "7/13/34B".

A name is read as family, version, size, active size and variant words; the catalog's own names are read the same way,
so that any order and any decoration ("-bnb-4bit", "-GPTQ-Int4") finds its row.
"""

from bot.parser.models.book import models
from bot.parser.models.mentions import Mention
from bot.parser.models.sizes import read_models

__all__ = ["Mention", "models", "read_models"]
