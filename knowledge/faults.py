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


class KnowledgeFaults(Exception):  # noqa: N818  (these are faults of the knowledge, not of the code)
    """Every fault found at once, in `faults`; as text, grouped by file and entry."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(dict.fromkeys(faults))
        super().__init__(listing(self.faults))


def listing(faults: Iterable[Fault]) -> str:
    """Write faults in the order of files, entries and fields, each file with the place to read more."""
    lines: list[str] = []
    for file, of_file in groupby(sorted(faults), key=lambda fault: fault.file):
        for entry, of_entry in groupby(of_file, key=lambda fault: fault.entry):
            lines.append(f"{file}: entry {entry!r} needs fixing:" if entry else f"{file} needs fixing:")
            lines += [f"  {fault.field}: {fault.what}" if fault.field else f"  {fault.what}" for fault in of_entry]
        lines.append(f"What each field means: knowledge/README.md, section '{_section(file)}'.")
    return "\n".join(lines)


def _section(file: str) -> str:
    """facts/gpus/geforce.yaml and gpus.yaml are both told in section 'gpus'; lang/en/... in section 'lang'."""
    parts = file.removesuffix(".yaml").split("/")
    if parts[0] == "facts" and len(parts) > 1:
        return parts[1]
    return parts[0]
