"""The pictures of the Bine page, from its files: Fig. 5, 9 to 11 and 14."""

from pathlib import Path

from bine import evaluation, processes, traffic
from bine.evaluation import SIZES, SPEC
from bine.registry import PAPERS, VIEWS, looked_at
from hopbine.notation.units import show_size
from hopbine.plots import winners
from hopbine.plots.files import save
from shared import engines, results
from shared.comparing import EQUAL, Cell

#: Views of all of the registry, and how files of their pictures end.
REGISTRY = {
    "every algorithm of the registry": "-registry",
    "every one but the machine's own": "-general",
}
ROWS = [show_size(s) for s in SIZES]


def engines_of(out: Path, machine: str) -> list[str]:
    """The engines that a machine's file has."""
    rows = results.read(out / f"times-{machine}.csv.xz")
    return list(dict.fromkeys(row["engine"] for row in rows))


def machines(out: Path) -> list[str]:
    """The machines that have a file."""
    return [m for m in SPEC["machine"] if (out / f"times-{m}.csv.xz").exists()]


def name_of(letter: str) -> str:
    """What a legend calls it."""
    name = SPEC["letters"][letter]
    both = letter.islower() and SPEC["letters"].get(letter.upper()) == name
    return f"{name}, further" if both else name


#: Letters by names of legends.
NAMES = {name_of(k): k for k in SPEC["letters"]}


def best(cell: Cell, letters: str) -> winners.Best | None:
    """What a cell shows: a letter, or the ratio of the next to Bine."""
    letter = cell.best(letters)
    if letter is None:
        return None
    ratio = cell.ratio(letter, letters) or 1.0
    ours = ratio if letter == "B" else cell.ratio("B", letter)
    if ours is not None and 1 / EQUAL <= ours <= EQUAL:
        return winners.Best(SPEC["letters"]["="], "=", 1.0)
    text = f"{ratio:.2f}" if letter == "B" else letter
    return winners.Best(name_of(letter), text, ratio, SPEC["letters"][letter])


def tables(found: list[Cell], letters: str) -> list[winners.Panel]:
    """A panel for each collective."""
    panels = []
    for collective in SPEC["collectives"]:
        here = [c for c in found if c.collective == collective]
        columns = list(dict.fromkeys(c.nodes for c in sorted(here, key=lambda c: c.ranks)))
        shown = {(show_size(c.bytes), c.nodes): best(c, letters) for c in here}
        known = {k: b for k, b in shown.items() if b}
        if known:
            panels.append(winners.Panel(collective, ROWS, columns, known))
    return panels


def won(found: list[Cell], collective: str, letters: str = PAPERS) -> tuple[list[float], int]:
    """Ratios of the cells where Bine is the best by more than 1 %, and the number of all."""
    here = [c for c in found if c.collective == collective]
    ratios = [r for c in here if (r := c.ratio("B", letters)) is not None]
    return [r for r in ratios if r > EQUAL], len(ratios)


def regular(machine: str, found: list[Cell]) -> list[Cell]:
    """The cells of the paper's numbers of nodes."""
    told = set(map(str, evaluation.regular(machine)))
    return [c for c in found if c.nodes in told]


def lead(told: tuple[list[float], int]) -> str:
    """'67 %, 1.62x'."""
    ratios, count = told
    if not count:
        return "-"
    share = f"{100 * len(ratios) / count:.0f} %"
    return f"{share}, {max(ratios):.2f}x" if ratios else share


def draw_machine(out: Path, machine: str) -> None:
    """Heat maps by each engine, for the paper's nodes and for others, and the boxes of all."""
    spec = SPEC["machine"][machine]
    values: dict[str, dict[str, list[float]]] = {c: {} for c in SPEC["collectives"]}
    shares: dict[str, dict[str, str]] = {c: {} for c in SPEC["collectives"]}
    for engine in engines_of(out, machine):
        found = looked_at(out / f"times-{machine}.csv.xz", engine, SIZES)
        told = regular(machine, found)
        kinds = {"": told, "-other": [c for c in found if c not in told]}
        for ending, of in kinds.items():
            panels = tables(of, PAPERS)
            if panels:
                title = f"{spec['title']}: the fastest, or the next over Bine ({engine})"
                picture = winners.tables(panels, NAMES, title)
                save(picture, out / f"fig{spec['figure']}-{machine}-{engine}{ending}.svg")
        if engine == engines.PACKETS:
            draw_registry(out, machine, engine)
        for collective in SPEC["collectives"]:
            ratios, count = won(told, collective)
            values[collective][engine] = ratios
            shares[collective][engine] = (
                f"{engine} {100 * len(ratios) / count:.0f} %" if count else ""
            )
    label = "next over Bine, where Bine is the fastest"
    picture = winners.boxes(values, shares, label, f"{spec['title']}: share and lead of Bine")
    save(picture, out / f"fig{spec['figure']}-{machine}-boxes.svg")


def draw_registry(out: Path, machine: str, engine: str) -> None:
    """Heat maps against all of the registry, with and without what is made for such a machine."""
    spec = SPEC["machine"][machine]
    for view, ending in REGISTRY.items():
        found = looked_at(out / f"times-{machine}.csv.xz", engine, SIZES, view)
        panels = tables(regular(machine, found), VIEWS[view][0])
        if panels:
            title = f"{spec['title']}: {view}\nthe fastest, or the next over Bine ({engine})"
            picture = winners.tables(panels, NAMES, title)
            save(picture, out / f"fig{spec['figure']}-{machine}-{engine}{ending}.svg")


def draw_reductions(out: Path) -> None:
    """Fig. 5."""
    series: dict[str, list[dict]] = {}
    for row in traffic.table(out, "fig5"):
        name = f"{SPEC['machine'][row['machine']]['title']} ({row['source']})"
        keys = ("least", "low", "q1", "median", "q3", "high", "most")
        numbers = {k: float(row[k]) for k in keys}
        series.setdefault(name, []).append(
            numbers | {"at": int(row["nodes"]), "label": row["nodes"]}
        )
    if series:
        label = "reduction of bytes between groups, %"
        title = "allreduce, Bine against binomial (Fig. 5; arrows: outliers, and how far they go)"
        save(winners.quartiles(series, "nodes", label, title, 100 / 3), out / "fig5.svg")


def draw_variants(out: Path) -> None:
    """Fig. 14: the paper's techniques, and all."""
    from bine.variants import PAPERS, TITLES, panel

    shown = [
        panel(out, PAPERS, "the paper's techniques"),
        panel(out, "".join(TITLES), "with derived types and overlapped permuting"),
    ]
    if shown[0].cells:
        names = {name: letter for letter, name in TITLES.items()}
        title = "allgather on LUMI: best technique, gain over recursive doubling (model)"
        save(winners.tables(shown, names, title), out / "fig14.svg")


def draw_processes(out: Path) -> None:
    """Sec. 6.1: heat maps by processes on each node."""
    for machine in processes.TOLD["machines"]:
        found = [c for of in processes.table(out, machine).values() for c in of]
        if found:
            title = SPEC["machine"][machine]["title"]
            text = f"{title}: the fastest, or the next over Bine (nodes x processes, packet)"
            picture = winners.tables(tables(found, PAPERS), NAMES, text)
            save(picture, out / f"processes-{machine}.svg")


def draw(out: Path) -> None:
    """All of them."""
    for machine in machines(out):
        draw_machine(out, machine)
    if (out / "fig5.csv.xz").exists():
        draw_reductions(out)
    draw_processes(out)
    draw_variants(out)
