"""The part of YAML that Slurm's topology.yaml needs: nested lists and mappings of plain values.

Block style only, with comments and quotes. Everything else is refused, with its line.
"""

import re
from dataclasses import dataclass
from typing import Any, NoReturn

from ..errors import UsageError

#: A key, and what follows it in the line.
_KEY = re.compile(r"([A-Za-z_]\w*)\s*:(?:\s+(.*))?$")
_QUOTED = re.compile(r"""(?:"([^"\\]*)"|'([^']*)')$""")
#: Text that begins like YAML which is not read here: flow style, anchors, tags, blocks of text.
_OTHER = re.compile(r"[\[{&*!|>%@`?]")


@dataclass(frozen=True)
class Node:
    """A value: text, a list of nodes, or a mapping of keys to nodes; and its line."""

    line: int
    value: Any


@dataclass(frozen=True)
class _Line:
    number: int
    indent: int
    text: str


def parse(text: str, source: str) -> Node:
    """The document. UsageError names file and line."""
    lines = []
    for number, row in enumerate(text.splitlines(), 1):
        bare = _without_comment(row).rstrip()
        if not bare.strip() or bare == "---":
            continue
        if "\t" in bare[: len(bare) - len(bare.lstrip())]:
            raise UsageError(f"{source}:{number}: indented by a tab; YAML allows blanks only")
        lines.append(_Line(number, len(bare) - len(bare.lstrip()), bare.strip()))
    if not lines:
        raise UsageError(f"{source}: is empty")
    return _Reader(lines, source).document()


def _without_comment(row: str) -> str:
    """The row up to a '#' that begins it or follows a blank, outside of quotes."""
    quote = ""
    for i, c in enumerate(row):
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        elif c == "#" and (i == 0 or row[i - 1].isspace()):
            return row[:i]
    return row


class _Reader:
    """Reads lines one after the other. An entry of a list is a mapping that begins in its line."""

    def __init__(self, lines: list[_Line], source: str):
        self._lines = lines
        self._source = source
        self._at = 0

    def document(self) -> Node:
        node = self._node(self._lines[0].indent)
        if self._at < len(self._lines):
            self._wrong(self._lines[self._at], "is indented as nothing above it")
        return node

    def _wrong(self, line: _Line, why: str) -> NoReturn:
        raise UsageError(
            f"{self._source}:{line.number}: '{line.text[:60]}' {why}; allowed are "
            "'key: value', 'key:' and '- key: value'"
        )

    def _now(self, indent: int) -> _Line | None:
        """The next line, if it is indented so."""
        if self._at < len(self._lines) and self._lines[self._at].indent == indent:
            return self._lines[self._at]
        return None

    def _node(self, indent: int) -> Node:
        first = self._lines[self._at]
        if _is_entry(first.text):
            return self._list(indent, first)
        return self._mapping(indent, first)

    def _list(self, indent: int, first: _Line) -> Node:
        out = []
        while (line := self._now(indent)) and _is_entry(line.text):
            rest = line.text[1:].lstrip()
            inner = indent + len(line.text) - len(rest)
            if rest and not _KEY.match(rest):
                self._at += 1
                out.append(Node(line.number, self._plain(line, rest)))
                continue
            if not rest:
                self._wrong(line, "has no value")
            self._lines[self._at] = _Line(line.number, inner, rest)
            out.append(self._mapping(inner, self._lines[self._at]))
        return Node(first.number, out)

    def _mapping(self, indent: int, first: _Line) -> Node:
        out: dict[str, Node] = {}
        while (line := self._now(indent)) and not _is_entry(line.text):
            found = _KEY.match(line.text)
            if not found:
                self._wrong(line, "is no key with a value")
            key, rest = found[1], (found[2] or "").strip()
            if key in out:
                self._wrong(line, f"has the key '{key}' again, first in line {out[key].line}")
            self._at += 1
            out[key] = Node(line.number, self._plain(line, rest)) if rest else self._below(line)
        return Node(first.number, out)

    def _below(self, line: _Line) -> Node:
        """The value of a key that has none in its line. Entries may be indented as the key is."""
        if self._at == len(self._lines):
            return Node(line.number, "")
        after = self._lines[self._at]
        if after.indent > line.indent or (after.indent == line.indent and _is_entry(after.text)):
            return self._node(after.indent)
        return Node(line.number, "")

    def _plain(self, line: _Line, text: str) -> str:
        if quoted := _QUOTED.match(text):
            return quoted[1] if quoted[1] is not None else quoted[2]
        if _OTHER.match(text) or text[0] in "\"'":
            self._wrong(line, "has a value that is not plain text")
        return text


def _is_entry(text: str) -> bool:
    return text == "-" or text.startswith("- ")
