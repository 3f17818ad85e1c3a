"""The evaluation of the Bine paper: python reproduce/run.py bine [--quick].

Reads paper.toml beside it; writes data/*.csv.xz and pictures, and from these files the tables and
figures of docs/papers/bine-sc25.md. With --quick small jobs only, in quick/, and the page is left
alone.
"""

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bine.registry import SPEC, families, papers
from hopbine.bench.sizes import parse_sizes
from shared import engines, experiments, page, places, sweeping

HERE = Path(__file__).parent
PAPER = "bine-sc25"
SIZES = parse_sizes(SPEC["sizes"])
#: What is made besides the times of the machines.
PARTS = (
    *("traffic", "measured", "processes", "gpus", "segments", "congestion", "variants", "scale"),
    "prediction",
    experiments.PART,
)
KEYS = ["machine", "engine", "nodes", "ranks", "source", "groups", "collective", "letter"]
COLUMNS = [*KEYS, "algorithm", *map(str, SIZES)]


def regular(machine: str) -> list:
    """Numbers of nodes, or shapes, of the paper."""
    spec = SPEC["machine"][machine]
    return list(spec.get("shapes") or spec["nodes"])


def places_of(machine: str, sources: places.Sources, quick: bool) -> list[places.Place]:
    """The places of a machine, those of the paper first."""
    spec = SPEC["machine"][machine]
    wanted = spec["quick"] if quick else [*regular(machine), *spec["other"]]
    if "shapes" in spec:
        return [places.on_torus(machine, spec, s) for s in wanted]
    least, seed = SPEC["jobs_groups"], SPEC["seed"]
    return [places.on_machine(machine, spec, n, sources, least, seed) for n in wanted]


def rows(machine: str, engine: str, place: places.Place, collective: str) -> list[dict]:
    """Times of every algorithm that serves, a row each."""
    packets = engine == engines.PACKETS
    on = engines.by_packets(machine, place) if packets else engines.setup(place, engine)
    out = []
    whole = place.ranks <= SPEC["machine"][machine]["packets"]
    for letter, names in (families if whole else papers)(machine, collective).items():
        for name in names:
            if not engines.fits(place, collective, name):
                continue
            seconds = engines.times(on, place, engine, collective, name, SIZES)
            told = [
                *(machine, engine, place.nodes, place.ranks, place.source, place.groups),
                *(collective, letter, name),
                *("" if t is None else f"{t:.6g}" for t in seconds),
            ]
            out.append(dict(zip(COLUMNS, told, strict=True)))
    return out


def works(
    machine: str, sources: places.Sources, quick: bool, engine: str | None
) -> Iterator[sweeping.Work]:
    """What a machine's file is made of."""
    spec = SPEC["machine"][machine]
    most = spec["quick_packets" if quick else "packets"]
    for place in places_of(machine, sources, quick):
        for which in [engine] if engine else spec["engines"]:
            if which == engines.PACKETS and not engine and place.ranks > most:
                continue
            for collective in spec.get("only", {}).get(place.nodes, SPEC["collectives"]):
                name = f"{machine} {place.nodes} {place.source} {which} {collective}"
                yield name, partial(rows, machine, which, place, collective)


def parse(words: list[str]) -> argparse.Namespace:
    """The command's options. Wrong ones end it with 2."""
    parser = sweeping.Parser(prog="run.py bine", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        help=", ".join([*SPEC["machine"], *PARTS]) + " (default: all); again: from the files",
    )
    parser.add_argument("--quick", action="store_true", help="small jobs, half a minute")
    parser.add_argument(
        "--engine", choices=engines.NAMES, help="this one (default: each machine's)"
    )
    parser.add_argument("--jobs", type=Path, metavar="CSV", help="real jobs of Leonardo")
    parser.add_argument("--measured", type=Path, metavar="PICO", help="the authors' measured runs")
    args = parser.parse_args(words)
    for word in args.parts:
        if word not in (*SPEC["machine"], *PARTS, "again"):
            known = ", ".join([*SPEC["machine"], *PARTS, "again"])
            parser.error(f"'{word}' is not one of {known}")
    return args


def folder(quick: bool, engine: str | None) -> Path:
    """Where files go: a look leaves the published ones alone."""
    return HERE / "-".join(["quick" if quick else "data", *([engine] if engine else [])])


def simulate(args: argparse.Namespace) -> None:
    """The files of the parts that are asked for."""
    from bine import (
        congestion,
        gpus,
        measured,
        prediction,
        processes,
        scale,
        segments,
        traffic,
        variants,
    )

    sources = places.Sources(args.jobs, args.measured)
    sources.check()
    out = folder(args.quick, args.engine)
    wanted = args.parts or [*SPEC["machine"], *PARTS]
    for machine in SPEC["machine"]:
        if machine in wanted:
            made = works(machine, sources, args.quick, args.engine)
            sweeping.collect(out / f"times-{machine}.csv.xz", made, COLUMNS)
    if "measured" in wanted:
        measured.write(out, sources)
    if experiments.PART in wanted:
        experiments.write("bine", out, args.quick)
    for part in (traffic, processes, gpus, segments, congestion, variants, scale, prediction):
        if part.__name__.rpartition(".")[2] in wanted:
            part.write(out, sources, args.quick)


def figures() -> dict[str, list[list[str]]]:
    """The words that make each figure and table of the paper."""
    return {figure: [parts] for figure, parts in SPEC["figures"].items()}


def run(words: list[str]) -> int:
    """0: all written."""
    args = parse(words)
    from bine import figures as pictures
    from bine import prediction, tables

    out = folder(args.quick, args.engine)
    if "again" in args.parts:
        page.check(tables.files(out), whole=not (args.quick or args.engine))
    simulate(args)
    pictures.draw(out)
    if args.quick or args.engine:
        print(tables.everything(out))
    else:
        tables.write_page(out)
        prediction.write_page(out)
    print(f"figures and tables: {out}", file=sys.stderr)
    return 0
