"""Experiments beside claims: what was varied, and what comes out each time.

PAPER/experiments*.toml have them, PAPER/data/experiments.csv.xz their times. An experiment is
beside a claim (`claim`, and `test` where its figure is that test's), says what is `varied` and how
the `figure` is read, and has `cases`: tables whose keys replace those of the experiment. Keys of
both:

- `collective`, `algorithms`, `sizes` (bytes, or blocks of an alltoallv: as hopbine-bench has them,
  or the name of a function of parlogna/traffics.py);
- by packets `machine`, and `hosts` as hopbine jobs generates them, or `topology`, `ranks`, `place`;
  or a `topology` and its `bandwidth`, as those; `per_node`; `messages` as --messages takes them,
  `routing`, `buffers`, `background`, the share that other nodes send at, `router`, what one takes
  in seconds; `engine`, another one; `mean`, to time the mean of ranks;
- of blocks `graph`, that of a transitive closure (traffics.of_graph), whose iterations `sizes` are;
  `computing`, what a rank does beside each exchange: a function of traffics.py, done `rate` times a
  second;
- or `nodes` and `per_node`, for the node model of the machine, and `parts`, columns of Nodes.row;
- `show`: `best`, the parameter (`parameter`) or name of the fastest; `time`, what that takes;
  `ratio`, the fastest time of `over` by that of the algorithms; `gain`, that in per cent; `most`,
  the highest gain of all sizes; or one of COUNTS, which is counted, not timed: then `sizes` has
  one entry that says nothing;
- or `asked`, a function 'PAPER.MODULE.NAME' that tells the figure, of the arguments `of`, and its
  `unit`.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hopbine.machines import load
from hopbine.machines.messages import parse_costs
from hopbine.notation.quantities import split_algorithm
from hopbine.notation.units import parse_bandwidth, parse_size
from hopbine.simulation import Setup
from hopbine.simulation.nodes import Nodes
from hopbine.simulation.setup import Background, place_many
from shared import networks, results, sweeping
from shared.described import described
from shared.judging import ROOT, Test, claims

#: The word that makes them, beside a paper's figures.
PART = "experiments"
FILE = f"{PART}.csv.xz"
COLUMNS = ["experiment", "case", "size", "algorithm", "found"]
#: Blocks of an alltoallv.
BLOCKS = "alltoallv"
ELEMENT = 8  # bytes of what blocks are made of
#: Deficiencies of a schedule on a `topology`.
COUNTS = ("latency", "bandwidth", "congestion")
#: What an experiment has that asks a function: one figure, of no size and no algorithm.
ASKED = "asked"
ALONE = {"sizes": [ASKED], "algorithms": [ASKED], "show": ASKED}
#: Seconds, or what is counted, by size and algorithm.
Times = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Experiment:
    """What was varied beside a claim."""

    claim: str
    varied: str
    figure: str
    told: dict[str, Any]
    test: str = ""
    quick: bool = False  #: made in a quick look, too

    @property
    def name(self) -> str:
        """'CLAIM: VARIED', which no other has."""
        return f"{self.claim}: {self.varied}"

    def cases(self) -> dict[str, dict[str, Any]]:
        """What each case is told, by name."""
        shared = {k: v for k, v in self.told.items() if k != "cases"}
        shared |= ALONE if ASKED in shared else {}
        return {case["name"]: shared | case for case in self.told["cases"]}

    def shown(self, case: dict[str, Any], times: Times) -> str:
        """A case's figure at each size, with the verdict where a test has it."""
        found = {size: _figure(case, of) for size, of in times.items()}
        if case["show"] == "most":
            found = {"most": self.figure_of(case, times)}
        alone = len(found) == 1
        text = ", ".join(
            _text(case, x) if alone else f"{size} {_text(case, x)}" for size, x in found.items()
        )
        test, first = self._test(), next(iter(found.values()))
        if not alone or test is None or test.kind == "order" or isinstance(first, str):
            return text
        return f"{text} ({test.verdict(first)})"

    def figure_of(self, case: dict[str, Any], times: Times) -> float:
        """The highest figure of a case over its sizes."""
        found = (_figure(case, of) for of in times.values())
        return max(x for x in found if not isinstance(x, str))

    def _test(self) -> Test | None:
        tests = claims(self.told["paper"])[self.claim].tests
        return next((t for t in tests if t.id == self.test), None)


@cache
def experiments(paper: str) -> tuple[Experiment, ...]:
    """Experiments of a paper's folder; none where it has no file."""
    own = ("claim", "varied", "figure", "test", "quick")
    return tuple(
        Experiment(
            told={"paper": paper} | {k: v for k, v in one.items() if k not in own},
            **{k: v for k, v in one.items() if k in own},
        )
        for path in sorted((ROOT / paper).glob("experiments*.toml"))
        for one in tomllib.loads(path.read_text())["experiment"]
    )


def files(paper: str, out: Path) -> list[Path]:
    """What a page has of them."""
    return [out / FILE] if experiments(paper) else []


def write(paper: str, out: Path, quick: bool) -> None:
    """The file of a paper's experiments; of a quick look those that take a second."""
    if any(not quick or one.quick for one in experiments(paper)):
        sweeping.collect(out / FILE, works(paper, quick), COLUMNS)


def works(paper: str, quick: bool = False) -> Iterator[sweeping.Work]:
    """What the file is made of."""
    for one in experiments(paper):
        for name, case in one.cases().items():
            if not quick or one.quick:
                yield f"{one.name}: {name}", partial(rows, one.name, case)


def rows(experiment: str, case: dict[str, Any]) -> list[dict[str, Any]]:
    """A case's times."""
    algorithms = [*case["algorithms"], *case.get("over", ())]
    times = _way(case)
    return [
        dict(zip(COLUMNS, (experiment, case["name"], size, name, f"{t:.6g}"), strict=True))
        for size in case["sizes"]
        for name, t in times(case, str(size), list(dict.fromkeys(algorithms)))
    ]


def _way(case: dict[str, Any]) -> Callable[..., Iterator[tuple[str, float]]]:
    """How a case's figures are found."""
    if case["show"] == ASKED:
        return _asked
    if case["show"] in COUNTS:
        return _counted
    return _by_nodes if "nodes" in case else _by_packets


def _asked(case: dict[str, Any], size: str, names: list[str]) -> Iterator[tuple[str, float]]:
    """What a function of the paper's folder tells."""
    module, _, function = case[ASKED].rpartition(".")
    told = getattr(import_module(module), function)(**case["of"])
    yield from ((name, told) for name in names)


def _counted(case: dict[str, Any], size: str, names: list[str]) -> Iterator[tuple[str, float]]:
    """Deficiencies of each algorithm, which no size changes."""
    for name in names:
        of = Setup(case["topology"]).simulation(case["collective"], name).deficiencies()
        yield name, of[case["show"]]


def _by_nodes(case: dict[str, Any], size: str, names: list[str]) -> Iterator[tuple[str, float]]:
    on = Nodes(described(case["machine"]), case["nodes"], case["per_node"], ELEMENT)
    for name in names:
        row = on.row(name, size)
        yield name, sum(row[part] for part in case.get("parts", ["seconds"]))


def _by_packets(case: dict[str, Any], size: str, names: list[str]) -> Iterator[tuple[str, float]]:
    on = setup(case)
    if case["collective"] == BLOCKS:
        blocks, besides = _blocks(case, size)
        for name in names:
            yield name, besides + on.taken(on.of_blocks(name, blocks, ELEMENT), 1)["seconds"]
        return
    for name in names:
        what = case["collective"], name, parse_size(size)
        yield name, on.mean(*what) if case.get("mean") else on.seconds(*what)


def _blocks(case: Mapping[str, Any], size: str) -> tuple[str | NDArray[np.int64], float]:
    """Blocks of an alltoallv, as Setup.of_blocks takes them, and seconds of computing beside it."""
    if size.startswith("dist:"):
        return size, 0
    from parlogna import traffics

    of, ranks = case.get("graph"), case["ranks"]
    matrix = traffics.of_graph(of, int(size), ranks) if of else getattr(traffics, size)(ranks)
    done = getattr(traffics, case["computing"])(matrix) if "computing" in case else 0
    return np.ravel(matrix), done / case["rate"] if done else 0


def setup(case: Mapping[str, Any]) -> Setup:
    """The network of a case."""
    per_node = case.get("per_node", 1)
    if "bandwidth" in case:
        where = case.get("place"), case["topology"], case.get("ranks")
        at = place_many(*where, per_node, 1)
        engine = case.get("engine", "packet")
        on = Setup(case["topology"], at, parse_bandwidth(case["bandwidth"]), engine=engine)
    elif "hosts" in case:
        on = networks.generated(load(case["machine"]), case["hosts"], per_node)
    else:
        machine, place = load(case["machine"]), case.get("place")
        on = networks.on_topology(machine, case["topology"], case["ranks"], per_node, place)
    costs = dict(on.costs) | parse_costs(case["messages"]) if "messages" in case else on.costs
    buffers = parse_size(case["buffers"]) if "buffers" in case else on.buffers
    others = Background(share=case.get("background", 0))
    routing = case.get("routing", on.routing)
    router = case.get("router", on.router)
    return replace(
        on, costs=costs, buffers=buffers, routing=routing, background=others, router=router
    )


def _figure(case: dict[str, Any], of: Mapping[str, float]) -> float | str:
    ours = {name: t for name, t in of.items() if name in case["algorithms"]}
    first = min(ours, key=lambda name: ours[name])
    if case["show"] == "best":
        return split_algorithm(first)[1][case["parameter"]] if "parameter" in case else first
    if case["show"] in ("time", ASKED, *COUNTS):
        return ours[first]
    ratio = min(of[name] for name in case["over"] if name in of) / ours[first]
    return 100 * (ratio - 1) if case["show"] in ("gain", "most") else ratio


def _text(case: dict[str, Any], figure: float | str) -> str:
    if isinstance(figure, str) or case["show"] == "best":
        return str(figure)
    if case["show"] in COUNTS:
        return f"{figure:.3f}"
    if case["show"] == ASKED:
        return f"{figure:.4g}{case['unit']}"
    if case["show"] == "time":
        return f"{1e6 * figure:.4g} us"
    return f"{figure:.3g}" + ("x" if case["show"] == "ratio" else " %")


def _known(out: Path) -> dict[tuple[str, str], dict[str, dict[str, float]]]:
    """What was found, by experiment and case."""
    times: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    for r in results.known(out / FILE):
        of = times.setdefault((r["experiment"], r["case"]), {})
        of.setdefault(r["size"], {})[r["algorithm"]] = float(r["found"])
    return times


def told(paper: str, out: Path) -> dict[str, str]:
    """By claim what its experiments show, as a cell of Markdown."""
    times = _known(out)
    text: dict[str, list[str]] = {}
    for one in experiments(paper):
        each = [
            f"{name}: {one.shown(case, times[one.name, name])}"
            for name, case in one.cases().items()
            if (one.name, name) in times
        ]
        if each:
            text.setdefault(one.claim, []).append(
                f"**experiment**, {one.varied}; {one.figure}: {'; '.join(each)}"
            )
    return {claim: ". ".join(of) for claim, of in text.items()}
