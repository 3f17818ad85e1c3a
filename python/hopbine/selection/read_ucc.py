"""Reads UCC's scores for tl/ucp: the string of UCC_TL_UCP_TUNE, or a ucc.conf that sets it.

A string is COLLECTIVE:BYTES:MEMORY:[RANKS]:SCORE:@ALGORITHM#..., whose words may stand in any
order. A ucc.conf has sections, which hold for the teams that their headings describe.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..errors import UsageError
from ..notation.text import near, read_bytes, short
from .file import Range
from .foreign import EVERY, Foreign
from .ranges import Box, left

#: UCC's collectives (ucc_coll_type_str) and tl/ucp's algorithms in the order of their numbers
#: (src/components/tl/ucp/COLLECTIVE/COLLECTIVE.h).
ALGORITHMS: dict[str, tuple[str, ...]] = {
    "allgather": ("knomial", "ring", "neighbor", "bruck", "sparbit", "linear", "batched"),
    "allgatherv": ("knomial", "ring"),
    "allreduce": ("knomial", "sra_knomial", "dbt", "sliding_window"),
    "alltoall": ("pairwise", "bruck", "onesided", "linear"),
    "alltoallv": ("pairwise", "hybrid", "onesided"),
    "barrier": ("knomial",),
    "bcast": ("knomial", "sag_knomial", "dbt"),
    "fanin": ("knomial",),
    "fanout": ("knomial",),
    "gather": ("knomial",),
    "gatherv": ("linear",),
    "reduce": ("knomial", "dbt", "srg"),
    "reduce_scatter": ("ring", "knomial"),
    "reduce_scatterv": ("ring",),
    "scatter": ("knomial",),
    "scatterv": ("linear",),
}
#: The setting of an algorithm's radix, between UCC_TL_UCP_ and _KN_RADIX.
_RADIX = {("allreduce", "sra_knomial"): "ALLREDUCE_SRA", ("bcast", "sag_knomial"): "BCAST_SAG"}
#: Kinds of memory; hopbine's rules are about the host's.
_MEMORY = ("host", "cuda", "rocm", "cuda_managed", "rocm_managed", "ze_host", "ze_device")
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_SIZE = re.compile(r"([0-9]{1,12})([bkmg]?)b?", re.IGNORECASE)
_SETTING = re.compile(r"(?:export\s+)?UCC_TL_UCP_(TUNE|\w+_KN_RADIX)\s*=(.*)")
_HEADING = re.compile(r"\[(.*)\]")
#: What a heading asks for, as a rule has it.
_TEAM = {"team_size": "ranks", "ppn": "ranks_per_node", "nnodes": "nodes"}
#: What a heading asks for that no rule can.
_MACHINE = ("vendor", "model", "sock")

#: Radixes by bytes.
Radixes = list[tuple[Range, int]]


@dataclass
class _Section:
    """Lines of a ucc.conf below one heading: teams, what rules cannot ask, radixes, string."""

    teams: dict[str, Range] = field(default_factory=dict)
    remark: str = ""
    radixes: dict[str, Radixes] = field(default_factory=dict)
    tune: str = ""
    line: int = 1


def _size(text: str, where: str) -> int | None:
    """'64K' -> 65536; 'inf' is an open end."""
    if text.lower() == "inf":
        return None
    found = _SIZE.fullmatch(text)
    if not found:
        raise UsageError(f"{where}: '{short(text)}' is not a number such as 4096, 64K or inf")
    return int(found[1]) * _UNITS[found[2].lower()]


def _span(text: str, where: str) -> Range:
    low, dash, high = text.partition("-")
    first, last = _size(low, where), _size(high, where) if dash else None
    if not dash or first is None or (last is not None and last < first):
        raise UsageError(f"{where}: '{short(text)}' is not a range such as 0-4k or 64k-inf")
    return first, last


def _score(text: str) -> float | None:
    return float(text) if re.fullmatch(r"inf|[0-9]{1,9}", text) else None


class _Told:
    """One part of the string: its words may stand in any order."""

    def __init__(self, text: str, where: str):
        self.collectives: list[str] = []
        self.memory, self.ranks, self.bytes = ["host"], [EVERY], [EVERY]
        self.score = float("inf")
        self.algorithm: str | None = None
        for word in text.split(":"):
            self._take(word.strip(), where)
        if self.algorithm is not None and not self.collectives:
            raise UsageError(f"{where}: @{short(self.algorithm)} is of no collective")

    def _take(self, word: str, where: str) -> None:
        names = word.split(",")
        if word.startswith("@"):
            self.algorithm = word[1:]
        elif word.startswith("[") and word.endswith("]"):
            self.ranks = [_span(one, where) for one in word[1:-1].split(",")]
        elif (score := _score(word)) is not None:
            self.score = score
        elif all(name in _MEMORY for name in names):
            self.memory = names
        elif word[:1].isdigit():
            self.bytes = [_span(one, where) for one in names]
        elif re.fullmatch("[a-z_]+", names[0]) and all(name in ALGORITHMS for name in names):
            self.collectives = names
        else:
            raise UsageError(
                f"{where}: '{short(word)}' is no collective ({', '.join(ALGORITHMS)}), range of "
                f"bytes, [range of ranks], memory ({', '.join(_MEMORY)}), score or @algorithm"
                f"{near(word, [*ALGORITHMS, *_MEMORY])}"
            )

    def name(self, collective: str) -> str:
        """The algorithm's name, which may be told by its number."""
        told, known = self.algorithm or "", ALGORITHMS[collective]
        numbered = re.fullmatch("[0-9]{1,3}", told) and int(told) < len(known)
        return known[int(told)] if numbered else told


def tune_string(path: str) -> list[Foreign]:
    """The rules of a file that holds the string, or of a ucc.conf: higher scores first.

    UsageError names the line and the part.
    """
    text = read_bytes(path).decode("utf-8", "replace")
    configured = any(_SETTING.match(line.strip()) for line in text.splitlines())
    sections = _sections(text, path) if configured else [_Section(tune=text.strip())]
    # What is set for some teams goes before what is set for all.
    sections.sort(key=lambda one: not one.teams)
    return [rule for one in sections for rule in _rules(one, path)]


def _sections(text: str, path: str) -> list[_Section]:
    """The sections of a ucc.conf; the first has what stands before any heading."""
    out = [_Section()]
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        where = f"{path}:{number}"
        if heading := _HEADING.fullmatch(line):
            out.append(_headed(heading[1], where))
        elif told := _SETTING.fullmatch(line):
            value = told[2].strip().strip("\"'")
            if told[1] == "TUNE":
                out[-1].tune, out[-1].line = value, number
            else:
                out[-1].radixes[told[1].removesuffix("_KN_RADIX")] = _radixes(value, where)
    return out


def _headed(heading: str, where: str) -> _Section:
    """'vendor=amd model=rome team_size=8 ppn=1 nnodes=8'."""
    out, others = _Section(), []
    for word in heading.split():
        key, _, value = word.partition("=")
        if key in _MACHINE:
            others.append(word)
        elif key in _TEAM and re.fullmatch("[1-9][0-9]{0,8}", value):
            out.teams[_TEAM[key]] = (int(value), int(value))
        else:
            known = ", ".join([*_TEAM, *_MACHINE])
            raise UsageError(f"{where}: '{short(word)}' is none of {known}, with a value")
    if others:
        out.remark = f"holds for {' '.join(others)} only, which no rule can ask"
    return out


def _radixes(text: str, where: str) -> Radixes:
    """'8', or '0-8k:host:8,8k-inf:host:2'; nothing for 'auto'."""
    out: Radixes = []
    for part in text.split(","):
        *asked, number = part.split(":")
        if number in ("auto", "inf", "n"):
            continue
        if not re.fullmatch("[0-9]{1,6}", number):
            raise UsageError(f"{where}: '{short(part)}' is not a radix such as 4 or 0-8k:host:4")
        sizes = [one for one in asked if one not in _MEMORY]
        if len(sizes) == len(asked) or "host" in asked:
            out.append((_span(sizes[0], where) if sizes else EVERY, int(number)))
    return out


def _rules(section: _Section, path: str) -> list[Foreign]:
    """The rules of the string of a section."""
    told: list[tuple[float, Foreign]] = []
    for number, part in enumerate(section.tune.split("#") if section.tune else [], 1):
        where = f"{section.line}: part {number}"
        one = _Told(part, f"{path}:{where}")
        if one.algorithm is None or not one.score or "host" not in one.memory:
            continue
        for collective in one.collectives:
            rule = Foreign(
                collective,
                one.name(collective),
                where,
                nodes=section.teams.get("nodes", EVERY),
                ranks_per_node=section.teams.get("ranks_per_node", EVERY),
                remark=section.remark,
            )
            told += [
                (one.score, replace(rule, ranks=section.teams.get("ranks", ranks), bytes=size))
                for ranks in (one.ranks[:1] if "ranks" in section.teams else one.ranks)
                for size in one.bytes
            ]
    told.sort(key=lambda pair: -pair[0])
    return [
        each
        for score, rule in told
        for each in _by_radix(_without_end(rule, score, told), section.radixes)
    ]


def _without_end(rule: Foreign, score: float, told: list[tuple[float, Foreign]]) -> Foreign:
    """A size where two ranges of one score meet is the upper one's (ucc_coll_score_build_map)."""
    low, high = rule.bytes
    asked = replace(rule, bytes=EVERY, algorithm="", where="")
    meets = high is not None and any(
        other.bytes[0] == high > low
        and score == its
        and replace(other, bytes=EVERY, algorithm="", where="") == asked
        for its, other in told
    )
    return replace(rule, bytes=(low, high - 1)) if meets and high is not None else rule


def _by_radix(rule: Foreign, radixes: dict[str, Radixes]) -> Iterator[Foreign]:
    """A rule for each radix that the file sets within its bytes."""
    key = _RADIX.get((rule.collective, str(rule.algorithm)), rule.collective.upper())
    rest: list[Box] = [(rule.bytes,)]
    for size, radix in radixes.get(key, []):
        outside = left((size,), [(rule.bytes,)])
        for (part,) in left((size,), outside):
            yield replace(rule, bytes=part, radix=radix)
        rest = [piece for whole in rest for piece in left(whole, [(size,)])]
    for (part,) in rest:
        yield replace(rule, bytes=part)
