"""The figures of a paper's evaluation, simulated: python docs/papers/reproduce.py FIGURE [...] (or
all, or again).

With the name of another paper's page first (bine, generalised, parlogna) that page's command.

Reads swing-nsdi24.toml beside it; writes swing-nsdi24/figN.csv and figN-*.svg, and the table of
claims in swing-nsdi24.md from those CSV files. With --engine packet it writes to
swing-nsdi24-packet/, whose claims are a column of that table, with --engine step to
swing-nsdi24-step/, which leaves the table alone.
"""

import importlib
import sys
import tomllib
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from pathlib import Path

import page
import polars
import sweeping

from hopbine import progress
from hopbine.bench.sizes import parse_sizes
from hopbine.plots import simulation as plots
from hopbine.plots.files import save
from hopbine.simulation import Setup, curve, gains, sweep
from hopbine.units import parse_bandwidth, parse_size

#: Other papers' pages: the module with `run(words)`.
PAGES = {"bine": "bine", "generalised": "generalised", "parlogna": "nonuniform"}
HERE = Path(__file__).parent
PAPER = "swing-nsdi24"
SPEC = tomllib.loads((HERE / f"{PAPER}.toml").read_text())
COLUMNS = [
    *("network", "collective", "topology", "ranks", "engine", "bandwidth", "cable", "router"),
    *("algorithm", "variant", "bytes", "seconds", "goodput", "share_of_peak"),
]
ROUNDED = ("seconds", "goodput", "share_of_peak")
#: What has no figure (swing_counts.py), whatever the engine.
COUNTS = HERE / PAPER / "counts.csv"


def label(network: dict) -> str:
    """'torus:8x8' or 'torus:8x8, 100Gb/s'."""
    return ", ".join(network[k] for k in ("topology", "bandwidth") if k in network)


def rows(number: str, nth: int, name: str, engine: str) -> list[dict]:
    """A curve on a figure's nth network, with its label; none where it does not fit."""
    figure = SPEC["figure"][number]
    network = figure["networks"][nth]
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
    made = sweep(setup, SPEC["collective"], [drawn], sizes, pad=True)
    return [{"network": label(network), **row} for row in made]


def works(number: str, engine: str) -> list[sweeping.Work]:
    """What a figure's file is made of."""
    figure = SPEC["figure"][number]
    return [
        (f"{label(network)}, {name}, {engine} engine", partial(rows, number, nth, name, engine))
        for nth, network in enumerate(figure["networks"])
        for name in figure["curves"]
    ]


def write_data(number: str, engine: str) -> None:
    """Simulates a figure and writes its CSV file."""
    path = folder(engine) / f"fig{number}.csv"
    sweeping.collect(path, works(number, engine), COLUMNS, ROUNDED)


#: The engine whose files are read where none is named.
reading = ContextVar("reading", default="flow")


def folder(engine: str) -> Path:
    """Where figures go: those of other engines leave those of the flow engine alone."""
    return HERE / (PAPER if engine == "flow" else f"{PAPER}-{engine}")


def data(number: str, engine: str | None = None) -> dict[str, list[dict]]:
    """What was simulated for a figure, by network."""
    rows = polars.read_csv(folder(engine or reading.get()) / f"fig{number}.csv").to_dicts()
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
        folder(engine) / f"fig{number}.csv"
        for number, figure in SPEC["figure"].items()
        if figure["kind"] != "summary" and engine not in figure.get("without", [])
    ]
    return out + [COUNTS] * (engine == "flow")


def is_there(number: str, engine: str) -> bool:
    """Has what it is drawn from been simulated?"""
    needed = SPEC["figure"][number].get("of", [number])
    return all((folder(engine) / f"fig{n}.csv").exists() for n in needed)


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


def chosen(
    words: list[str], engine: str, refuse: Callable[[str], object]
) -> tuple[list[str], list[str]]:
    """The figures to simulate, and those to draw."""
    every = list(SPEC["figure"])
    simulated = every if "all" in words else [f for f in words if f not in ("again", "counts")]
    for number in simulated:
        if number not in every:
            refuse(f"figure '{number}' is not one of {', '.join(every)}, all, counts, again")
    again = "again" in words
    return simulated, [n for n in every if n in simulated or (again and is_there(n, engine))]


def main() -> int:
    """Exit code: 0 when all is written."""
    if sys.argv[1:2] and sys.argv[1] in PAGES:
        page = importlib.import_module(PAGES[sys.argv[1]])
        return sweeping.guarded(lambda: int(page.run(sys.argv[2:])))
    return sweeping.guarded(run)


def run() -> int:
    """0: all written."""
    parser = sweeping.Parser(prog="reproduce.py", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "figures",
        nargs="+",
        metavar="FIGURE",
        help=", ".join(SPEC["figure"])
        + ", all; counts: what has no figure; or again: pictures and claims from the files that "
        "are there",
    )
    parser.add_argument("--engine", choices=("flow", "packet", "step"), default="flow")
    args = parser.parse_args()
    simulated, wanted = chosen(args.figures, args.engine, parser.error)
    if "again" in args.figures:
        page.check(files(args.engine), whole=args.engine != "step")
    folder(args.engine).mkdir(exist_ok=True)
    if {"counts", "all"} & set(args.figures):
        import swing_counts

        swing_counts.write(COUNTS)
    for number in wanted:
        if number in simulated and SPEC["figure"][number]["kind"] != "summary":
            write_data(number, args.engine)
        draw(number, args.engine)
    print(f"figures: {folder(args.engine)}", file=sys.stderr)
    if args.engine != "step":
        from claims import write_table

        write_table()
    return 0


if __name__ == "__main__":
    sys.exit(main())
