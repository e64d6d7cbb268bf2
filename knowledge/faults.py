"""What is wrong in the knowledge, told so that the person editing it can mend it."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple


class Fault(NamedTuple):
    """File and entry, the field (or line), what is wrong and the mend. Empty texts where one does not apply."""

    file: str
    entry: str
    field: str
    what: str


class KnowledgeFaults(Exception):
    """Every fault found at once, in `faults`; as text, grouped by file and entry."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(dict.fromkeys(faults))
        super().__init__(listing(self.faults))


def listing(faults: Iterable[Fault]) -> str:
    """Write faults in the order of files, entries and fields; after each kind of file, where to read more."""
    lines: list[str] = []
    for section, of_section in groupby(sorted(faults), key=lambda fault: _section(fault.file)):
        for (file, entry), of_entry in groupby(of_section, key=lambda fault: (fault.file, fault.entry)):
            lines.append(f"{file}: entry {entry!r} needs fixing:" if entry else f"{file} needs fixing:")
            lines += [f"  {fault.field}: {fault.what}" if fault.field else f"  {fault.what}" for fault in of_entry]
        lines.append(f"What each field means: knowledge/README.md, section '{section}'.")
    return "\n".join(lines)


def _section(file: str) -> str:
    """gpus/geforce.yaml → gpus; prices.yaml → prices; lang/en/... → lang."""
    return file.split("/")[0].removesuffix(".yaml")
