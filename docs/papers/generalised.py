"""The evaluation of the generalised collectives: reproduce.py generalised [--quick].

Reads generalised-collectives.toml beside it; writes generalised-collectives/*.csv and pictures, and
from these files the tables of generalised-collectives.md. With --quick 32 nodes everywhere, in
generalised-collectives-quick/, and the page is left alone.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import engines
import page
import places
import sweeping

from hopbine.bench.sizes import parse_sizes
from hopbine.classic import classic
from hopbine.machines import load

HERE = Path(__file__).parent
PAPER = "generalised-collectives"
SPEC = tomllib.loads((HERE / f"{PAPER}.toml").read_text())
SIZES = parse_sizes(SPEC["sizes"])
KEYS = ["panel", "source", "machine", "nodes", "per_node", "groups", "collective", "kernel", "k"]
COLUMNS = [*KEYS, *map(str, SIZES)]
#: Name in the column `kernel` of what a library usually takes at each size.
USUAL = "usual"


def radices(kernel: str, ranks: int) -> list[int]:
    """All that a figure has, up to the number of ranks."""
    told = SPEC["rings"] if kernel == "kring" else SPEC["radices"]
    return [k for k in told if k <= ranks]


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


def rows(figure: str, panel: dict, source: str, quick: bool) -> list[dict]:
    """Every radix of a panel's kernels, and what a library usually takes."""
    place = costs(place_of(panel, quick), source)
    engine = engines.COSTS if source in ("model", "lumi") else source
    on, collective = engines.setup(place, engine), panel["collective"]
    told = [figure + panel["name"], source, panel["machine"], place.nodes, place.per_node]
    out = []

    def row(kernel: str, k: int | str, seconds: list[float | None]) -> None:
        values = ["" if t is None else f"{t:.6g}" for t in seconds]
        every = [*told, place.groups, collective, kernel, k, *values]
        out.append(dict(zip(COLUMNS, every, strict=True)))

    for kernel in panel["kernels"]:
        for k in radices(kernel, place.ranks):
            name = f"{kernel}:k={k}"
            row(kernel, k, engines.times(on, place, engine, collective, name, SIZES))
    usual = [classic(collective, place.ranks, s) for s in SIZES]
    known = {u: engines.times(on, place, engine, collective, u, SIZES) for u in set(usual)}
    row(USUAL, "", [known[u][i] for i, u in enumerate(usual)])
    return out


def works(number: str, quick: bool, sources: list[str]) -> Iterator[sweeping.Work]:
    """What a figure's file is made of. Links have one rank on each node only."""
    for panel in SPEC["figure"][number]["panels"]:
        for source in sources:
            if panel["per_node"] == 1 or source in ("model", "lumi"):
                name = f"figure {number}{panel['name']} {source}"
                yield name, partial(rows, number, panel, source, quick)


def files(out: Path) -> list[Path]:
    """What the page's tables are made of."""
    return [out / f"fig{number}.csv" for number in SPEC["figure"]]


def parse(words: list[str]) -> argparse.Namespace:
    """The command's options. Wrong ones end it with 2."""
    parser = sweeping.Parser(prog="reproduce.py generalised", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "figures",
        nargs="*",
        metavar="FIGURE",
        help=", ".join(SPEC["figure"]) + " (default: all); again: from the files",
    )
    parser.add_argument("--quick", action="store_true", help="32 nodes, seconds")
    parser.add_argument(
        "--engine", choices=engines.ENGINES, help="instead of step, for the links of the network"
    )
    args = parser.parse_args(words)
    for word in args.figures:
        if word not in (*SPEC["figure"], "again"):
            parser.error(f"'{word}' is not one of {', '.join(SPEC['figure'])}, again")
    return args


def run(words: list[str]) -> int:
    """0: all written."""
    args = parse(words)
    import generalised_claims
    import generalised_figures

    ending = (["quick"] if args.quick else []) + ([args.engine] if args.engine else [])
    out = HERE / "-".join([PAPER, *ending])
    if "again" in args.figures:
        page.check(files(out), whole=not ending)
    links = [args.engine or "step"]
    for number in args.figures or SPEC["figure"]:
        if number != "again":
            made = works(number, args.quick, ["model", "lumi", *links])
            sweeping.collect(out / f"fig{number}.csv", made, COLUMNS)
    generalised_figures.draw(out)
    if ending:
        print(generalised_claims.everything(out))
    else:
        generalised_claims.write_page(out)
    print(f"figures and tables: {out}", file=sys.stderr)
    return 0
