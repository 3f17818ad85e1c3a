"""Algorithms that an MPI library can be forced to, as its control variables (MPI_T) list them.

No algorithm is named here: names and numbers come from the installed library.
"""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = ["rivals.c", "../src/bench/collectives.c", "../src/bench/distribution.c"]
#: Words of the variables that are read.
WORDS = [
    *("coll_tuned", "coll_han_use", "coll_han_priority", "coll_adapt"),
    *("INTRA_ALGORITHM", "KVAL", "TREE_TYPE", "COMPOSITION", "DEVICE_COLLECTIVES"),
]
#: Bytes of a segment, where an algorithm is forced and has segments.
SEGMENT = 32768
RADICES = (2, 4, 8)
#: Priority above that of all other components.
FIRST = 100


@dataclass
class Variable:
    """A control variable: whether a running program can set it, its values, its description."""

    settable: bool
    words: frozenset[str] = frozenset()
    values: dict[str, int] = field(default_factory=dict)
    text: str = ""

    def named(self) -> list[str]:
        """MPICH's values in order, described as `NAME - what it does`.

        MPICH 4 has lost the ends of lines: a name follows the last word of the line before without
        a space. It is the longest ending at which a string of the library ends.
        """
        return [
            next((word[i:] for i in range(len(word)) if word[i:] in self.words), word)
            for word in re.findall(r"(\w+) +- ", self.text)
        ]


@dataclass(frozen=True)
class Choice:
    """One algorithm, forced: its label and the values of variables."""

    label: str
    settings: tuple[tuple[str, str], ...]

    def among(self, variables: dict[str, Variable]) -> bool:
        """Whether a running program can force it."""
        return all(name in variables and variables[name].settable for name, _ in self.settings)


@dataclass(frozen=True)
class Library:
    """An installed MPI library. `name` is that of a row: ompi4, ompi5, mpich4, mpich5.

    Those that scripts/mpis prints, openmpi and mpich, will do too.
    """

    name: str
    mpicc: str
    mpiexec: str

    @property
    def family(self) -> str:
        """openmpi or mpich."""
        return "openmpi" if self.name.startswith(("ompi", "openmpi")) else "mpich"

    def environment(self) -> dict[str, str]:
        """Without these the library ignores what is forced, or replaces it in silence."""
        if self.family == "openmpi":
            return {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
        return {"MPIR_CVAR_COLLECTIVE_FALLBACK": "error"}

    def variable(self, name: str) -> str:
        """The environment variable of a control variable."""
        return f"OMPI_MCA_{name}" if self.family == "openmpi" else name

    def build(self, folder: Path) -> Path:
        """The measuring program."""
        program = folder / f"rivals-{self.name}"
        command = [self.mpicc, "-O2", "-o", str(program), *(str(HERE / s) for s in SOURCES)]
        subprocess.run([*command, "-ldl", "-lm"], check=True)
        return program


def read_variables(listing: str) -> dict[str, Variable]:
    """What `rivals list` prints."""
    found: dict[str, Variable] = {}
    last, words = Variable(False), frozenset[str]()
    for line in listing.splitlines():
        what, _, rest = line.partition(" ")
        if what == "library":
            strings = set(re.findall(rb"([a-z_0-9]+)\0", Path(rest).read_bytes()))
            words = frozenset(s[i:].decode() for s in strings for i in range(len(s)))
        elif what == "variable":
            name, settable = rest.split()
            last = found[name] = Variable(settable == "1", words)
        elif what == "item":
            number, _, name = rest.partition(" ")
            last.values[name] = int(number)
        elif what == "text":
            last.text += rest + "\n"
    return found


def choices(
    library: Library,
    variables: dict[str, Variable],
    collective: str,
    size: int,
    ranks_per_node: int,
    several_nodes: bool,
    quick: bool,
) -> list[Choice]:
    """Every way to force an algorithm of a collective; the quick form leaves variants out."""
    if library.family == "openmpi":
        found = _tuned(variables, collective, size)
        if not quick:
            found += _adapt(variables, collective, size)
        if several_nodes and ranks_per_node > 1:
            found += _han(variables, collective)
    else:
        found = _mpich(variables, collective.upper(), quick)
        if not several_nodes or ranks_per_node > 1:
            found += _mpich_shared(variables, collective.upper())
        found += _mpich_trees(variables, collective.upper(), several_nodes, quick)
    return [Choice(label, tuple((k, str(v)) for k, v in at.items())) for label, at in found]


Found = list[tuple[str, dict[str, int | str]]]


def _tuned(variables: dict[str, Variable], collective: str, size: int) -> Found:
    name = f"coll_tuned_{collective}_algorithm"
    segments = variables.get(f"{name}_segmentsize")
    found: Found = []
    for label, value in variables[name].values.items():
        if value == 0:
            continue
        found.append((label, {name: value}))
        if segments and "Currently" not in segments.text and size > SEGMENT:
            found.append((f"{label}:seg={SEGMENT}", {name: value, f"{name}_segmentsize": SEGMENT}))
        if label == "knomial" and f"{name}_knomial_radix" in variables:
            found += [
                (f"{label}:k={k}", {name: value, f"{name}_knomial_radix": k}) for k in RADICES
            ]
    return found


def _adapt(variables: dict[str, Variable], collective: str, size: int) -> Found:
    name = f"coll_adapt_{collective}_algorithm"
    if name not in variables:
        return []
    given: dict[str, int | str] = {"coll_adapt_priority": FIRST}
    if size > SEGMENT:
        given[f"coll_adapt_{collective}_segment_size"] = SEGMENT
    listed = re.findall(r"(\d+): (\w+)", variables[name].text)
    return [(f"adapt_{label}", given | {name: int(value)}) for value, label in listed]


def _han(variables: dict[str, Variable], collective: str) -> Found:
    first: dict[str, int | str] = {"coll_han_priority": FIRST}
    name = f"coll_han_use_{collective}_algorithm"
    if name in variables:
        return [
            (f"han_{label}", first | {name: value})
            for label, value in variables[name].values.items()
        ]
    simple = f"coll_han_use_simple_{collective}"
    if simple not in variables:
        return []
    return [("han", first), ("han_simple", first | {simple: 1})]


def _mpich(variables: dict[str, Variable], upper: str, quick: bool) -> Found:
    name = f"MPIR_CVAR_{upper}_INTRA_ALGORITHM"
    device = variables["MPIR_CVAR_DEVICE_COLLECTIVES"].named().index("none")
    host: dict[str, int | str] = {"MPIR_CVAR_DEVICE_COLLECTIVES": device}
    labels = variables[name].named()
    found: Found = []
    for value, label in enumerate(labels):
        if label == "auto":
            continue
        found.append((label, host | {name: value}))
        for key in variables:
            word = re.fullmatch(rf"MPIR_CVAR_{upper}_(\w+)_KVAL", key)
            if word and word[1].lower() in label and f"k_{label}" not in labels:
                found += [(f"{label}:k={k}", host | {name: value, key: k}) for k in RADICES]
        nonblocking = f"MPIR_CVAR_I{upper}_INTRA_ALGORITHM"
        if label == "nb" and nonblocking in variables and not quick:
            found += [
                (f"nb_{other}", host | {name: value, nonblocking: i})
                for i, other in enumerate(variables[nonblocking].named())
                if not other.endswith("auto")
            ]
    return found


def _mpich_shared(variables: dict[str, Variable], upper: str) -> Found:
    """Combinations between and inside nodes, where ranks share one."""
    found: Found = []
    composition = variables.get(f"MPIR_CVAR_{upper}_COMPOSITION")
    if composition:
        found += [
            (f"composition_{value}", {f"MPIR_CVAR_{upper}_COMPOSITION": int(value)})
            for value in re.findall(r"\b(\d+) [A-Z]", composition.text)
            if value != "0"
        ]
    posix = f"MPIR_CVAR_{upper}_POSIX_INTRA_ALGORITHM"
    if posix in variables:
        found += [
            (f"posix_{label}", {posix: value})
            for value, label in enumerate(variables[posix].named())
            if label != "auto"
        ]
    return found


def _mpich_trees(
    variables: dict[str, Variable], upper: str, several_nodes: bool, quick: bool
) -> Found:
    """Types of trees, which are read when the program begins; those that need coordinates too."""
    kind, name = f"MPIR_CVAR_{upper}_TREE_TYPE", f"MPIR_CVAR_{upper}_INTRA_ALGORITHM"
    if kind not in variables:
        return []
    device = variables["MPIR_CVAR_DEVICE_COLLECTIVES"].named().index("none")
    host: dict[str, int | str] = {"MPIR_CVAR_DEVICE_COLLECTIVES": device}
    found: Found = []
    for tree in variables[kind].named():
        if quick if not tree.startswith("topology") else not several_nodes:
            continue
        for value, label in enumerate(variables[name].named()):
            if "tree" in label:
                found.append((f"{label}:{tree}", host | {name: value, kind: tree}))
    return found
