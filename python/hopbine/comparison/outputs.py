"""What jobs print: hopbine's own lines, the last ones of a failure, and lines that differ."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from ..notation.text import one_line, printable

#: Bytes at the end of an output that are looked at; longer ones are not compared.
MOST_BYTES = 16 << 20
#: Lines of hopbine's that are kept of a job, and lines that are shown of one that failed.
MOST_KEPT, MOST_LAST = 20, 15
#: Launchers may put a rank before a line: `3: `, `[1,3]<stderr>:`.
_OWN = re.compile(r"(?:^|[\s:>\]])hopbine: (.*)")


def read(path: Path, most: int = MOST_BYTES) -> str:
    """The end of an output."""
    with open(path, "rb") as file:
        file.seek(max(path.stat().st_size - most, 0))
        return file.read().decode(errors="replace")


def own_lines(text: str) -> list[str]:
    """What hopbine said in an output, without its name."""
    found = (_OWN.search(line) for line in text.splitlines())
    return [one_line(match[1]) for match in found if match][:MOST_KEPT]


def ending(*paths: Path) -> str:
    """What a job that failed said last, to end a message with."""
    ends = (read(path, MOST_LAST * 1000).splitlines()[-MOST_LAST:] for path in paths)
    said = "\n".join(printable(line) for lines in ends for line in lines)
    return f"it said:\n{said}" if said.strip() else "it said nothing"


class Lines:
    """Lines of standard output that jobs have in common, in whatever order ranks print them."""

    def __init__(self) -> None:
        self._common: dict[bool, Counter[str]] = {}
        self._whole = True

    def add(self, path: Path, hopbine: bool) -> None:
        """The output of one more job, with hopbine or without."""
        self._whole &= path.stat().st_size <= MOST_BYTES
        if self._whole:
            lines = Counter(read(path).splitlines())
            self._common[hopbine] = self._common.get(hopbine, lines) & lines

    def missing(self) -> list[str] | None:
        """Lines that every job without hopbine has printed, and not every job with it.

        Times that a program prints differ between equal jobs, and so are not among them. None:
        outputs were too long to be compared.
        """
        if not self._whole:
            return None
        return list((self._common.get(False, Counter()) - self._common.get(True, Counter())).keys())
