"""The evaluation of ParLogNa/ParLinNa (HPDC'25): python reproduce/run.py parlogna [FIGURE ...].

Figs. 6 to 12 are simulated by the node model, at the paper's scales: what `hopbine simulate
alltoallv --nodes` prints; 13 to 15 by packets (links.py). `measure` runs the algorithms here, on
local ranks. Reads paper.toml beside it; writes data/figN.csv.xz, measured.csv.xz and pictures, and
from these files the claims and figures of docs/papers/parlogna-hpdc25.md.
"""

import argparse
import sys
import time
import tomllib
from functools import partial
from pathlib import Path

import polars

from hopbine.bench import launch
from hopbine.bench.compare import compare
from hopbine.bench.sizes import parse_blocks
from hopbine.simulation.nodes import PHASES, TERMS, Nodes
from shared import experiments, results, sweeping
from shared.described import described

HERE = Path(__file__).parent
PAPER = "parlogna-hpdc25"
SPEC = tomllib.loads((HERE / "paper.toml").read_text())
FOLDER = HERE / "data"
MEASURED = FOLDER / "measured.csv.xz"
KEYS = ("machine", "ranks", "algorithm", "distribution")
COLUMNS = (*KEYS, "bytes", "seconds", "inside", "between")
SHARES = tuple(f"{phase}_{term}" for phase in PHASES for term in TERMS)
TIMES = ("seconds", "low", "high", "ratio", "ratio_low", "ratio_high")


def doubled(most: int, first: int = 2) -> list[int]:
    """first, twice that, ... and `most` itself."""
    out = [first]
    while out[-1] * 2 < most:
        out.append(out[-1] * 2)
    return out + [most] * (out[-1] < most)


def blocks(sizes: list[str]) -> list[str]:
    """Uniform distributions of blocks up to these sizes."""
    return parse_blocks(",".join(f"dist:uniform:{s}" for s in sizes), SPEC["element"])


def parlinna(r: int, batch: int, staggered: int) -> str:
    """As hopbine names it."""
    return f"parlinna:r={r}:batch={batch}:staggered={staggered}"


def radices(ranks: int) -> list[str]:
    """ParLogNa with each."""
    return [f"parlogna:r={r}" for r in doubled(ranks)]


def batches(ranks: int) -> list[str]:
    """Scattered with each."""
    return [f"scattered:batch={b}" for b in doubled(ranks - 1, 1)]


def phases(ranks: int, staggered: int) -> list[str]:
    """ParLinNa with each radix, then with each batch.

    The first changes nothing between nodes, the second nothing inside them.
    """
    q = SPEC["per_node"]
    most = (ranks // q - 1) * (q if staggered else 1)
    return [parlinna(r, most, staggered) for r in doubled(q)] + [
        parlinna(2, b, staggered) for b in doubled(most, 1)
    ]


def algorithms(figure: dict, ranks: int) -> list[str]:
    """All that a figure needs."""
    both = phases(ranks, 0) + phases(ranks, 1)
    named = {
        "radix": radices(ranks),
        "radices": radices(ranks),
        "phases": both,
        "straight": batches(ranks),
        "best": radices(ranks) + both + batches(ranks),
    }
    return list(dict.fromkeys(named[figure["kind"]] + figure.get("peers", [])))


def rows(number: str, machine: str, ranks: int) -> list[dict]:
    """The rows of a figure on a machine with so many ranks, with the columns that it needs.

    The comparison of all with all (Fig. 12) has those of the best parameters.
    """
    from parlogna import figures

    figure, each = SPEC["figure"][number], SPEC["per_node"]
    nodes = Nodes(described(machine), ranks // each, each, SPEC["element"])
    forms = SPEC["published"] if machine == SPEC["published"]["machine"] else {}
    found = [
        nodes.row(a + forms.get(a.partition(":")[0], ""), b)
        for a in algorithms(figure, ranks)
        for b in figure.get("blocks") or blocks(figure.get("sizes", SPEC["sizes"]))
    ]
    found = figures.fastest(found) if figure["kind"] == "best" else found
    return [{c: row[c] for c in columns(figure)} for row in found]


def columns(figure: dict) -> list[str]:
    """The columns of a figure's file."""
    return [*COLUMNS, *(SHARES if figure["kind"] == "phases" else ())]


def works(number: str) -> list[sweeping.Work]:
    """What a figure's file is made of."""
    return [
        (f"figure {number}: {machine}, {ranks} ranks", partial(rows, number, machine, ranks))
        for machine in sorted(SPEC["machines"])
        for ranks in SPEC["figure"][number]["ranks"]
    ]


def measure() -> list[dict]:
    """Every algorithm on local ranks, in one launch for each number of ranks."""
    told, rows = SPEC["measured"], []
    launcher = launch.find_launcher(None)
    family = launch.family_of(launcher)
    node = (
        f"export HOPBINE_NODE=node$(( ${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} / "
        f'{told["per_node"]} )); exec "$@"'
    )
    for ranks in told["ranks"]:
        began = time.perf_counter()
        wanted = [
            a
            for a in told["algorithms"]
            if not a.startswith("parlogna") or int(a.partition("=")[2]) <= ranks
        ]
        bench = [
            *("alltoallv", ",".join(["mpi", *wanted]), ",".join(blocks(told["sizes"]))),
            *(str(told["repetitions"]), "1", "0", "float64", "1", "new"),
        ]
        command = [
            *("sh", "-c", node, "sh", sys.executable, "-m", "hopbine", "run"),
            *(str(launch.measuring_program(family)), *bench),
        ]
        samples = [
            launch.Sample.of(row)
            for row in launch.csv_rows(launcher, family, ranks, command, {}, 1500)
        ]
        for r in compare(samples, "mpi"):
            rows.append(
                {
                    "mpi": family,
                    "ranks": r.ranks,
                    "algorithm": r.algorithm,
                    "distribution": r.distribution,
                    "bytes": r.bytes,
                    "samples": r.samples,
                }
                | {t: getattr(r, t) for t in TIMES}
            )
        print(
            f"measured: {ranks} ranks, {len(wanted)} algorithms: "
            f"{time.perf_counter() - began:.0f} s",
            file=sys.stderr,
        )
    return rows


def save(rows: list[dict], path: Path) -> None:
    """CSV, times to six digits."""
    frame = polars.DataFrame(rows)
    floats = [c for c, kind in frame.schema.items() if kind == polars.Float64]
    results.write(path, frame.with_columns(polars.col(floats).round_sig_figs(6)).write_csv())


def data(number: str) -> list[dict]:
    """What was simulated for a figure."""
    of = SPEC["figure"][number].get("of", number)
    return results.frame(FOLDER / f"fig{of}.csv.xz").to_dicts()


def linked(number: str, out: Path = FOLDER) -> list[dict]:
    """What was simulated by packets for a figure."""
    return results.frame(out / f"fig{number}.csv.xz").to_dicts()


def measured() -> list[dict]:
    """What was measured; nothing before `measure`."""
    return results.frame(MEASURED).to_dicts() if MEASURED.exists() else []


def parse(words: list[str]) -> argparse.Namespace:
    """The command's options. Wrong ones end it with 2."""
    parser = sweeping.Parser(prog="run.py parlogna", description=__doc__.split("\n\n")[0])
    known = [*SPEC["figure"], experiments.PART, "all", "measure", "again"]
    parser.add_argument(
        "figures",
        nargs="*",
        metavar="FIGURE",
        help=", ".join(known[:-2]) + " (default: all); measure: on local ranks; again: pictures "
        "and claims from the files that are there",
    )
    parser.add_argument(
        "--quick", action="store_true", help="Figs. 13 to 15 with the fewest ranks, seconds"
    )
    args = parser.parse_args(words)
    for word in args.figures:
        if word not in known:
            parser.error(f"'{word}' is not one of {', '.join(known)}")
    return args


def chosen(words: list[str]) -> list[str]:
    """The figures to simulate."""
    return [n for n in SPEC["figure"] if not words or "all" in words or n in words]


#: Figures by packets.
LINKS = [n for n, f in SPEC["figure"].items() if f["kind"] == "links"]


def write(numbers: list[str], out: Path, quick: bool) -> None:
    """The files of figures."""
    from parlogna import links

    for number in numbers:
        if number in LINKS:
            links.write(SPEC, number, out, quick)
        elif not quick and "of" not in SPEC["figure"][number]:
            of = columns(SPEC["figure"][number])
            sweeping.collect(out / f"fig{number}.csv.xz", works(number), of, of[len(KEYS) :])


def folder(args: argparse.Namespace) -> Path:
    """Where files go: a look leaves the published ones alone."""
    return HERE / "quick" if args.quick else FOLDER


def simulate(args: argparse.Namespace) -> None:
    """The files of the figures that are asked for."""
    write(chosen(args.figures), folder(args), args.quick)
    if not args.figures or {"all", experiments.PART} & set(args.figures):
        experiments.write("parlogna", folder(args), args.quick)


def figures() -> dict[str, list[list[str]]]:
    """The words that make each figure: its own, and those of the one whose rows it shows."""
    every = SPEC["figure"].items()
    own = {n: [[f["of"], n] if "of" in f else [n]] for n, f in every}
    return own | {experiments.PART: [[experiments.PART]]}


def run(words: list[str]) -> int:
    """0: all written."""
    args = parse(words)
    from parlogna import claims
    from parlogna import figures as pictures

    out = folder(args)
    out.mkdir(exist_ok=True)
    if "measure" in args.figures:
        save(measure(), MEASURED)
    simulate(args)
    again = {"again", "measure"} & set(args.figures)
    for number in SPEC["figure"] if again else chosen(args.figures):
        if number in LINKS or not args.quick:
            pictures.draw(number, out)
    if not args.quick:
        claims.write_page()
    print(f"figures: {out}", file=sys.stderr)
    return 0
