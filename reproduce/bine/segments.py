"""Sec. 5.2.2: an allreduce whole and in segments, by every engine."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bine.evaluation import COLUMNS, SIZES
from bine.registry import SPEC
from hopbine.notation.units import parse_size, show_size
from shared import engines, places, results, sweeping

TOLD = SPEC["segments"]
SHOWN = [parse_size(s) for s in TOLD["sizes"]]
ENGINES = ("step", engines.COSTS, engines.PACKETS)
SEGMENTED = {TOLD["segmented"].format(n): n for n in TOLD["each"]}
ALGORITHMS = (*TOLD["algorithms"], *SEGMENTED)


def rows(place: places.Place, engine: str, name: str) -> list[dict]:
    """Times of an algorithm."""
    machine, collective = TOLD["machine"], TOLD["collective"]
    packets = engine == engines.PACKETS
    on = engines.by_packets(machine, place) if packets else engines.setup(place, engine)
    seconds = engines.times(on, place, engine, collective, name, SHOWN)
    known = dict(zip(SHOWN, seconds, strict=True))
    told = [
        *(machine, engine, place.nodes, place.ranks, place.source, place.groups, collective, ""),
        *(name, *("" if known.get(s) is None else f"{known[s]:.6g}" for s in SIZES)),
    ]
    return [dict(zip(COLUMNS, told, strict=True))]


def works(sources: places.Sources, quick: bool) -> Iterator[sweeping.Work]:
    """What the file is made of."""
    machine, spec = TOLD["machine"], SPEC["machine"].get(TOLD["machine"])
    for nodes in TOLD["quick" if quick else "nodes"] if spec else ():
        place = places.on_machine(machine, spec, nodes, sources, SPEC["jobs_groups"], SPEC["seed"])
        for engine in ENGINES:
            for name in ALGORITHMS:
                work = f"{place.source} {nodes} {engine} {name}"
                yield work, partial(rows, place, engine, name)


def write(out: Path, sources: places.Sources, quick: bool) -> None:
    """segments.csv.xz."""
    sweeping.collect(out / "segments.csv.xz", works(sources, quick), COLUMNS)


def table(out: Path) -> dict[tuple[str, str], dict[str, dict[int, float]]]:
    """(engine, nodes) -> seconds by algorithm and size. FileNotFoundError before `write`."""
    found: dict[tuple[str, str], dict[str, dict[int, float]]] = {}
    for row in results.read(out / "segments.csv.xz"):
        known = {s: float(row[str(s)]) for s in SHOWN if row[str(s)]}
        found.setdefault((row["engine"], row["nodes"]), {})[row["algorithm"]] = known
    return found


def over_ring(of: dict[str, dict[int, float]], size: int) -> dict[str, float]:
    """Time of the ring over that of Bine's, whole and in each number of segments."""
    return {
        name: of["ring"][size] / of[name][size]
        for name in (TOLD["whole"], *SEGMENTED)
        if size in of.get(name, {}) and size in of["ring"]
    }


def told(out: Path) -> str:
    """512 MiB: ring over Bine, whole and in the best number of segments."""
    words = []
    for (engine, nodes), of in table(out).items():
        ratios = over_ring(of, SHOWN[-1])
        most = max((k for k in ratios if k in SEGMENTED), key=lambda k: ratios[k], default=None)
        if most and nodes in TOLD["claimed"]:
            words.append(
                f"{engine}, {nodes}: {ratios[TOLD['whole']]:.2f} whole, {ratios[most]:.2f} in "
                f"{SEGMENTED[most]} segments"
            )
    if not words:
        raise FileNotFoundError
    return "; ".join(words)


def lines(out: Path) -> list[str]:
    """Markdown: time of the ring over Bine's, whole, then in each number of segments."""
    heads = ["whole", *map(str, TOLD["each"])]
    text = ["| engine | nodes | bytes | " + " | ".join(heads) + " |"]
    text.append("|---" * (3 + len(heads)) + "|")
    for (engine, nodes), of in table(out).items() if (out / "segments.csv.xz").exists() else ():
        for size in SHOWN:
            ratios = over_ring(of, size)
            best = max(ratios.values(), default=0)
            row = []
            for name in (TOLD["whole"], *SEGMENTED):
                value = f"{ratios[name]:.2f}" if name in ratios else "-"
                row.append(f"**{value}**" if ratios.get(name) == best else value)
            text.append(f"| {engine} | {nodes} | {show_size(size)} | " + " | ".join(row) + " |")
    return text
