"""The catalog that is shipped: all of it is sound, and all that was given came over."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from knowledge import compiled
from knowledge.catalog import FACTS, build, load_catalog
from knowledge.check import facts_faults
from knowledge.faults import KnowledgeFaults
from knowledge.names import name_tokens
from tests.knowledge.conftest import Facts
from tests.paths import ROOT, SHARED, needs_shared

CATALOG = build(compiled.read_yaml_tree(FACTS))


def rows(name: str) -> Iterator[dict[str, Any]]:
    with (SHARED / "data" / f"{name}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def test_the_facts_are_sound() -> None:
    assert facts_faults(compiled.read_yaml_tree(FACTS)) == []


@needs_shared
def test_every_given_card_came_over_unchanged() -> None:
    for row in rows("gpus"):
        gpu = CATALOG.gpus[row["id"]]
        for field in set(type(gpu).model_fields) & row.keys() - {"aliases", "disagreements", "supports", "power"}:
            given = tuple(row[field]) if isinstance(row[field], list) else row[field]
            assert getattr(gpu, field) == given, (gpu.id, field)
        assert gpu.supports.model_dump() == row["supports"], gpu.id


@needs_shared
def test_every_given_model_came_over_with_its_counts() -> None:
    names: tuple[str, ...] = (
        "params_total",
        "params_text",
        "hidden_size",
        "layers",
        "heads",
        "kv_heads",
        "head_dim",
        "vocab_size",
    )
    names += ("intermediate_size", "tie_embeddings", "max_context", "attention", "sliding_window", "license", "gated")
    for row in rows("models"):
        model = CATALOG.models[row["id"]]
        assert {name: getattr(model, name) for name in names} == {name: row[name] for name in names}, model.id
        if row["params_active"] is not None:
            assert model.params_active == pytest.approx(row["params_active"], rel=1e-6), model.id


@needs_shared
@pytest.mark.parametrize("kind", ["gpus", "models"])
def test_every_given_name_still_leads_to_its_entry(kind: str) -> None:
    entries: Mapping[str, Any] = {"gpus": CATALOG.gpus, "models": CATALOG.models}[kind]
    ambiguous = {name_tokens(a.alias): a.candidates for a in CATALOG.ambiguities if a.catalog == kind}
    for row in rows(kind):
        entry = entries[row["id"]]
        own = {
            name_tokens(name)
            for name in (entry.id, entry.id.split("/")[-1], getattr(entry, "name", ""), *entry.aliases)
        }
        for alias in row["aliases"]:
            tokens = name_tokens(alias)
            assert tokens in own or row["id"] in ambiguous.get(tokens, ()) or alias == "command r+", (row["id"], alias)


@needs_shared
def test_every_given_price_trainer_and_ambiguity_came_over() -> None:
    assert sum(map(len, CATALOG.prices.values())) >= len(list(rows("prices_cloud")))
    assert {row["id"] for row in rows("trainers")} <= CATALOG.trainers.keys()
    counts = {"two 3090s"}  # a count is no name: the reader counts cards
    given = {(row["catalog"], row["alias"]): row["default"] for row in rows("ambiguous") if row["alias"] not in counts}
    ours = {(entry.catalog, entry.alias): entry.default for entry in CATALOG.ambiguities}
    assert given.items() <= ours.items()


def test_every_price_has_a_date_and_a_source_and_the_newest_comes_first() -> None:
    for prices in CATALOG.prices.values():
        assert [price.date for price in prices] == sorted((price.date for price in prices), reverse=True)
        assert all(re.match(r"20\d\d", price.date) and price.source for price in prices)
    assert CATALOG.prices_of("no-such-card") == ()


def test_every_entry_has_a_source_and_a_date() -> None:
    entries = [*CATALOG.gpus.values(), *CATALOG.models.values(), *CATALOG.trainers.values()]
    entries += [*CATALOG.tiers, *CATALOG.ranking, *CATALOG.instances.values(), *CATALOG.capabilities.values()]
    assert all(entry.source and entry.checked.year >= 2026 for entry in entries)


def test_the_seed_tiers_and_ranking_cover_their_claims() -> None:
    told = {claim for tier in CATALOG.tiers for claim in tier.claims}
    told |= {claim for rank in CATALOG.ranking for claim in rank.claims}
    assert {f"S{n}" for n in (10, 11, 12, 13, 14, 20, 21, 22, 23, 24)} <= told
    assert [rank.gpus[0] for rank in CATALOG.ranking] == ["rtx-5090", "rtx-3090", "rtx-4090", "rtx-5080", "rtx-3090"]


@pytest.mark.parametrize(
    ("instance", "gpu", "count"),
    [
        ("g5.12xlarge", "a10g", 4),
        ("p4d.24xlarge", "a100-40gb-sxm", 8),
        ("g6.xlarge", "l4", 1),
        ("g6e.12xlarge", "l40s", 4),
        ("p3.8xlarge", "v100-16gb", 4),
        ("p5.48xlarge", "h100-sxm", 8),
        ("NC24ads_A100_v4", "a100-80gb-pcie", 1),
        ("a2-ultragpu-2g", "a100-80gb-sxm", 2),
        ("colab-free", "t4", 1),
        ("kaggle-t4-x2", "t4", 2),
    ],
)
def test_a_rented_machine_is_so_many_cards(instance: str, gpu: str, count: int) -> None:
    entry = CATALOG.instances[instance]
    assert (entry.gpu, entry.count) == (gpu, count)


@pytest.mark.parametrize(
    "hub_id",
    [
        "Qwen/Qwen-7B-Chat",
        "Qwen/Qwen-14B-Chat",
        "Qwen/Qwen-72B",
        "THUDM/chatglm-6b",
        "THUDM/chatglm3-6b",
        "THUDM/glm-4-9b-chat",
        "internlm/internlm-chat-7b",
        "01-ai/Yi-34B-Chat",
        "01-ai/Yi-6B-Chat",
        "baichuan-inc/Baichuan-13B-Chat",
        "mosaicml/mpt-7b",
        "databricks/dbrx-instruct",
        "NousResearch/Hermes-3-Llama-3.1-8B",
        "deepseek-ai/DeepSeek-Coder-V2-Instruct",
        "Qwen/Qwen2-VL-7B-Instruct",
        "meta-llama/Llama-3.2-11B-Vision-Instruct",
        "google/flan-t5-xl",
        "google-bert/bert-large-uncased",
    ],
)
def test_models_that_people_ask_about_are_known_by_their_hub_id(hub_id: str) -> None:
    assert hub_id.lower() in CATALOG.by_sibling


def test_a_broken_folder_names_every_fault_and_is_not_loaded(facts: Facts) -> None:
    facts.change("gpus/nvidia-datacenter.yaml", "    source: datasheet\n", "")
    facts.change("prices.yaml", "date: 2026-05, ", "")
    with pytest.raises(KnowledgeFaults) as refused:
        load_catalog(facts.folder)
    assert {(fault.file, fault.field) for fault in refused.value.faults} == {
        ("gpus/nvidia-datacenter.yaml", "source"),
        ("prices.yaml", "date"),
    }
    assert "gpus/nvidia-datacenter.yaml: entry 't4' needs fixing:\n  source: Field required" in str(refused.value)


def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys, knowledge.catalog as c; c.load_catalog();"
        "print(*(m for m in ('yaml', 'numpy', 'typer', 'jinja2', 'sqlalchemy') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""
