"""Rules files that tests draw, and what they should answer."""

from hypothesis import strategies as st

from hopbine import _core
from hopbine.cli import main
from hopbine.selection.file import CONDITIONS, LIBRARY, WORDS, Rule
from hopbine.selection.ranges import box, left

REGISTRY = _core.algorithms()


#: A few values of each word, so that rules meet.
VALUES = {name: st.sampled_from(["x", "y"]) for name in WORDS} | {
    "operands": st.sampled_from(["in_order", "commute", "exact"])
}


def ranges(most):
    """[low, high] with an open end at times."""
    return st.tuples(st.integers(0, most), st.none() | st.integers(0, most)).map(
        lambda r: r if r[1] is None or r[0] <= r[1] else (r[1], r[0])
    )


@st.composite
def rules(draw, conditions=CONDITIONS, words=()):
    """Any rule that a file may hold; of the words only those named."""
    record = draw(st.sampled_from(REGISTRY))
    parameters = {
        q["name"]: draw(st.integers(q["low"], q["high"]))
        for q in record["parameters"]
        if draw(st.booleans())
    }
    own = draw(st.booleans())
    return Rule(
        record["collective"],
        LIBRARY if own else record["name"],
        {} if own else parameters,
        **{
            name: draw(ranges(70 if name == "ranks" else 9))
            for name in conditions
            if draw(st.booleans())
        },
        **{name: draw(VALUES[name]) for name in words if draw(st.booleans())},
        numbering="" if own or not words else draw(st.sampled_from(["", "by group"])),
        measured=draw(st.dictionaries(st.integers(0, 1 << 50), st.text(max_size=6), max_size=3)),
        note=draw(st.text(max_size=6)),
    )


def only_those_that_may(every):
    """Rules without those that would contradict an earlier one, so that the file is taken."""
    out = []
    for rule in every:
        if all(left(box(rule), [box(r)]) for r in out if r.collective == rule.collective):
            out.append(rule)
    return out


def asks_the_same(earlier, rule):
    """Does an earlier rule ask for no word that the other does not?"""
    return all(getattr(earlier, name) in ("", getattr(rule, name)) for name in WORDS)


def holds(rule, call):
    """Do all ranges hold these values?"""
    return all(
        low <= x and (high is None or x <= high)
        for x, (low, high) in zip(call, box(rule), strict=True)
    )


def holds_range(one, x):
    return one[0] <= x and (one[1] is None or x <= one[1])


def run(capsys, *arguments):
    code = main(["select", *map(str, arguments)])
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    return code, told.out, told.err
