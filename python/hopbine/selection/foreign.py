"""A rule as another library's file has it."""

from dataclasses import dataclass

from .file import Range

EVERY: Range = (0, None)


@dataclass(frozen=True)
class Foreign:
    """Calls of a collective, and the library's algorithm for them.

    `collective` and `algorithm` as the library names them; None: its own decision. Bytes are those
    that hopbine compares. `segment`: bytes, 0: whole. `where` is the line, or the branch, in its
    file. `remark`: what the file says besides, which no rule of hopbine's can.
    """

    collective: str
    algorithm: str | None
    where: str
    ranks: Range = EVERY
    bytes: Range = EVERY
    nodes: Range = EVERY
    ranks_per_node: Range = EVERY
    operands: str = ""
    radix: int | None = None
    segment: int = 0
    remark: str = ""
