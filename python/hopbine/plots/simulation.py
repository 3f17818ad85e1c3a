"""The figures of the Swing paper's evaluation.

Goodput by size with two insets, gains by size, and their summary. Rows are those of
hopbine.simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..bench.sizes import show_size
from ..simulation.sweep import gains
from ..simulation.units import show_rate, show_time
from .traffic import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_MARKERS = "osD^vPX*"
#: Sizes of the inset with run times (Swing Fig. 6).
_SMALL = 32 << 10


def _short(label: str, labels: list[str]) -> str:
    """The shortest beginning that no other label shares, a capital letter where one is enough."""
    for n in range(1, len(label) + 1):
        if sum(other[:n].lower() == label[:n].lower() for other in labels) == 1:
            return label[:n].capitalize()
    return label


def _ticks(axes: Axes, sizes: list[int], most: int) -> None:
    every = -(-len(sizes) // most)
    axes.set_xscale("log", base=2)
    axes.set_xticks(
        sizes[::every],
        [show_size(s).replace(" ", "") for s in sizes[::every]],
        rotation=45,
        ha="right",
        fontsize=7,
    )
    axes.minorticks_off()


def goodput(
    rows: list[dict[str, Any]], focus: str, peak: float, title: str, aside: Sequence[str] = ()
) -> Figure:
    """Goodput by size.

    Insets: gain of `focus` over the best other curve but those in `aside`, named at each point; run
    times up to 32 KiB.
    """
    from matplotlib.figure import Figure

    labels = list(dict.fromkeys(r["algorithm"] for r in rows))
    sizes = sorted({r["bytes"] for r in rows})
    unit, scale = ("Tb/s", 1e12) if peak * 8 >= 2e12 else ("Gb/s", 1e9)
    figure = Figure(figsize=(9.5, 6.2), layout="constrained")
    main = figure.subplots()
    style: dict[str, dict[str, Any]] = {
        label: {"color": COLOURS[i % len(COLOURS)], "marker": _MARKERS[i % len(_MARKERS)]}
        for i, label in enumerate(labels)
    }
    of = {label: [r for r in rows if r["algorithm"] == label] for label in labels}
    for label, line in of.items():
        main.plot(
            [r["bytes"] for r in line],
            [8 * r["goodput"] / scale for r in line],
            label=f"{label} ({_short(label, labels)})",
            markersize=4.5,
            linewidth=1.4,
            **style[label],
        )
        for before, after in pairwise(line):
            if (
                before["variant"] != after["variant"]
            ):  # from one variant to the next (the large dots of Fig. 6)
                main.plot(
                    [after["bytes"]],
                    [8 * after["goodput"] / scale],
                    markersize=11,
                    linestyle="",
                    **style[label],
                )
    main.axhline(8 * peak / scale, color="black", linewidth=0.8, linestyle=":")
    main.annotate(
        f"peak {show_rate(peak)}",
        (sizes[0], 8 * peak / scale),
        xytext=(0, 3),
        textcoords="offset points",
        fontsize=8,
        va="bottom",
    )
    _ticks(main, sizes, 16)
    main.set(title=title, xlabel="vector", ylabel=f"goodput ({unit})")
    main.set_ylim(0, 1.06 * max(8 * peak / scale, *(8 * r["goodput"] / scale for r in rows)))
    main.grid(alpha=0.25)
    main.legend(loc="center left", bbox_to_anchor=(0.0, 0.47), fontsize=8, framealpha=0.9)
    if len(labels) > 1:
        _gain_inset(
            main.inset_axes((0.06, 0.61, 0.42, 0.29)), gains(rows, focus, aside), focus, labels
        )
    small = [s for s in sizes if s <= _SMALL]
    if len(small) > 1:
        _time_inset(
            main.inset_axes((0.08, 0.1, 0.36, 0.24)),
            {a: [r for r in line if r["bytes"] <= _SMALL] for a, line in of.items()},
            small,
            style,
            labels,
        )
    return figure


def _gain_inset(axes: Axes, gained: list[dict[str, Any]], focus: str, labels: list[str]) -> None:
    axes.plot(
        [g["bytes"] for g in gained],
        [g["gain_pct"] for g in gained],
        color="black",
        linewidth=1,
        marker=".",
        markersize=3,
    )
    for g in gained:
        axes.annotate(
            _short(g["best_other"], labels),
            (g["bytes"], g["gain_pct"]),
            xytext=(0, 3),
            textcoords="offset points",
            fontsize=6,
            ha="center",
        )
    axes.axhline(0, color="black", linewidth=0.6)
    _ticks(axes, [g["bytes"] for g in gained], 7)
    axes.margins(y=0.15)
    axes.tick_params(axis="y", labelsize=7)
    axes.set_ylabel("gain (%)", fontsize=7)
    axes.set_title(f"{focus} over the best other", fontsize=8)


def _time_inset(
    axes: Axes,
    of: dict[str, list[dict[str, Any]]],
    small: list[int],
    style: dict[str, Any],
    labels: list[str],
) -> None:
    fast = min(r["seconds"] for line in of.values() for r in line)
    shown = {a: line for a, line in of.items() if line and line[0]["seconds"] < 20 * fast}
    for label, line in shown.items():
        axes.plot(
            [r["bytes"] for r in line],
            [1e6 * r["seconds"] for r in line],
            linewidth=1,
            markersize=2.5,
            **style[label],
        )
    words = [
        f"{_short(a, labels)} {show_time(line[0]['seconds'])}"
        for a, line in of.items()
        if line and line[0]["bytes"] == small[0]
    ]
    _ticks(axes, small, 6)
    axes.tick_params(axis="y", labelsize=7)
    axes.set_ylabel("time (us)", fontsize=7)
    axes.set_title(f"{show_size(small[0])}: " + ", ".join(words), fontsize=6.5)


def gain_curves(gained: dict[str, list[dict[str, Any]]], focus: str) -> Figure:
    """Gain by size, a line per network; the letters name the best other algorithm."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.5, 4.6), layout="constrained")
    axes = figure.subplots()
    others = list(dict.fromkeys(g["best_other"] for line in gained.values() for g in line))
    for i, (label, line) in enumerate(gained.items()):
        axes.plot(
            [g["bytes"] for g in line],
            [g["gain_pct"] for g in line],
            label=label,
            color=COLOURS[i % len(COLOURS)],
            marker=_MARKERS[i % len(_MARKERS)],
            markersize=4,
            linewidth=1.3,
        )
        for g in line:
            axes.annotate(
                _short(g["best_other"], others),
                (g["bytes"], g["gain_pct"]),
                xytext=(0, 4),
                textcoords="offset points",
                fontsize=6,
                ha="center",
                color=COLOURS[i % len(COLOURS)],
            )
    axes.axhline(0, color="black", linewidth=0.8)
    _ticks(axes, sorted({g["bytes"] for line in gained.values() for g in line}), 16)
    letters = ", ".join(f"{_short(o, others)}: {o}" for o in others)
    axes.set(
        xlabel="vector",
        ylabel="goodput gain (%)",
        title=f"{focus} over the best other algorithm ({letters})",
    )
    axes.title.set_fontsize(10)
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8)
    return figure


def summary(gained: dict[str, list[dict[str, Any]]], focus: str) -> Figure:
    """Box plot of the gains over all sizes, a box per network.

    Quartiles, whiskers at 1.5 times their distance, a triangle at the median (Swing Fig. 15).
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 0.9 + 0.42 * len(gained)), layout="constrained")
    axes = figure.subplots()
    names = list(gained)[::-1]
    values = [[g["gain_pct"] for g in gained[name]] for name in names]
    boxes = axes.boxplot(
        values,
        orientation="horizontal",
        patch_artist=True,
        flierprops={"markersize": 4},
        medianprops={"linestyle": ""},
    )
    for box in boxes["boxes"]:
        box.set_facecolor("#D6E6F2")
    medians = [float(line.get_xdata()[0]) for line in boxes["medians"]]
    axes.plot(medians, range(1, len(names) + 1), linestyle="", marker="^", color=COLOURS[0])
    axes.set_yticks(range(1, len(names) + 1), names, fontsize=8)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set(xlabel="goodput gain (%)", title=f"{focus} over the best other algorithm")
    axes.title.set_fontsize(10)
    axes.grid(axis="x", alpha=0.25)
    return figure
