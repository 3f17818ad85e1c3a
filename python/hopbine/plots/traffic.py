"""Pictures of traffic: group to group, step by step, and over many jobs as the paper's Fig. 5.

Data frames are those of hopbine.counting.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


#: Colours that the colour-blind can tell apart (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
#: The most that Bine can save against binomial trees (Bine SC'25, Sec. 2.4.1).
BOUND = 100 / 3
_UNITS = (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1))


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _unit(most: float) -> tuple[str, int]:
    return next((u for u in _UNITS if most >= u[1]), _UNITS[-1])


def save(figure: Figure, path: str | Path) -> None:
    """Writes svg, png or pdf by the ending of the name.

    The same figure gives the same bytes. ValueError for other endings.
    """
    import matplotlib

    ending = Path(path).suffix
    if ending not in (".svg", ".png", ".pdf"):
        raise ValueError(f"{path}: the name must end in .svg, .png or .pdf")
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[ending]
    with matplotlib.rc_context({"svg.hashsalt": "hopbine", "svg.fonttype": "none"}):
        figure.savefig(path, metadata=metadata, dpi=150)


def heat_map(pairs: polars.DataFrame, title: str) -> Figure:
    """Group to group (columns from_group, to_group, moved_bytes).

    Rows send, columns receive, white is nothing.
    """
    groups = (
        list(dict.fromkeys([*pairs["from_group"], *pairs["to_group"]])) if len(pairs) else ["-"]
    )
    groups.sort(key=_tokens)
    at = {g: i for i, g in enumerate(groups)}
    table = [[float("nan")] * len(groups) for _ in groups]
    for a, b, n in (
        zip(pairs["from_group"], pairs["to_group"], pairs["moved_bytes"], strict=True)
        if len(pairs)
        else ()
    ):
        table[at[a]][at[b]] = n
    most = max((n for row in table for n in row if n == n), default=1.0)
    unit, scale = _unit(most)
    side = min(9.0, 3.6 + 0.22 * len(groups))
    figure, axes = _figure(side + 1.0, side)
    shown = axes.imshow([[n / scale for n in row] for row in table], cmap="viridis_r", vmin=0)
    figure.colorbar(shown, ax=axes, label=unit, shrink=0.85)
    step = -(-len(groups) // 32)
    ticks = list(range(0, len(groups), step))
    axes.set_xticks(ticks, [_plain(groups[i]) for i in ticks], rotation=90, fontsize=8)
    axes.set_yticks(ticks, [_plain(groups[i]) for i in ticks], fontsize=8)
    axes.set(title=_plain(title), xlabel="to", ylabel="from")
    axes.title.set_fontsize(10)
    return figure


def _tokens(name: str) -> list[tuple[int, int, str]]:
    """Numbers by value, before words."""
    import re

    return [
        (0, int(t), "") if t.isdecimal() else (1, 0, t)
        for t in re.findall(r"[0-9]{1,18}|[^0-9]+", name)
    ]


def _plain(text: str) -> str:
    """Not a formula to matplotlib, whatever dollars a name holds."""
    return text.replace("$", r"\$")


def _series_names(steps: polars.DataFrame) -> list[str]:
    """Of each row: what tells it from the others, so that no two bars share a place."""
    from ..quantities import show_bytes

    several = {c for c in ("collective", "bytes") if c in steps.columns and steps[c].n_unique() > 1}
    names = [
        a if n == "given" else f"{a} ({n})"
        for a, n in zip(steps["algorithm"], steps["numbering"], strict=True)
    ]
    if "collective" in several:
        names = [f"{c} {name}" for c, name in zip(steps["collective"], names, strict=True)]
    if "bytes" in several:
        names = [f"{name}, {show_bytes(b)}" for b, name in zip(steps["bytes"], names, strict=True)]
    return names


def step_bars(steps: polars.DataFrame, title: str) -> Figure:
    """Bytes between groups in each step, algorithms side by side.

    Columns are algorithm, numbering, step, times, global_bytes. Where columns collective or bytes
    (of the vector) hold several values, each is a series of its own. ValueError when there is no
    row.
    """
    series: dict[str, list[tuple[int, int, float]]] = {}
    for name, step, times, size in zip(
        _series_names(steps), steps["step"], steps["times"], steps["global_bytes"], strict=True
    ):
        series.setdefault(name, []).append((step, times, size))
    if not series:
        raise ValueError("there are no steps to draw")
    unit, scale = _unit(max(size for bars in series.values() for _, _, size in bars))
    shown = sorted({step for bars in series.values() for step, _, _ in bars})
    at = {step: x for x, step in enumerate(shown)}
    figure, axes = _figure(min(14, 3 + 0.35 * len(shown) * max(1, len(series) / 2)), 3.6)
    width = 0.8 / len(series)
    for i, (name, bars) in enumerate(series.items()):
        xs = [at[step] + (i - (len(series) - 1) / 2) * width for step, _, _ in bars]
        drawn = axes.bar(
            xs,
            [size / scale for _, _, size in bars],
            width,
            label=_plain(name),
            color=COLOURS[i % len(COLOURS)],
        )
        axes.bar_label(
            drawn, ["" if times == 1 else f"×{times}" for _, times, _ in bars], fontsize=7
        )
    every = -(-len(shown) // 40)
    axes.set_xticks(range(0, len(shown), every), [str(step) for step in shown[::every]], fontsize=8)
    axes.set(
        title=_plain(title),
        xlabel="step (×n: with those alike, n steps)",
        ylabel=f"{unit} in one such step",
    )
    axes.title.set_fontsize(10)
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def reduction_boxes(jobs: polars.DataFrame, title: str) -> Figure:
    """A box per algorithm and power of two of nodes, as the Bine paper's Fig. 5.

    Columns job, algorithm, nodes, reduction_pct; the number of jobs is told (rows of one algorithm
    with one name are different jobs). ValueError when no reduction is known.
    """
    from collections import Counter
    from functools import reduce
    from operator import or_

    rows = [
        (a, 1 << (n.bit_length() - 1), x, job)
        for a, n, x, job in zip(
            jobs["algorithm"], jobs["nodes"], jobs["reduction_pct"], jobs["job"], strict=True
        )
        if x is not None and x == x
    ]
    if not rows:
        raise ValueError("there are no reductions to draw")
    bins = sorted({b for _, b, _, _ in rows})
    names = list(dict.fromkeys(a for a, *_ in rows))
    exact = {b: all(n == b for n in jobs["nodes"] if b <= n < 2 * b) for b in bins}
    figure, axes = _figure(max(5.0, 1.4 + 1.1 * len(bins) * max(1, len(names) / 1.6)), 4.0)
    width = 0.75 / max(1, len(names))
    hidden = 0
    for i, name in enumerate(names):
        data = [[x for a, b, x, _ in rows if (a, b) == (name, each)] for each in bins]
        at = [x + (i - (len(names) - 1) / 2) * width for x in range(len(bins))]
        data, at = zip(
            *((values, x) for values, x in zip(data, at, strict=True) if values), strict=True
        )
        drawn = axes.boxplot(
            data,
            positions=at,
            widths=width * 0.85,
            showfliers=False,
            patch_artist=True,
            medianprops={"color": "black"},
            manage_ticks=False,
        )
        for box in drawn["boxes"]:
            box.set(facecolor=COLOURS[i % len(COLOURS)], alpha=0.75)
        for k, values in enumerate(data):
            low, high = (
                drawn["whiskers"][2 * k].get_ydata()[1],
                drawn["whiskers"][2 * k + 1].get_ydata()[1],
            )
            hidden += sum(not low <= x <= high for x in values)
        axes.plot([], [], "s", color=COLOURS[i % len(COLOURS)], label=_plain(name))
    named = {
        each: [Counter(job for a, b, _, job in rows if (a, b) == (name, each)) for name in names]
        for each in bins
    }
    counts = [reduce(or_, named[each]).total() for each in bins]
    axes.set_xticks(
        range(len(bins)),
        [
            f"{b}\n{n} jobs" if exact[b] else f"{b}–{2 * b - 1}\n{n} jobs"
            for b, n in zip(bins, counts, strict=True)
        ],
        fontsize=8,
    )
    axes.axhline(0, color="black", linewidth=0.8)
    axes.axhline(BOUND, color="grey", linewidth=0.8, linestyle="--")
    axes.annotate(
        "33.3 %, the most Bine can save against binomial",
        (0.01, BOUND),
        xycoords=("axes fraction", "data"),
        fontsize=7,
        va="bottom",
        color="grey",
    )
    axes.set(
        title=_plain(title),
        xlabel=f"nodes ({hidden} outliers not drawn)" if hidden else "nodes",
        ylabel="reduction of bytes between groups, %",
    )
    axes.title.set_fontsize(10)
    axes.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.spines[["top", "right"]].set_visible(False)
    return figure
