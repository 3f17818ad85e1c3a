"""The pictures of evaluation.py: `draw` makes those of one figure from the files that are there."""

from collections.abc import Callable
from pathlib import Path

from hopbine.plots import nonuniform as plots
from hopbine.plots.files import save
from parlogna import traffics
from parlogna.evaluation import FOLDER, SHARES, SPEC, data, linked, measured

#: Families of Figs. 12 to 15, in the order of their lines.
COMPARED = (
    *("ParLogNa", "ParLinNa coalesced", "ParLinNa staggered"),
    *("scattered", "spread_out", "pairwise", "MPI_Alltoallv"),
)
COALESCED, STAGGERED = ":staggered=0", ":staggered=1"


def parameter(row: dict, name: str) -> int:
    """A parameter of an algorithm as it is written; what is not written is 0."""
    return next(
        (
            int(word.partition("=")[2])
            for word in row["algorithm"].split(":")
            if word.startswith(f"{name}=")
        ),
        0,
    )


def family(row: dict) -> str:
    """What the paper calls it."""
    name = row["algorithm"].partition(":")[0]
    if name == "parlinna":
        return "ParLinNa staggered" if parameter(row, "staggered") else "ParLinNa coalesced"
    return {"parlogna": "ParLogNa", "mpi": "MPI_Alltoallv"}.get(name, name)


def split(rows: list[dict], key: Callable[[dict], object]) -> dict:
    """Rows by a key, in the order they came."""
    out: dict = {}
    for row in rows:
        out.setdefault(key(row), []).append(row)
    return out


def fastest(rows: list[dict]) -> list[dict]:
    """The fastest row of every family and block size.

    Where ParLinNa was simulated, of its best radix and its best batch.
    """
    out = []
    for of in split(rows, lambda r: (family(r), r["distribution"])).values():
        swept = family(of[0]).startswith("ParLinNa") and "inside" in of[0] and len(of) > 1
        out += whole(of) if swept else [min(of, key=lambda r: r["seconds"])]
    return out


def title(row: dict) -> str:
    """The title of a panel."""
    return f"{row['ranks']:,} ranks" + (
        f", {row['machine']}" if "machine" in row else f", measured ({row['mpi']})"
    )


def of_family(rows: list[dict], *names: str) -> list[dict]:
    """Rows of these families."""
    return [r for r in rows if family(r) in names]


def panels(rows: list[dict]) -> dict[str, list[dict]]:
    """By machine and ranks."""
    return split(rows, title)


def radix(rows: list[dict], _figure: dict):
    """Fig. 6."""
    chosen = [
        r | {"radix": parameter(r, "r"), "series": r.get("machine", "measured")}
        for r in of_family(rows, "ParLogNa")
    ]
    chosen = [r for r in chosen if r["ranks"] == max(r["ranks"] for r in chosen)]
    return plots.by_radix(
        {
            f"{of[0]['ranks']:,} ranks, blocks to {size}": of
            for size, of in split(chosen, plots.largest).items()
        }
    )


def radices(rows: list[dict], _figure: dict):
    """Fig. 7."""
    boxes, lines = {}, {}
    for name, of in panels(rows).items():
        boxes[name] = {
            "ParLogNa": split(
                [r | {"r": parameter(r, "r")} for r in of_family(of, "ParLogNa")], plots.largest
            )
        }
        lines[name] = {
            a: {plots.largest(r): r["seconds"] for r in of_family(of, a)}
            for a in ("MPI_Alltoallv", "pairwise", "spread_out")
            if of_family(of, a)
        }
    return plots.boxes(boxes, lines, "r")


def cells(rows: list[dict], baseline: str) -> dict[tuple[int, str], list[tuple[int, float]]]:
    """Radices of ParLogNa, and how many times faster each is than `baseline`.

    By ranks and largest block.
    """
    out = {}
    for key, of in split(rows, lambda r: (r["ranks"], plots.largest(r))).items():
        (other,) = of_family(of, baseline)
        out[key] = sorted(
            (parameter(r, "r"), other["seconds"] / r["seconds"]) for r in of_family(of, "ParLogNa")
        )
    return out


def ranges(rows: list[dict], figure: dict):
    """Fig. 8, a picture for a machine."""
    baseline = figure["baseline"] if "machine" in rows[0] else "MPI_Alltoallv"
    where = rows[0].get("machine", "measured")
    return plots.ranges(cells(rows, baseline), f"ParLogNa against {baseline}: {where}")


def phases(rows: list[dict], _figure: dict):
    """Fig. 9: simulated inside and between apart, measured as a whole."""
    boxes = {}
    for name, of in panels(rows).items():
        boxes[name] = {}
        for kind in ("ParLinNa coalesced", "ParLinNa staggered"):
            mine = [
                r | {"r": parameter(r, "r"), "batch": parameter(r, "batch")}
                for r in of_family(of, kind)
            ]
            if "machine" not in of[0]:
                boxes[name][kind] = split(
                    [r | {"best": f"{r['r']},{r['batch']}"} for r in mine], plots.largest
                )
                continue
            last = max(r["batch"] for r in mine)
            boxes[name][f"{kind}, inside (r)"] = split(
                [r | {"seconds": r["inside"], "best": r["r"]} for r in mine if r["batch"] == last],
                plots.largest,
            )
            boxes[name][f"{kind}, between (batch)"] = split(
                [r | {"seconds": r["between"], "best": r["batch"]} for r in mine if r["r"] == 2],
                plots.largest,
            )
    return plots.boxes(boxes, {}, "best")


def shares(rows: list[dict], _figure: dict):
    """Fig. 10: the best of each kind. What measured runs spend on what is not known."""
    told = {
        "inside_latency": "inside nodes: latency",
        "inside_overhead": "inside: start-ups",
        "inside_inside": "inside: bytes",
        "inside_packing": "inside: packing",
        "between_latency": "between: latency",
        "between_overhead": "between: start-ups",
        "between_between": "between: bytes",
        "between_packing": "between: packing",
    }
    return plots.stacks(
        {
            name: {
                size: {
                    family(r)[9:]: {told.get(p, p): r[p] for p in SHARES if r[p]}
                    for r in whole(of_size)
                }
                for size, of_size in split(of, plots.largest).items()
            }
            for name, of in panels(rows).items()
        }
    )


def whole(rows: list[dict]) -> list[dict]:
    """Rows of one size: coalesced and staggered ParLinNa with the best radix and the best batch.

    They are put together of the sweep over each (evaluation.phases).
    """
    out = []
    for of in split(rows, family).values():
        inside, between = min(of, key=lambda r: r["inside"]), min(of, key=lambda r: r["between"])
        out.append(
            between
            | {k: v for k, v in inside.items() if k.startswith("inside")}
            | {
                "seconds": inside["inside"] + between["between"],
                "algorithm": (
                    f"parlinna:r={parameter(inside, 'r')}:batch={parameter(between, 'batch')}:"
                    f"staggered={parameter(inside, 'staggered')}"
                ),
            }
        )
    return out


def straight(rows: list[dict], _figure: dict):
    """Fig. 11."""
    return plots.by_size(
        panels_of_best(
            rows, "linear", "spread_out", "pairwise", "exclusive_or", "scattered", "MPI_Alltoallv"
        )
    )


def every(rows: list[dict], _figure: dict):
    """Fig. 12."""
    return plots.by_size(panels_of_best(rows, *COMPARED))


def panels_of_best(rows: list[dict], *names: str) -> dict[str, list[dict]]:
    """The best of these families, by machine and ranks."""
    chosen = {
        name: [r | {"algorithm": family(r)} for r in of_family(fastest(of), *names)]
        for name, of in panels(rows).items()
    }
    return {
        name: sorted(of, key=lambda r: names.index(r["algorithm"])) for name, of in chosen.items()
    }


def by_family(number: str, out: Path) -> dict[str, list[dict]]:
    """Figs. 13 to 15: by case the fastest of each family, for every number of ranks.

    Where a file has iterations, the time of all.
    """
    rows = [r | {"algorithm": family(r), "variant": r["algorithm"]} for r in linked(number, out)]
    panels = {}
    for case, of in split(rows, lambda r: r["case"]).items():
        best = []
        for each in split(of, lambda r: (r["algorithm"], r["ranks"])).values():
            fastest_of = [
                min(same, key=lambda r: r["seconds"])
                for same in split(each, lambda r: r["iteration"]).values()
            ]
            times = {r["iteration"]: r["seconds"] for r in fastest_of}
            seconds = traffics.whole(times) if len(times) > 1 else fastest_of[0]["seconds"]
            best.append(fastest_of[0] | {"seconds": seconds})
        panels[case] = sorted(best, key=lambda r: COMPARED.index(r["algorithm"]))
    return panels


KINDS = {
    "radix": radix,
    "radices": radices,
    "ranges": ranges,
    "phases": phases,
    "shares": shares,
    "straight": straight,
    "best": every,
}


def draw(number: str, out: Path) -> None:
    """Writes figN-MACHINE.svg for every machine, or one where it has all, and figN-measured.svg.

    Figures by packets have one, in the folder `out`.
    """
    figure = SPEC["figure"][number]
    if not figure.get("drawn", True):
        return
    if figure["kind"] == "links":
        save(plots.by_ranks(by_family(number, out)), out / f"fig{number}.svg")
        return
    make, rows, here = KINDS[figure["kind"]], data(number), measured()
    if figure["kind"] == "radix":
        save(make(rows, figure), FOLDER / f"fig{number}.svg")
    else:
        for nth, of in enumerate(split(rows, lambda r: r["machine"]).values()):
            save(make(of, figure), FOLDER / f"fig{number}-{SPEC['machines'][nth]}.svg")
    if here and figure["kind"] != "shares":
        save(make(here, figure), FOLDER / f"fig{number}-measured.svg")
