"""Rules that were tuned for another library, as hopbine's."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from .. import _core
from ..core.registry import record
from . import read_mpich, read_openmpi, read_ucc
from .counterparts import ours
from .export import TITLES
from .file import LIBRARY, Rule
from .foreign import Foreign

#: Libraries whose files are read, as `export` names them: (path, the file of --base) -> rules.
READERS: dict[str, Callable[[str, str | None], list[Foreign]]] = {
    "openmpi": lambda path, _: read_openmpi.rules(path),
    "openmpi6": lambda path, _: read_openmpi.version6(path),
    "mpich": read_mpich.tuning,
    "ucc": lambda path, _: read_ucc.tune_string(path),
}


#: Collectives that a rule can be about.
COLLECTIVES = {a["collective"] for a in _core.algorithms()}


@dataclass
class Import:
    """hopbine's rules in the order of the file, and lines about what they do not say."""

    rules: list[Rule] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def import_rules(path: str, source: str, base: str | None = None) -> Import:
    """The rules of a file that is written for `source`, one of READERS.

    Where hopbine has no counterpart of an algorithm the library goes on deciding, which is no
    longer what the file says: `left_out` tells so. `base`: MPICH, whose own rules the file repeats.
    UsageError names the line, or the branch, and what is allowed.
    """
    family = source.removesuffix("6")
    out = Import()
    known: dict[tuple[object, ...], Rule] = {}
    for told in READERS[source](path, base):
        rule = _rule(out, family, TITLES[source], path, told)
        if rule is None:
            continue
        # Open MPI and MPICH have rules of their own for MPI_Reduce_scatter_block.
        key = (rule.collective, rule.ranks, rule.bytes, rule.nodes, rule.ranks_per_node)
        first = known.setdefault((*key, rule.operands), rule)
        if first is rule:
            out.rules.append(rule)
        elif first.asks != rule.asks and not _leaves_to_it(first, rule):
            out.left_out.append(
                f"{path}:{told.where}: {told.collective} {rule.asks}: {first.asks} answers these "
                f"calls of {rule.collective} already"
            )
    out.left_out = list(dict.fromkeys(out.left_out))
    return out


def _leaves_to_it(first: Rule, rule: Rule) -> bool:
    """Does an algorithm of powers of two stand before the library's own decision on the others?"""
    return (
        rule.algorithm == LIBRARY != first.algorithm
        and record(first.collective, first.algorithm)["p"] != "any"
    )


def _rule(out: Import, family: str, title: str, path: str, told: Foreign) -> Rule | None:
    """hopbine's rule for one of the library; `out` hears what it does not say."""
    collective = told.collective.removesuffix("_block")
    if collective not in COLLECTIVES:
        # Once for each collective: nothing of the file's rules for it is taken over.
        out.left_out.append(f"{path}: {collective}: no rule of hopbine's is about it")
        return None
    if told.remark:
        out.left_out.append(f"{path}:{told.where}: {told.collective}: {told.remark}")
    algorithm = LIBRARY
    parameters: dict[str, int] = {}
    if told.algorithm is not None:
        found = ours(family, told.collective, told.algorithm, told.radix)
        if found is None:
            out.left_out.append(
                f"{path}:{told.where}: {told.collective} {told.algorithm}: hopbine has no such "
                f"algorithm; {title} decides by itself there"
            )
        else:
            algorithm, parameters = found
    if told.segment and algorithm != LIBRARY:
        out.left_out.append(
            f"{path}:{told.where}: {told.collective} {told.algorithm}: segments of {told.segment} "
            "bytes are not taken over"
        )
    return Rule(
        collective,
        algorithm,
        parameters,
        ranks=told.ranks,
        bytes=told.bytes,
        nodes=told.nodes,
        ranks_per_node=told.ranks_per_node,
        operands=told.operands,
    )


def note(path: str, source: str) -> str:
    """The note of a file that holds them."""
    return f"hopbine select import {Path(path).name} --from {source}"
