"""What rules cover, as boxes of their conditions.

Which rules never answer, and which calls none does.
"""

from .file import CONDITIONS, WORDS, Range, Rule

Box = tuple[Range, ...]

#: Rules whose boxes are cut up against each other; the pieces may be many.
MOST_ANALYSED = 1000
#: Calls of one rank are the MPI library's.
LEAST = {"ranks": 2, "bytes": 0, "nodes": 1, "ranks_per_node": 1}
EVERYTHING: Box = tuple((LEAST[name], None) for name in CONDITIONS)


def box(rule: Rule) -> Box:
    """The calls that a rule is about."""
    return tuple(getattr(rule, name) for name in CONDITIONS)


def calls(rule: Rule) -> list[Box]:
    """The calls of a rule that there can be: one box or none."""
    rest = [
        tuple(
            (max(low, LEAST[name]), high)
            for name, (low, high) in zip(CONDITIONS, box(rule), strict=True)
        )
    ]
    return [one for one in rest if all(high is None or low <= high for low, high in one)]


def places(rule: Rule) -> bool:
    """Does it ask where the ranks are?"""
    return any(
        getattr(rule, name)[0] > LEAST[name] or getattr(rule, name)[1] is not None
        for name in ("nodes", "ranks_per_node")
    )


def words(rule: Rule) -> list[str]:
    """The words that it asks for."""
    return [name for name in WORDS if getattr(rule, name)]


def _words_cover(earlier: Rule, rule: Rule) -> bool:
    """Does an earlier rule ask for no other words?"""
    return all(getattr(earlier, name) == getattr(rule, name) for name in words(earlier))


def _within(high: int | None, other: int | None) -> bool:
    """Is an upper end at or below another?"""
    return other is None or (high is not None and high <= other)


def minus(whole: Box, part: Box) -> list[Box]:
    """`whole` without `part`, as boxes that do not overlap."""
    out, rest = [], list(whole)
    for i, ((low, high), (first, last)) in enumerate(zip(whole, part, strict=True)):
        if (high is not None and high < first) or (last is not None and last < low):
            return [whole]
        if low < first:
            out.append((*rest[:i], (low, first - 1), *rest[i + 1 :]))
            low = first
        if last is not None and not _within(high, last):
            out.append((*rest[:i], (last + 1, high), *rest[i + 1 :]))
            high = last
        rest[i] = (low, high)
    return out


def left(whole: Box, parts: list[Box]) -> list[Box]:
    """What of a box none of the others covers."""
    rest = [whole]
    for part in parts:
        rest = [piece for each in rest for piece in minus(each, part)]
    return rest


def never_answering(rules: list[Rule]) -> list[Rule]:
    """Rules whose calls are all answered by those before them."""
    return [
        rule
        for i, rule in enumerate(rules)
        if not any(
            left(
                one,
                [
                    box(r)
                    for r in rules[:i]
                    if r.collective == rule.collective and _words_cover(r, rule)
                ],
            )
            for one in calls(rule)
        )
    ]


def gaps(rules: list[Rule], collective: str) -> list[Box]:
    """Calls of a collective that no rule answers."""
    return left(EVERYTHING, [box(r) for r in rules if r.collective == collective and not words(r)])


def show(asked: Range) -> str:
    """'2..64', '4096..', '8'; everything is 'any'."""
    low, high = asked
    if high is None:
        return f"{low}.." if low else "any"
    return str(low) if low == high else f"{low}..{high}"


def show_box(one: Box) -> str:
    """'ranks 2..64, bytes 4096..'; everything is 'all calls'."""
    return (
        ", ".join(
            f"{name} {show(r)}"
            for name, r, whole in zip(CONDITIONS, one, EVERYTHING, strict=True)
            if r != whole
        )
        or "all calls"
    )
