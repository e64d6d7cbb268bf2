"""Each kind of fault is named with file, entry, field and the mend."""

from collections.abc import Callable

import pytest

from knowledge.faults import Fault, listing
from tests.knowledge.conftest import Facts

GPUS = "gpus/nvidia-datacenter.yaml"
MODELS = "models/meta.yaml"
One = Callable[[], Fault]


def test_a_sound_tree_has_no_fault(facts: Facts) -> None:
    assert facts.faults() == []


def test_a_missing_source_is_named(facts: Facts, only_fault: One) -> None:
    facts.change(GPUS, "    source: datasheet\n", "")
    assert only_fault() == Fault(GPUS, "t4", "source", "Field required")


def test_a_missing_date_of_checking_is_named(facts: Facts, only_fault: One) -> None:
    facts.change(MODELS, "    checked: 2026-11-30\n", "")
    assert only_fault() == Fault(MODELS, "meta-llama/Llama-2-7b-hf", "checked", "Field required")


def test_an_impossible_value_is_named(facts: Facts, only_fault: One) -> None:
    facts.change(GPUS, "vram_gb: 16", "vram_gb: -16")
    assert only_fault() == Fault(GPUS, "t4", "vram_gb", "Input should be greater than 0")


def test_an_unknown_field_is_named_with_those_that_exist(facts: Facts, only_fault: One) -> None:
    facts.change(GPUS, "    segment: datacenter", "    good: true\n    segment: datacenter")
    fault = only_fault()
    assert (fault.file, fault.entry, fault.field) == (GPUS, "t4", "good")
    assert fault.what.startswith("no such field; there are: ")
    assert "vram_gb" in fault.what


def test_a_group_that_is_no_mapping_is_named(facts: Facts) -> None:
    facts.change(GPUS, "compute: {fp16_dense_tflops: 65}", "compute: 65")
    assert Fault(GPUS, "t4", "", "compute: should be a mapping such as compute: {field: value}") in facts.faults()


def test_a_field_inside_and_outside_of_its_group_is_named(facts: Facts) -> None:
    facts.change(GPUS, "    segment: datacenter", "    vram_gb: 16\n    segment: datacenter")
    assert Fault(GPUS, "t4", "", "memory: vram_gb stands both inside and outside of it") in facts.faults()


def test_every_fault_of_an_entry_is_named_at_once(facts: Facts) -> None:
    facts.change(GPUS, "    source: datasheet\n    checked: 2026-11-30\n", "")
    facts.change(GPUS, "vram_gb: 16", "vram_gb: 0")
    facts.change(GPUS, "    compute_capability: '7.5'\n", "")
    facts.change("prices.yaml", "date: 2026-05, ", "")
    fields = {(fault.file, fault.field) for fault in facts.faults()}
    assert {(GPUS, "source"), (GPUS, "checked"), (GPUS, "vram_gb"), (GPUS, "compute_capability")} <= fields
    assert ("prices.yaml", "date") in fields


def test_a_price_without_a_date_is_named(facts: Facts, only_fault: One) -> None:
    facts.change("prices.yaml", "date: 2026-05, ", "")
    assert only_fault() == Fault("prices.yaml", "t4 (price 1)", "date", "Field required")


def test_a_price_without_a_source_is_named(facts: Facts, only_fault: One) -> None:
    facts.change("prices.yaml", ", source: 'https://example.org/t4'", "")
    assert only_fault() == Fault("prices.yaml", "t4 (price 1)", "source", "Field required")


def test_a_price_that_is_no_list_is_named(facts: Facts, only_fault: One) -> None:
    facts.write("prices.yaml", "t4: {kind: used}\n")
    assert only_fault() == Fault("prices.yaml", "t4", "", "should be a list of prices, each on a line with '- '")


def test_a_price_of_an_unknown_card_is_named(facts: Facts, only_fault: One) -> None:
    facts.change("prices.yaml", "t4:\n", "t5:\n")
    assert only_fault() == Fault(
        "prices.yaml", "t5", "", "t5: no card of this id in gpus/; add it there or mend the id"
    )


def test_a_card_of_an_unknown_generation_is_named(facts: Facts) -> None:
    facts.change(GPUS, "compute_capability: '7.5'", "compute_capability: '99.0'")
    (fault,) = facts.faults()
    assert fault == Fault(GPUS, "t4", "supports", "Field required")
    facts.change(
        GPUS,
        "    segment: datacenter",
        "    supports: {bf16: true, flash_attention_2: 'yes', bitsandbytes_4bit: cuda, unsloth: 'yes'}\n"
        "    segment: datacenter",
    )
    what = "99.0: not in capabilities.yaml; add the generation there"
    assert facts.faults() == [Fault(GPUS, "t4", "compute_capability", what)]


def test_a_count_that_is_off_is_named_with_both_counts(facts: Facts, only_fault: One) -> None:
    facts.change(MODELS, "layers: 32", "layers: 31")
    fault = only_fault()
    assert (fault.entry, fault.field) == ("meta-llama/Llama-2-7b-hf", "params_published")
    assert fault.what.startswith("6,536,032,256 from the shape, 6,738,417,664 published (-3.0%)")


def test_a_count_within_half_a_per_cent_passes(facts: Facts) -> None:
    facts.change(MODELS, "params_published: 6738417664", "params_published: 6770000000")
    assert facts.faults() == []


def test_an_unknown_layer_plan_is_named_with_those_that_exist(facts: Facts, only_fault: One) -> None:
    facts.change(MODELS, "shape: {", "shape: {arch: lama, ")
    fault = only_fault()
    assert fault.field == "arch"
    assert fault.what.startswith("no layer plan 'lama'; known: bert, bloom, ")


def test_a_missing_detail_of_a_layer_plan_is_named(facts: Facts, only_fault: One) -> None:
    facts.change(MODELS, "shape: {", "shape: {arch: falcon, ")
    assert only_fault().what.startswith("'lns' is missing for arch 'falcon'")


def test_heads_that_cannot_share_are_named(facts: Facts) -> None:
    facts.change(MODELS, "heads: 32", "heads: 32, kv_heads: 5")
    assert any(fault.field == "kv_heads" for fault in facts.faults())


SECOND = """
  {id}:
    name: Tesla T4G
    aliases: [{alias}]
    vendor: nvidia
    architecture: Turing
    segment: datacenter
    compute_capability: '7.5'
    memory: {{vram_gb: 16, mem_type: GDDR6, bandwidth_gb_s: 320}}
    sold: {{release_year: 2021, still_sold_new: 'no'}}
    source: datasheet
    checked: 2026-11-30
"""


@pytest.mark.parametrize("alias", ["nvidia t4", "NVIDIA-T4", "t4", "tesla t4"])
def test_an_alias_that_means_another_entry_is_named(facts: Facts, only_fault: One, alias: str) -> None:
    facts.add(GPUS, SECOND.format(id="t4g", alias=alias))
    fault = only_fault()
    assert fault.entry == "t4g"
    assert fault.what.endswith("already means t4; drop it here, or move it to ambiguous.yaml with both as candidates")


def test_an_alias_that_is_in_ambiguous_is_named(facts: Facts, only_fault: One) -> None:
    facts.add(GPUS, SECOND.format(id="t4g", alias="tesla"))
    assert only_fault().what == "'tesla' is in ambiguous.yaml; keep it in one of the two places"


def test_names_are_compared_as_tokens_and_not_squeezed(facts: Facts) -> None:
    facts.change(MODELS, "aliases: [llama 2 7b]", "aliases: [qwen 2 7b]")
    more = """
qwen:
  Qwen/Qwen-27B:
    aliases: [qwen 27b]
    shape: {hidden_size: 4096, layers: 32, heads: 32, intermediate_size: 11008, vocab_size: 32000, max_context: 4096}
    source: https://example.org
    checked: 2026-11-30
"""
    facts.add(MODELS, more)
    assert facts.faults() == []


def test_an_unknown_candidate_and_default_are_named(facts: Facts) -> None:
    facts.change("ambiguous.yaml", "candidates: [t4]", "candidates: [t5]")
    assert facts.faults() == [
        Fault("ambiguous.yaml", "tesla", "candidates", "t5: no such id in gpus; add it there or mend the id"),
        Fault("ambiguous.yaml", "tesla", "default", "t4: not one of the candidates"),
    ]


def test_a_source_that_says_nothing_is_named(facts: Facts, only_fault: One) -> None:
    facts.change(GPUS, "source: datasheet", "source: somewhere")
    fault = only_fault()
    assert fault.field == "source"
    assert fault.what.startswith("'somewhere' is neither a key of sources.yaml nor a web address nor a document")


def test_a_source_of_a_field_that_does_not_exist_is_named(facts: Facts, only_fault: One) -> None:
    facts.change(GPUS, "    source: datasheet", "    sources: {vram: datasheet}\n    source: datasheet")
    assert only_fault() == Fault(GPUS, "t4", "sources.vram", "no such field; name a field of the entry")


def test_an_id_that_stands_twice_in_a_file_is_named_with_its_line(facts: Facts, only_fault: One) -> None:
    facts.add(GPUS, SECOND.format(id="t4", alias="t4g"))
    assert only_fault() == Fault(GPUS, "t4", "line 16", "stands twice; merge the two or rename one")


def test_an_id_that_stands_in_two_files_is_named(facts: Facts) -> None:
    facts.write("gpus/more.yaml", "Turing:\n" + SECOND.format(id="t4", alias="t4g"))
    assert any(fault.what == "stands in another file too; keep one of the two" for fault in facts.faults())


def test_a_file_that_is_not_yaml_is_named_with_its_line(facts: Facts, only_fault: One) -> None:
    facts.add("prices.yaml", "broken: [\n")
    fault = only_fault()
    assert fault.file == "prices.yaml"
    assert fault.field.startswith("line 5")
    assert fault.what.startswith("is not valid YAML: ")


def test_a_file_that_is_not_text_is_named(facts: Facts, only_fault: One) -> None:
    facts.write("prices.yaml", b"\xff\xfe")
    assert only_fault().what == "is not UTF-8 text; save it as UTF-8"


@pytest.mark.parametrize("content", ["- t4\n", "just words\n", "t4: 3\n"])
@pytest.mark.parametrize("file", ["gpus/nvidia-datacenter.yaml", "models/meta.yaml", "prices.yaml", "ambiguous.yaml"])
def test_a_file_of_another_form_is_named_and_never_a_traceback(facts: Facts, file: str, content: str) -> None:
    facts.write(file, content)
    assert any(fault.file == file for fault in facts.faults())


def test_the_listing_groups_by_file_and_entry_and_says_where_to_read() -> None:
    faults = [
        Fault("gpus/geforce.yaml", "t4", "source", "Field required"),
        Fault("gpus/geforce.yaml", "t4", "checked", "Field required"),
        Fault("prices.yaml", "", "line 3, column 1", "is not valid YAML"),
    ]
    assert listing(faults).splitlines() == [
        "gpus/geforce.yaml: entry 't4' needs fixing:",
        "  checked: Field required",
        "  source: Field required",
        "What each field means: knowledge/README.md, section 'gpus'.",
        "prices.yaml needs fixing:",
        "  line 3, column 1: is not valid YAML",
        "What each field means: knowledge/README.md, section 'prices'.",
    ]


def test_a_file_that_nobody_reads_is_named(facts: Facts, only_fault: One) -> None:
    facts.write("price.yaml", "t4: []\n")
    what = "nothing reads a file of this name; rename it, or put it into gpus/ or models/"
    assert only_fault() == Fault("price.yaml", "", "", what)
