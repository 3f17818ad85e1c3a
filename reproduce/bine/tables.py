"""The tables of the Bine page: counted and simulated beside what the paper has."""

from pathlib import Path
from statistics import fmean

from bine import (
    claims,
    congestion,
    gpus,
    judged,
    measured,
    processes,
    scale,
    segments,
    traffic,
    variants,
)
from bine.evaluation import PAPER, SIZES, SPEC
from bine.figures import engines_of, lead, machines, regular, won
from bine.registry import VIEWS, looked_at
from shared import experiments, page, verdicts
from shared.comparing import EQUAL, Cell, Tally, tally


def performance(t: Tally | None) -> str:
    """'67 %, 7/67; 14 %, 9/13 (63)'."""
    if t is None:
        return "-"
    return (
        f"{t.win:.0f} %, {t.gain:.0f}/{t.most_gain:.0f}; "
        f"{t.loss:.0f} %, {t.drop:.0f}/{t.most_drop:.0f} ({t.count})"
    )


def against_binomial(found: list[Cell], collective: str) -> Tally | None:
    """As Tables 3 to 5 compare."""
    other = SPEC["binomial"].get(collective, "N")
    return tally(c.ratio("B", other) for c in found if c.collective == collective)


def reduction(out: Path, machine: str, collective: str) -> str:
    """Mean and largest of the numbers of nodes' medians."""
    told = [
        float(r["median"])
        for r in traffic.table(out)
        if (r["machine"], r["collective"]) == (machine, collective)
    ]
    return f"{fmean(told):.0f}/{max(told):.0f}" if told else "-"


def traffic_cell(out: Path, machine: str, collective: str) -> str:
    """'11/23', for halves of an allreduce with the reduction against the library's order."""
    own = reduction(out, machine, collective)
    if collective not in SPEC["order"]:
        return own
    return f"{reduction(out, machine, 'allreduce')} (library's order {own})"


def binomial_table(out: Path, machine: str) -> str:
    """Table 3, 4 or 5."""
    engines, told = engines_of(out, machine), SPEC["paper"][machine]
    by = {
        e: regular(machine, looked_at(out / f"times-{machine}.csv.xz", e, SIZES)) for e in engines
    }
    names = [f"{e}" for e in engines]
    text = ["| collective | paper | " + " | ".join(names) + " | measured | traffic: paper | ours |"]
    text.append("|---" * (len(names) + 5) + "|")
    for collective in SPEC["collectives"]:
        win, gain, most, loss, drop, worst, mean, best = told[collective]
        row = [
            collective,
            f"{win} %, {gain}/{most}; {loss} %, {drop}/{worst}",
            *(performance(against_binomial(by[e], collective)) for e in engines),
            performance(tally(measured.of(out, machine, collective, "over_binomial"))),
            f"{mean}/{best}",
            traffic_cell(out, machine, collective),
        ]
        text.append("| " + " | ".join(row) + " |")
    return "\n".join(text)


def measured_lead(out: Path, machine: str, collective: str) -> str:
    """The lead, as lead() has it, in what the authors measured."""
    ratios = measured.of(out, machine, collective, "over_all")
    return lead(([r for r in ratios if r > EQUAL], len(ratios)))


def standing(found: list[Cell], collective: str, letters: str) -> str:
    """'67 %, 1.62x; 80 %': share and largest lead of Bine, and where none is ahead of it."""
    here = [c.ratio("B", letters) for c in found if c.collective == collective]
    known = [r for r in here if r is not None]
    if not known:
        return "-"
    share = 100 * sum(r >= 1 / EQUAL for r in known) / len(known)
    return f"{lead(won(found, collective, letters))}; {share:.0f} %"


def all_table(out: Path) -> str:
    """Where Bine is the fastest of all, its largest lead, and where none is ahead of it."""
    text = ["| machine | engine | " + " | ".join(SPEC["collectives"]) + " |"]
    text.append("|---" * (2 + len(SPEC["collectives"])) + "|")
    for machine in machines(out):
        title = SPEC["machine"][machine]["title"]
        series = {}
        for engine in engines_of(out, machine):
            for view, (letters, _) in VIEWS.items():
                found = looked_at(out / f"times-{machine}.csv.xz", engine, SIZES, view)
                told = regular(machine, found)
                series[f"{engine}, {view}".removesuffix(", ")] = told, letters
                if not view and len(told) < len(found):
                    others = [c for c in found if c not in told]
                    series[f"{engine}, other numbers of nodes"] = others, letters
        shown = {
            name: [standing(found, c, letters) for c in SPEC["collectives"]]
            for name, (found, letters) in series.items()
        }
        shown["measured"] = [measured_lead(out, machine, c) for c in SPEC["collectives"]]
        for name, row in shown.items():
            if any(x != "-" for x in row):
                text.append(f"| {title} | {name} | " + " | ".join(row) + " |")
    return "\n".join(text)


def loads(out: Path) -> str:
    """Load of the busiest link over that of the busiest port, summed over steps."""
    rows = traffic.table(out, "congestion")
    text = ["| machine, nodes | " + " | ".join(SPEC["collectives"]) + " |"]
    text.append("|---" * (1 + len(SPEC["collectives"])) + "|")
    for machine in dict.fromkeys(r["machine"] for r in rows):
        of = {r["collective"]: r for r in rows if r["machine"] == machine}
        nodes = next(iter(of.values()))["nodes"]
        row = [
            f"{float(of[c]['of_bine']):.2f}, {float(of[c]['of_binomial']):.2f}" if c in of else "-"
            for c in SPEC["collectives"]
        ]
        title = SPEC["machine"][machine]["title"]
        text.append(f"| {title}, {nodes} | " + " | ".join(row) + " |")
    return "\n".join(text)


def files(out: Path) -> list[Path]:
    """What the tables are made of."""
    each = {
        "times": SPEC["machine"],
        "processes": SPEC["processes"]["machines"],
        "gpus": SPEC["gpus"]["machines"],
    }
    of_machines = [f"{kind}-{machine}" for kind, machines in each.items() for machine in machines]
    others = ("traffic", "fig5", "congestion", "measured", "segments", "variants", "scale")
    return [out / f"{name}.csv.xz" for name in (*of_machines, *others)]


def everything(out: Path) -> str:
    """All tables."""
    tables = [claims.claims(out)]
    for machine in machines(out):
        spec = SPEC["machine"][machine]
        if "table" in spec:
            tables.append(
                f"### Table {spec['table']}: {spec['title']}\n\n{binomial_table(out, machine)}"
            )
    tables.append(f"### Figures 9 to 11: against all\n\n{all_table(out)}")
    tables.append("### Jobs of the paper's size\n\n" + "\n".join(scale.lines(out)))
    tables.append(f"### Congestion, counted\n\n{loads(out)}")
    tables.append("### Congestion by other jobs\n\n" + "\n".join(congestion.lines(out)))
    tables.append("### Section 5.2.2: segments\n\n" + "\n".join(segments.lines(out)))
    tables.append("### Section 6.1: processes per node\n\n" + "\n".join(processes.lines(out)))
    tables.append("### Section 6.2: GPUs\n\n" + "\n".join(gpus.lines(out)))
    tables.append("### Figure 14\n\n" + "\n".join(variants.lines(out)))
    tables.append("\n".join(variants.counted()))
    return "\n\n".join(tables)


def counts(out: Path) -> str:
    """How many claims hold: of sentences, and of cells of the tables."""
    cells = list(judged.of_tables(out))
    rest = {
        f"Table {SPEC['machine'][m]['table']}": [(t, x) for k, t, x in cells if k == m]
        for m in SPEC["paper"]
    }
    tried = experiments.told("bine", out)
    return verdicts.counts("bine", verdicts.found(judged.FOUND, out), tried, rest)


def write_page(out: Path) -> None:
    """Renews the tables of the page. ValueError where a file of theirs is missing."""
    page.check([*files(out), *experiments.files("bine", out)])
    page.write(PAPER, "reproduce/run.py bine", everything(out), out, counts(out))
