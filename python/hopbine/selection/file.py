"""hopbine's rules files.

Reading goes through the runtime's parser, so that both always agree on what a file says.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, fields

from ..errors import UsageError
from ..notation.quantities import algorithm_text
from ..output.replaced import replaced

Range = tuple[int, int | None]

#: The algorithm that stands for the MPI library's own.
LIBRARY = "mpi"


@dataclass(frozen=True)
class Rule:
    """One rule.

    Ranges are inclusive; None is an open end. Words are empty where the rule does not ask for them.
    `measured` tells what was measured, by the largest bytes of a size class. `line` is where it
    stands in its file, 0 where it has none.
    """

    collective: str
    algorithm: str
    parameters: dict[str, int] = field(default_factory=dict)
    ranks: Range = (0, None)
    bytes: Range = (0, None)
    nodes: Range = (0, None)
    ranks_per_node: Range = (0, None)
    operands: str = ""
    mpi: str = ""
    machine: str = ""
    processor: str = ""
    transport: str = ""
    cores: str = ""
    placement: str = ""
    numbering: str = ""
    measured: dict[int, str] = field(default_factory=dict)
    note: str = ""
    line: int = 0

    @property
    def asks(self) -> str:
        """'bine_large:segment=131072'."""
        return algorithm_text(self.algorithm, self.parameters)


#: What a rule may ask of a call: ranges, and words.
CONDITIONS = ("ranks", "bytes", "nodes", "ranks_per_node")
WORDS = ("operands", "mpi", "machine", "processor", "transport", "cores", "placement")


def read(path: str | os.PathLike[str]) -> list[Rule]:
    """The rules of a file, in order. UsageError tells line and column of what is wrong."""
    from .. import _core

    known = {f.name for f in fields(Rule)}
    try:
        rules = _core.read_rules(os.fspath(path))
    except UnicodeDecodeError as error:
        raise UsageError(f"{os.fspath(path)}: is not UTF-8: {error.reason}") from None
    return [Rule(**{key: value for key, value in d.items() if key in known}) for d in rules]


def text(rules: Iterable[Rule], note: str) -> str:
    """The text of a file, one rule per line."""
    from .. import _core

    return _core.rules_text([vars(rule) for rule in rules], note)


def write(path: str | os.PathLike[str], rules: Iterable[Rule], note: str) -> None:
    """Writes a file that the runtime takes, at once or not at all.

    UsageError tells which rule it would refuse; the old file stays.
    """
    with replaced(path) as made:
        made.write_text(text(rules, note), encoding="utf-8")
        try:
            read(made)
        except UsageError as error:
            raise UsageError(str(error).replace(str(made), str(path))) from None
