"""From outcomes to rules: neighbouring classes with the same answer are one rule."""

from collections.abc import Sequence
from dataclasses import replace

from ..notation.quantities import split_algorithm
from ..notation.units import show_size
from ..selection.file import Rule
from .candidates import LIBRARY
from .tuner import Result


def rules(results: Sequence[Result], ranks: int, confidence: float) -> list[Rule]:
    """Rules for communicators of `ranks`, by collective and bytes.

    The notes tell the measured ratios.
    """
    out: list[Rule] = []
    group: list[Result] = []
    for r in [*results, None]:
        if group and (
            r is None
            or r.of.collective != group[0].of.collective
            or r.outcome.serves != group[0].outcome.serves
        ):
            out.append(_rule(group, ranks, confidence))
            group = []
        if r is not None:
            group.append(r)
    return out


def _rule(group: Sequence[Result], ranks: int, confidence: float) -> Rule:
    name, parameters = split_algorithm(group[0].outcome.serves)
    notes = []
    for r in group:
        o = r.outcome
        told = f"{o.best} {o.verdict}: {o.ratio}" if o.ratio else o.verdict
        notes.append(f"{show_size(r.of.bytes)}: {told}")
    head = f"time over the library's, {confidence * 100:g} % interval of the median: "
    return Rule(
        group[0].of.collective,
        name,
        parameters,
        ranks=(ranks, ranks),
        bytes=(group[0].of.low, group[-1].of.bytes),
        note=head + "; ".join(notes),
    )


def merged(new: Sequence[Rule], old: Sequence[Rule]) -> list[Rule]:
    """The new rules, then the old ones: the first that matches wins.

    Old ones that a new range of the same collective and ranks hides whole are left out.
    """

    def hidden(rule: Rule) -> bool:
        mine = [r for r in new if r.collective == rule.collective and r.ranks == rule.ranks]
        if not mine or rule.bytes[1] is None:
            return False
        ends = [r.bytes[1] for r in mine if r.bytes[1] is not None]
        return min(r.bytes[0] for r in mine) <= rule.bytes[0] and (
            len(ends) < len(mine) or rule.bytes[1] <= max(ends)
        )

    return [*new, *(replace(rule, line=0) for rule in old if not hidden(rule))]


def withdrawn(result: Result) -> Result:
    """The class goes back to the library.

    A second launch, with the file in use, did not confirm the first.
    """
    return replace(
        result,
        outcome=replace(
            result.outcome, serves=LIBRARY, verdict=f"{result.outcome.verdict}, not confirmed"
        ),
    )
