"""What was found for the tests of claims.toml, and for the cells of Tables 3 to 5."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import fmean, median

from bine import claims, gpus, processes, scale, segments, traffic, variants
from bine.evaluation import HERE, SIZES, SPEC
from bine.figures import regular, won
from bine.registry import PAPERS, looked_at
from hopbine.notation.units import parse_size
from shared import engines
from shared.comparing import EQUAL, Cell, Tally, tally
from shared.judging import Test

ENGINE = engines.PACKETS
#: Found figures by 'CLAIM.TEST'.
Found = dict[str, Callable[[Path], float | None]]
#: Columns of [paper.*], as `tables` of claims.toml names them.
COLUMNS = ("win", "gain", "most_gain", "loss", "drop", "most_drop", "traffic", "most_traffic")


def cells(out: Path, machine: str) -> list[Cell]:
    """By packets, the paper's numbers of nodes, with the larger jobs of [scale]."""
    found = regular(machine, looked_at(out / f"times-{machine}.csv.xz", ENGINE, SIZES))
    known = {(c.nodes, c.collective) for c in found}
    return found + [
        c
        for collective in SPEC["collectives"]
        for c in scale.table(out, machine, collective)
        if (c.nodes, collective) not in known
    ]


def leading(
    out: Path, machine: str, collective: str, sizes: tuple[str, str] = ("1", "512MiB"), at: str = ""
) -> tuple[list[float], int]:
    """Leads of Bine where it is the best of all, and the number of cells."""
    low, high = map(parse_size, sizes)
    of = [c for c in cells(out, machine) if low <= c.bytes <= high and at in ("", c.nodes)]
    return won(of, collective)


def share(out: Path, *what: str) -> float | None:
    """Per cent of cells where Bine is the best of all."""
    ratios, count = leading(out, *what)
    return 100 * len(ratios) / count if count else None


def most(
    out: Path, machine: str, collective: str, low: str = "1", high: str = "512MiB", at: str = ""
) -> float | None:
    """The largest lead of Bine; 1 where it has none."""
    ratios, count = leading(out, machine, collective, (low, high), at)
    return max([1.0, *ratios]) if count else None


def binomial(cell: Cell) -> float | None:
    """Time of the binomial algorithm over Bine's."""
    return cell.ratio("B", SPEC["binomial"].get(cell.collective, "N"))


def highest(machine: str, collectives: list[str], classic: bool) -> float:
    """The largest lead of Bine, per cent: over all others, or over the binomial algorithm."""
    out = HERE / "data"
    if classic:
        of = (binomial(c) for c in cells(out, machine) if c.collective in collectives)
    else:
        of = (most(out, machine, c) for c in collectives)
    return 100 * (max(x for x in of if x is not None) - 1)


def small_bcast(out: Path, machine: str) -> float | None:
    """Mean gain over the library's tree, below 128 KiB, per cent."""
    of = claims.within(out, machine, ENGINE, ("1", "127KiB"), "")
    t = tally(c.ratio("B", "N") for c in of if c.collective == "bcast")
    return t.gain if t else None


def higher_on_leonardo(out: Path) -> float | None:
    """1 where the gain is higher there than on LUMI."""
    both = [small_bcast(out, m) for m in ("lumi", "leonardo")]
    return float(both[1] > both[0]) if None not in both else None  # type: ignore[operator]


def figure_5(out: Path, what: str) -> float | None:
    """The largest reduction; per cent of jobs with more bytes; nodes from 64 on without such."""
    rows = traffic.table(out, "fig5")
    if not rows:
        return None
    if what == "most":
        return max(float(r["most"]) for r in rows)
    if what == "few":
        return 100 * sum(int(r["worse"]) for r in rows) / sum(int(r["jobs"]) for r in rows)
    return fmean(int(r["worse"]) == 0 for r in rows if int(r["nodes"]) >= 64)


def segmented(out: Path, whole: bool) -> float:
    """Numbers of nodes where the ring is ahead of the whole, or segments ahead of the ring."""
    told = []
    for (engine, nodes), of in segments.table(out).items():
        if engine == ENGINE and nodes in segments.TOLD["claimed"]:
            ratios = segments.over_ring(of, segments.SHOWN[-1])
            best = max(r for name, r in ratios.items() if name in segments.SEGMENTED)
            told.append(ratios[segments.TOLD["whole"]] < 1 if whole else best > 1)
    return fmean(told)


def fugaku_over_binomial(out: Path) -> float:
    """The largest time of a binomial algorithm over Bine's."""
    return max(r for c in cells(out, "fugaku") if (r := binomial(c)) is not None)


def one_or_four(out: Path, machine: str, each: int) -> float | None:
    """Per cent by which the example of Sec. 6.1 is ahead of all others."""
    collective, size = processes.EXAMPLE
    for c in processes.table(out, machine)[each]:
        if (c.collective, c.bytes) == (collective, size):
            ratio = c.ratio("B", PAPERS)
            return 100 * (ratio - 1) if ratio else None
    return None


def four_gain_more(out: Path, machine: str) -> float | None:
    """Whether four gain more: the example alone on LUMI, the share of all collectives elsewhere."""
    if machine == "lumi":
        one, four = (one_or_four(out, machine, n) for n in processes.TOLD["each"])
        return float(four > one) if one is not None and four is not None else None
    found = processes.table(out, machine)
    gains = [
        [tally(map(binomial, (c for c in found[n] if c.collective == k))) for n in found]
        for k in SPEC["collectives"]
    ]
    both = [(a.gain, b.gain) for a, b in gains if a and b]
    return fmean(b >= a for a, b in both) if both else None


def of_gpus(out: Path, machine: str, ranks: tuple[int, int], others: str) -> list[float]:
    """Times of others over Bine's, above 4 MiB."""
    of = (c for c in gpus.table(out, machine) if ranks[0] <= c.ranks <= ranks[1])
    ratios = [c.ratio("B", others) for c in of if c.bytes > parse_size("4MiB")]
    return [r for r in ratios if r is not None]


def techniques(out: Path, letter: str, low: str, high: str) -> float | None:
    """Share of the paper's cells of Fig. 14 with this technique where ours is the same."""
    found, same = variants.gains(out), []
    for size, row in zip(SIZES, variants.TOLD["paper"], strict=True):
        for nodes, theirs in zip(variants.TOLD["nodes"], row, strict=True):
            inside = parse_size(low) <= size <= parse_size(high)
            if inside and theirs[0] == letter and (size, nodes) in found:
                same.append(variants.best(found[size, nodes], variants.PAPERS)[0] == letter)
    return fmean(same) if same else None


def permuted(out: Path) -> float | None:
    """The largest gain of permuting."""
    gains = [of["P"] for of in variants.gains(out).values() if "P" in of]
    return max(gains, default=None)


def permuting_longer(out: Path) -> float | None:
    """Median over the sizes, on the most nodes, per cent."""
    last = variants.TOLD["nodes"][-1]
    found = [of["P"] for (_, n), of in variants.gains(out).items() if n == last and "P" in of]
    return median(100 * (1 / g - 1) for g in found) if found else None


def small_alltoall(out: Path) -> float | None:
    """Numbers of nodes of Leonardo where Bine wins half or more of the cells below 16 KiB."""
    of = [c for c in cells(out, "leonardo") if c.bytes < parse_size("16KiB")]
    each = []
    for nodes in dict.fromkeys(c.nodes for c in of):
        ratios, count = won([c for c in of if c.nodes == nodes], "alltoall")
        each += [len(ratios) * 2 >= count] * (count > 0)
    return fmean(each) if each else None


def other_nodes(out: Path) -> float:
    """Machines and collectives whose wins over binomial differ by 25 points at most."""
    near = []
    for machine in SPEC["machine"]:
        every = looked_at(out / f"times-{machine}.csv.xz", ENGINE, SIZES)
        told = regular(machine, every)
        for collective in SPEC["collectives"]:
            both = [
                tally(binomial(c) for c in of if c.collective == collective)
                for of in (told, [c for c in every if c not in told])
            ]
            if both[0] and both[1]:
                near.append(abs(both[0].win - both[1].win) <= 25)
    return fmean(near)


def over_rivals(out: Path, letter: str) -> float | None:
    """Median over the sizes of an allgather on 2,048 nodes of Leonardo, by packets."""
    of = claims.within(out, "leonardo", ENGINE, ("1", "63MiB"), "2048")
    ratios = [r for c in of if c.collective == "allgather" and (r := c.ratio("B", letter))]
    return median(ratios) if ratios else None


def _found() -> Iterator[tuple[str, Callable[[Path], float | None]]]:
    yield "1.doubling", lambda _: claims.boundary("binomial_doubling")
    yield "1.halving", lambda _: claims.boundary("binomial_halving")
    for what in ("most", "few", "small"):
        yield f"5.{what}", partial(figure_5, what=what)
    for claim, machine in (
        ("9a.allreduce", "lumi"),
        ("9b.bcast", "lumi"),
        ("9b.alltoall", "lumi"),
        ("10a.allreduce", "leonardo"),
        ("10b.reduce_scatter", "leonardo"),
        ("11b.allreduce", "fugaku"),
        ("11b.reduce_scatter", "fugaku"),
        ("11b.scatter", "fugaku"),
    ):
        collective = claim.partition(".")[2]
        yield f"{claim}.share", lambda out, m=machine, c=collective: share(out, m, c)
    for claim, machine in (
        ("9a.allreduce", "lumi"),
        ("9b.reduce_scatter", "lumi"),
        ("9b.allgather", "lumi"),
        ("10a.allreduce", "leonardo"),
        ("11b.reduce_scatter", "fugaku"),
    ):
        collective = claim.partition(".")[2]
        yield f"{claim}.most", partial(most, machine=machine, collective=collective)
    yield "9b.permuting.longer", permuting_longer
    alltoall = {"machine": "lumi", "collective": "alltoall", "low": "128KiB", "high": "128KiB"}
    for nodes in ("512", "1024"):
        yield f"9b.alltoall.{nodes}.lead", partial(most, **alltoall, at=nodes)
    yield "5.2.1.lumi", partial(small_bcast, machine="lumi")
    yield "5.2.1.leonardo", partial(small_bcast, machine="leonardo")
    yield "5.2.1.higher", higher_on_leonardo
    yield "10b.allgather.swing", partial(over_rivals, letter="S")
    yield "10b.allgather.sparbit", partial(over_rivals, letter="P")
    yield "10.segments.whole", partial(segmented, whole=True)
    yield "10.segments.segmented", partial(segmented, whole=False)
    yield "11a.alltoall.most", lambda out: most(out, "marenostrum5", "alltoall", "1", "1MiB", "64")
    yield "11b.binomial.most", fugaku_over_binomial
    large = ("fugaku", "allreduce", "128KiB", "64MiB", "32x256")
    yield "11b.allreduce.8192.most", lambda out: most(out, *large)
    yield "8.most", lambda out: most(out, "fugaku", "reduce_scatter", at="32x256")
    for name, each in zip(("one", "four"), processes.TOLD["each"], strict=True):
        yield f"6.1.lumi.{name}", partial(one_or_four, machine="lumi", each=each)
    for machine in processes.TOLD["machines"]:
        yield f"6.1.{machine}.more", partial(four_gain_more, machine=machine)
    nccl = partial(of_gpus, machine="marenostrum5", ranks=(16, 256), others="RT")
    yield "6.2.marenostrum5.always", lambda out: fmean(r >= 1 / EQUAL for r in nccl(out))
    yield "6.2.marenostrum5.most", lambda out: 100 * (max(nccl(out)) - 1)
    many = partial(of_gpus, machine="leonardo", ranks=(512, 512))
    yield "6.2.nccl.within", lambda out: fmean(r >= 1 / 1.07 for r in many(out, others="RT"))
    yield "6.2.mpi.gain", lambda out: 100 * (fmean(many(out, others="M")) - 1)
    yield "14.small.best", partial(techniques, letter="P", low="1", high="2KiB")
    yield "14.small.most", permuted
    yield "14.send.best", partial(techniques, letter="S", low="2KiB", high="16KiB")
    yield "14.blocks.best", partial(techniques, letter="B", low="1", high="512MiB")
    yield "14.two.best", partial(techniques, letter="T", low="1", high="512MiB")
    yield "10b.alltoall.small", small_alltoall
    yield "5.other.nodes.win", other_nodes


FOUND: Found = dict(_found())


def of_tables(out: Path) -> Iterator[tuple[str, Test, float | None]]:
    """Machine, test and figure of each cell of Tables 3 to 5. No loss has no drop."""
    for machine, rows in SPEC["paper"].items():
        if machine not in SPEC["machine"] or not (out / f"times-{machine}.csv.xz").exists():
            continue
        of = cells(out, machine)
        for collective, published in rows.items():
            theirs = dict(zip(COLUMNS, published, strict=True))
            t = tally(binomial(c) for c in of if c.collective == collective)
            ours = _row(out, machine, collective, t)
            for column in COLUMNS:
                if not (column.endswith("drop") and not theirs["loss"]):
                    test = Test(column, "number", theirs[column], unit=" %")
                    yield machine, test, ours[column]


def _row(out: Path, machine: str, collective: str, t: Tally | None) -> dict[str, float | None]:
    """Figures by column."""
    told = [
        float(r["median"])
        for r in traffic.table(out)
        if (r["machine"], r["collective"])
        == (machine, "allreduce" if collective in SPEC["order"] else collective)
    ]
    both = (fmean(told), max(told)) if told else (None, None)
    six = (t.win, t.gain, t.most_gain, t.loss, t.drop, t.most_drop) if t else (None,) * 6
    return dict(zip(COLUMNS, (*six, *both), strict=True))
