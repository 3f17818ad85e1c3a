"""Rules flattened for libraries whose files know only numbers of ranks and sizes.

Disjoint pieces, in each of which one rule answers.
"""

from dataclasses import dataclass, field
from typing import Any

from .counterparts import RADIX, RADIX_DEFAULT, collectives, counterpart
from .file import LIBRARY, Range, Rule
from .ranges import places, words

#: What the library does by itself.
OWN = None


@dataclass(frozen=True)
class Piece:
    """For numbers of ranks in a range: ranges of bytes.

    Each has the library's algorithm and the rule behind it.
    """

    ranks: Range
    sizes: tuple[tuple[Range, str | None, Rule | None], ...]


@dataclass
class Plan:
    """What is to be written.

    Pieces cover all ranks and all bytes of a collective; OWN stands where the library decides.
    """

    collectives: dict[str, list[Piece]] = field(default_factory=dict)
    left_out: list[tuple[Rule, str]] = field(default_factory=list)
    settings: dict[str, int] = field(default_factory=dict)


def _cuts(ranges: list[Range]) -> list[Range]:
    """Everything from 0 on, cut where a range begins or ends."""
    starts = sorted(
        {0, *(low for low, _ in ranges), *(high + 1 for _, high in ranges if high is not None)}
    )
    return [
        (low, nxt - 1 if nxt is not None else None)
        for low, nxt in zip(starts, [*starts[1:], None], strict=True)
    ]


def _holds(outer: Range, inner: Range) -> bool:
    return outer[0] <= inner[0] and (
        outer[1] is None or (inner[1] is not None and inner[1] <= outer[1])
    )


def _merged(pieces: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Neighbours that say the same, as one; the first entry of each is its range."""
    out: list[tuple[Any, ...]] = []
    for (low, high), *rest in pieces:
        if out and out[-1][1:] == tuple(rest):
            out[-1] = ((out[-1][0][0], high), *rest)
        else:
            out.append(((low, high), *rest))
    return out


def _pieces(answers: list[tuple[Rule, str | None]]) -> list[Piece]:
    out = []
    for ranks in _cuts([rule.ranks for rule, _ in answers]):
        here = [(rule, name) for rule, name in answers if _holds(rule.ranks, ranks)]
        sizes = []
        for size in _cuts([rule.bytes for rule, _ in here]):
            rule, name = next(((r, n) for r, n in here if _holds(r.bytes, size)), (None, OWN))
            sizes.append((size, name, rule if name is not OWN else None))
        out.append((ranks, tuple(_merged(sizes))))
    return [Piece(*piece) for piece in _merged(out)]


def plan(family: str, rules: list[Rule], title: str, coordinates: bool = False) -> Plan:
    """Flattens the rules for a library ('openmpi', 'mpich', 'ucc'); `title` names it in reasons.

    `coordinates`: the library is told where the ranks are.

    Where a rule asks for what the library does not have, the library decides; a rule that asks
    where ranks are, or for a word, is left out as if it were not there.
    """
    out = Plan()
    answers: dict[str, list[tuple[Rule, str | None]]] = {}
    for rule in rules:
        if places(rule):
            out.left_out.append(
                (rule, f"{title} does not ask for nodes or ranks per node; rules after it answer")
            )
            continue
        if asks := words(rule):
            out.left_out.append(
                (rule, f"{title} does not ask for {', '.join(asks)}; rules after it answer")
            )
            continue
        for collective in collectives(family, rule.collective):
            name = OWN
            if rule.algorithm != LIBRARY:
                name = _named(out, family, collective, rule, title, coordinates)
            answers.setdefault(collective, []).append((rule, name))
    for collective, told in answers.items():
        if any(name is not OWN for _, name in told):
            out.collectives[collective] = _pieces(told)
    out.settings = {
        key: value
        for key, value in out.settings.items()
        if key not in RADIX.values() or value != RADIX_DEFAULT
    }
    return out


def _named(
    out: Plan, family: str, collective: str, rule: Rule, title: str, coordinates: bool
) -> str | None:
    """The library's algorithm for a rule, whose settings `out` then holds.

    OWN where it has none or needs other settings than a rule before: `out` then holds the reason.
    """
    found = counterpart(family, collective, rule.algorithm, rule.parameters, coordinates)
    if found is None:
        why = f"{title} has no such {collective} algorithm; it decides by itself there"
        out.left_out.append((rule, why))
        return OWN
    for key, value in found.settings.items():
        first = out.settings.get(key, value)
        if first != value:
            why = f"{title} knows one {key}, and {first} was first; it decides by itself there"
            out.left_out.append((rule, why))
            return OWN
    out.settings |= found.settings
    return found.name
