"""The evaluation of the Swing paper: python reproduce/run.py swing [FIGURE ...] [--quick].

Reads paper.toml beside it; writes data/figN.csv.xz and pictures by the flow engine, the same by
packets in data-packet/, and from both the claims and figures of docs/papers/swing-nsdi24.md. With
--engine step it writes to data-step/, with --quick to quick/, which leave the page alone.
"""

import argparse
import sys
import tomllib
from contextvars import ContextVar
from functools import partial
from pathlib import Path

from hopbine.bench.sizes import parse_sizes
from hopbine.notation.units import parse_bandwidth, parse_size
from hopbine.output import progress
from hopbine.plots import simulation as plots
from hopbine.plots.files import save
from hopbine.simulation import Setup, Vectors, curve, gains, sweep
from shared import experiments, page, results, sweeping

HERE = Path(__file__).parent
PAPER = "swing-nsdi24"
SPEC = tomllib.loads((HERE / "paper.toml").read_text())
COLUMNS = [
    *("network", "collective", "topology", "ranks", "engine", "bandwidth", "cable", "router"),
    *("algorithm", "variant", "bytes", "seconds", "goodput", "share_of_peak"),
]
ROUNDED = ("seconds", "goodput", "share_of_peak")
#: What has no figure (counts.py), whatever the engine.
COUNTS = HERE / "data" / "counts.csv.xz"


def label(network: dict) -> str:
    """'torus:8x8' or 'torus:8x8, 100Gb/s'."""
    return ", ".join(network[k] for k in ("topology", "bandwidth") if k in network)


def networks(number: str) -> list[dict]:
    """The networks of a figure; small ones for a quick look."""
    told = SPEC["figure"][number]["networks"]
    if looking.get():
        told = [n | {"topology": SPEC["quick"].get(n["topology"], n["topology"])} for n in told]
    return list({label(n): n for n in told}.values())


def rows(number: str, network: dict, name: str, engine: str) -> list[dict]:
    """A curve on a figure's network, with its label; none where it does not fit."""
    figure = SPEC["figure"][number]
    setup = Setup(
        network["topology"],
        bandwidth=parse_bandwidth(network.get("bandwidth", "400Gb/s")),
        engine=engine,
    )
    drawn = curve(f"{name}={SPEC['curves'][name]}")
    try:
        setup.simulation(SPEC["collective"], drawn.variants[0])
    except ValueError as error:
        progress.tell(f"{setup.topology}: no {name}: {error}")
        return []
    sizes = parse_sizes(figure.get("sizes", SPEC["sizes"]))
    made = sweep(setup, SPEC["collective"], [drawn], sizes, Vectors(pad=True))
    return [{"network": label(network), **row} for row in made]


def works(number: str, engine: str) -> list[sweeping.Work]:
    """What a figure's file is made of."""
    return [
        (f"{label(network)}, {name}, {engine} engine", partial(rows, number, network, name, engine))
        for network in networks(number)
        for name in SPEC["figure"][number]["curves"]
    ]


def write_data(number: str, engine: str) -> None:
    """Simulates a figure and writes its CSV file."""
    path = folder(engine) / f"fig{number}.csv.xz"
    sweeping.collect(path, works(number, engine), COLUMNS, ROUNDED)


#: The engine whose files are read where none is named, and whether this is a quick look.
reading = ContextVar("reading", default="flow")
looking = ContextVar("looking", default=False)


def folder(engine: str) -> Path:
    """Where figures go: those of other engines leave those of the flow engine alone."""
    ending = [engine] if engine != "flow" else []
    return HERE / "-".join(["quick" if looking.get() else "data", *ending])


def data(number: str, engine: str | None = None) -> dict[str, list[dict]]:
    """What was simulated for a figure, by network."""
    rows = results.frame(folder(engine or reading.get()) / f"fig{number}.csv.xz").to_dicts()
    return {
        name: [r for r in rows if r["network"] == name]
        for name in dict.fromkeys(r["network"] for r in rows)
    }


def gained(
    number: str, most: int | None = None, engine: str | None = None
) -> dict[str, list[dict]]:
    """Gains of the focus by network, for sizes up to `most`."""
    aside = SPEC["figure"][number].get("aside", [])
    return {
        name: [g for g in gains(rows, SPEC["focus"], aside) if most is None or g["bytes"] <= most]
        for name, rows in data(number, engine).items()
    }


def files(engine: str) -> list[Path]:
    """What the page's table is made of: those of an engine, and of no figure."""
    out = [
        folder(engine) / f"fig{number}.csv.xz"
        for number, figure in SPEC["figure"].items()
        if figure["kind"] != "summary"
    ]
    return out + [COUNTS] * (engine == "flow")


def is_there(number: str, engine: str) -> bool:
    """Has what it is drawn from been simulated?"""
    needed = SPEC["figure"][number].get("of", [number])
    return all((folder(engine) / f"fig{n}.csv.xz").exists() for n in needed)


def draw(number: str, engine: str) -> None:
    """The pictures of a figure from its CSV file."""
    figure = SPEC["figure"][number]
    if figure["kind"] == "summary":
        every = {}
        for n in figure["of"]:
            every |= gained(n, parse_size(figure["most"]), engine)
        save(plots.summary(every, SPEC["focus"]), folder(engine) / f"fig{number}.svg")
        return
    if figure["kind"] == "gains":
        save(
            plots.gain_curves(gained(number, engine=engine), SPEC["focus"]),
            folder(engine) / f"fig{number}.svg",
        )
        return
    for name, rows in data(number, engine).items():
        many = len(figure["networks"]) > 1
        ending = "-" + name.partition(":")[2].replace(":", "-") if many else ""
        peak = rows[0]["goodput"] / rows[0]["share_of_peak"]
        picture = plots.goodput(
            rows,
            SPEC["focus"],
            peak,
            f"allreduce on {name} (Fig. {number})",
            figure.get("aside", []),
        )
        save(picture, folder(engine) / f"fig{number}{ending}.svg")


def chosen(words: list[str], engine: str) -> tuple[list[str], list[str]]:
    """The figures to simulate, and those to draw."""
    every = SPEC["figure"]
    simulated = [n for n in every if "all" in words or n in words]
    again = "again" in words
    return simulated, [n for n in every if n in simulated or (again and is_there(n, engine))]


def parse(words: list[str]) -> argparse.Namespace:
    """The command's options. Wrong ones end it with 2."""
    parser = sweeping.Parser(prog="run.py swing", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "figures",
        nargs="*",
        metavar="FIGURE",
        help=", ".join(SPEC["figure"])
        + ", all; counts: what has no figure; or again: pictures and claims from the files that "
        "are there (default: all that the page has, by flows and by packets)",
    )
    parser.add_argument("--engine", choices=("flow", "packet", "step"))
    parser.add_argument("--quick", action="store_true", help="up to 256 nodes, by flows")
    args = parser.parse_args(words)
    for word in args.figures:
        if word not in (known := [*SPEC["figure"], "all", "counts", experiments.PART, "again"]):
            parser.error(f"'{word}' is not one of {', '.join(known)}")
    looking.set(args.quick)
    return args


def engines_of(args: argparse.Namespace) -> tuple[str, ...]:
    """The page has flows and packets; figures that are named and quick looks have flows."""
    both = set(args.figures) <= {"again"} and not (args.engine or args.quick)
    return ("flow", "packet") if both else (args.engine or "flow",)


def figures() -> dict[str, list[list[str]]]:
    """The words that make each figure, by flows and by packets."""
    of = {n: f.get("of", [n]) + [n] * ("of" in f) for n, f in SPEC["figure"].items()}
    both = {n: [each, [*each, "--engine", "packet"]] for n, each in of.items()}
    return both | {part: [[part]] for part in ("counts", experiments.PART)}


def simulate(args: argparse.Namespace) -> None:
    """The files of the figures that are asked for, by each engine."""
    words = args.figures or ["all"]
    for engine in engines_of(args):
        if "counts" in words or ("all" in words and engine == "flow" and not args.quick):
            from swing import counts

            counts.write(COUNTS)
        if experiments.PART in words or ("all" in words and engine == "flow"):
            experiments.write("swing", folder("flow"), args.quick)
        for number in chosen(words, engine)[0]:
            if SPEC["figure"][number]["kind"] != "summary":
                write_data(number, engine)


def run(words: list[str]) -> int:
    """0: all written."""
    args = parse(words)
    engines = engines_of(args)
    if "again" in args.figures:
        for engine in engines:
            page.check(files(engine), whole=not args.quick and engine != "step")
    simulate(args)
    for engine in engines:
        for number in chosen(args.figures or ["all"], engine)[1]:
            if is_there(number, engine):
                draw(number, engine)
        print(f"figures: {folder(engine)}", file=sys.stderr)
    if not args.quick and "step" not in engines:
        from swing.claims import write_page

        write_page()
    return 0
