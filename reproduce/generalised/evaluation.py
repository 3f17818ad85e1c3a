"""The evaluation of the generalised collectives: python reproduce/run.py generalised [--quick].

Reads paper.toml beside it; writes data/*.csv.xz and pictures, and from these files the tables and
figures of docs/papers/generalised-collectives.md. With --quick 32 nodes everywhere, in quick/, and
the page is left alone.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from hopbine.bench.sizes import parse_sizes
from hopbine.core.classic import classic
from hopbine.machines import load
from hopbine.notation.units import parse_bandwidth
from hopbine.simulation import Setup
from hopbine.simulation.on_machine import MachineNetwork
from shared import engines, experiments, page, places, sweeping

HERE = Path(__file__).parent
PAPER = "generalised-collectives"
SPEC = tomllib.loads((HERE / "paper.toml").read_text())
SIZES = parse_sizes(SPEC["sizes"])
KEYS = ["panel", "source", "machine", "nodes", "per_node", "groups", "collective", "kernel", "k"]
COLUMNS = [*KEYS, *map(str, SIZES)]
#: Name in the column `kernel` of what a library usually takes at each size.
USUAL = "usual"
#: The source that has the network cards of nodes, and the part that varies their number.
CARDS = "cards"
#: Rules files for the machines, Sec. VI.G.
SELECTION = "selection"
#: Sources by the model of costs.
MODELS = ("model", "lumi")


def radices(kernel: str, ranks: int, source: str = "") -> list[int]:
    """All that a figure has, up to the number of ranks."""
    told = SPEC["rings"] if kernel == "kring" else SPEC["radices"]
    most = min(ranks, SPEC["cards"]["most"].get(kernel, ranks)) if source == CARDS else ranks
    return [k for k in told if k <= most]


def place_of(panel: dict, quick: bool) -> places.Place:
    """Where a panel runs: a generated allocation."""
    name = panel["machine"]
    nodes = min(panel["nodes"], SPEC["quick"]["nodes"]) if quick else panel["nodes"]
    spec, none = SPEC["machine"][name], places.Sources()
    return places.on_machine(name, spec, nodes, none, 1, SPEC["seed"], panel["per_node"])


def costs(place: places.Place, source: str) -> places.Place:
    """With LUMI's fitted costs of messages; node bandwidth and taper stay the machine's."""
    if source != "lumi":
        return place
    fitted = [x for x in load("lumi").network().split(":") if not x.startswith("node_bandwidth")]
    return replace(place, costs=":".join([*fitted, place.costs]))


def message_costs() -> dict[str, float]:
    """LUMI's, as packets have them: no description of the paper's machines says any."""
    return MachineNetwork(load("lumi")).costs(Setup.cable, Setup.router)


def inside(machine: str) -> dict[str, float]:
    """What links inside a node carry."""
    return {"inside_bandwidth": parse_bandwidth(SPEC["machine"][machine]["inside"])}


def vector(collective: str, ranks: int, size: int) -> int:
    """Bytes of the vector at a size of the figures."""
    return size * ranks if collective in SPEC["per_rank"] else size


def by_packets(on: Setup, ranks: int, collective: str, algorithm: str) -> list[float | None]:
    """Seconds at each size that a rank waits, in the mean."""
    sizes = [vector(collective, ranks, s) for s in SIZES]
    return engines.simulated(on, collective, algorithm, sizes, mean=True)


def setup(place: places.Place, machine: str, source: str) -> tuple[Setup, str]:
    """The network of a source, and its engine."""
    if source == CARDS:
        on = MachineNetwork(load(machine)).setup(place.at)
        costs = message_costs() | inside(machine)
        return replace(on, costs=costs, routing=SPEC[CARDS]["routing"]), on.engine
    engine = engines.COSTS if source in MODELS else source
    return engines.setup(place, engine), engine


def rows(figure: str, panel: dict, source: str, quick: bool) -> list[dict]:
    """Every radix of a panel's kernels, and what a library usually takes."""
    place = costs(place_of(panel, quick), source)
    (on, engine), collective = setup(place, panel["machine"], source), panel["collective"]
    told = [figure + panel["name"], source, panel["machine"], place.nodes, place.per_node]
    out = []

    def row(kernel: str, k: int | str, seconds: list[float | None]) -> None:
        values = ["" if t is None else f"{t:.6g}" for t in seconds]
        every = [*told, place.groups, collective, kernel, k, *values]
        out.append(dict(zip(COLUMNS, every, strict=True)))

    sizes = [vector(collective, place.ranks, s) for s in SIZES]

    def times(name: str) -> list[float | None]:
        if source == CARDS:
            return by_packets(on, place.ranks, collective, name)
        return engines.times(on, place, engine, collective, name, sizes)

    for kernel in panel["kernels"]:
        for k in radices(kernel, place.ranks, source):
            row(kernel, k, times(f"{kernel}:k={k}"))
    usual = [classic(collective, place.ranks, s) for s in sizes]
    known = {u: times(u) for u in set(usual)}
    row(USUAL, "", [known[u][i] for i, u in enumerate(usual)])
    return out


def works(number: str, quick: bool, sources: list[str]) -> Iterator[sweeping.Work]:
    """What a figure's file is made of. Links without cards have one rank on each node only."""
    for panel in SPEC["figure"][number]["panels"]:
        for source in sources:
            if panel["per_node"] == 1 or source in (*MODELS, CARDS):
                name = f"figure {number}{panel['name']} {source}"
                yield name, partial(rows, number, panel, source, quick)


def files(out: Path) -> list[Path]:
    """What the page's tables are made of."""
    return [out / f"fig{number}.csv.xz" for number in SPEC["figure"]]


def parts() -> list[str]:
    """What is made."""
    return [*SPEC["figure"], CARDS, experiments.PART]


def parse(words: list[str]) -> argparse.Namespace:
    """The command's options. Wrong ones end it with 2."""
    parser = sweeping.Parser(prog="run.py generalised", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "figures",
        nargs="*",
        metavar="FIGURE",
        help=", ".join(parts())
        + " (default: all); again: from the files; selection: MPICH's, from the files",
    )
    parser.add_argument("--quick", action="store_true", help="32 nodes, seconds")
    parser.add_argument(
        "--engine", choices=engines.ENGINES, help="instead of step, for the links of the network"
    )
    args = parser.parse_args(words)
    for word in args.figures:
        if word not in (known := [*parts(), "again", SELECTION]):
            parser.error(f"'{word}' is not one of {', '.join(known)}")
    return args


def folder(args: argparse.Namespace) -> Path:
    """Where files go: a look leaves the published ones alone."""
    ending = [args.engine] if args.engine else []
    return HERE / "-".join(["quick" if args.quick else "data", *ending])


def simulate(args: argparse.Namespace) -> None:
    """The files of the figures that are asked for."""
    from generalised import cards

    out, links = folder(args), [args.engine or "step"]
    wanted = args.figures or parts()
    for number in SPEC["figure"]:
        if number in wanted:
            made = works(number, args.quick, [*MODELS, *links, CARDS])
            sweeping.collect(out / f"fig{number}.csv.xz", made, COLUMNS)
    if CARDS in wanted:
        cards.write(out, args.quick)
    if experiments.PART in wanted:
        experiments.write("generalised", out, args.quick)


def figures() -> dict[str, list[list[str]]]:
    """The words that make each figure."""
    return {part: [[part]] for part in parts()}


def run(words: list[str]) -> int:
    """0: all written."""
    args = parse(words)
    from generalised import claims
    from generalised import figures as pictures

    out, look = folder(args), args.quick or args.engine
    if "again" in args.figures:
        page.check(files(out), whole=not look)
    if SELECTION in args.figures:
        from generalised import selection

        print(*selection.write_all(out, [*SPEC["machine"]]), sep="\n")
        return 0
    simulate(args)
    pictures.draw(out)
    if look:
        print(claims.everything(out))
    else:
        claims.write_page(out)
    print(f"figures and tables: {out}", file=sys.stderr)
    return 0
