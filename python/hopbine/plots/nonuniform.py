"""The figures of the ParLogNa/ParLinNa paper's evaluation.

Rows have distribution, bytes (its mean), algorithm, seconds, and what each says besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..bench.sizes import show_size
from .traffic import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_MARKERS = "osD^vPX*"
_STACK = (*COLOURS[:2], *COLOURS[3:], COLOURS[2], "#999999", "#000000")
_BOX: dict[str, Any] = {
    "patch_artist": True,
    "showfliers": False,
    "whis": (0, 100),
    "medianprops": {"color": "black"},
    "widths": 0.5,
}


def largest(row: dict[str, Any]) -> str:
    """What a distribution's name says of its size: '16 B' of dist:uniform:16."""
    return show_size(int(float(row["distribution"].split(":")[2])))


def _panels(count: int, width: float, height: float, across: int = 0) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    across = across or min(count, 3)
    down = -(-count // across)
    figure = Figure(figsize=(width * across, height * down + 0.5), layout="constrained")
    flat = list(figure.subplots(down, across, squeeze=False).flat)
    for axes in flat[count:]:
        axes.set_axis_off()
    return figure, flat[:count]


def _plain_ticks(axes: Axes, at: Sequence[float], labels: list[str]) -> None:
    axes.set_xticks(at, labels, fontsize=7, rotation=45 if max(map(len, labels)) > 4 else 0)
    axes.minorticks_off()
    axes.tick_params(axis="y", labelsize=7)


def by_radix(panels: dict[str, list[dict[str, Any]]]) -> Figure:
    """Time over radix, a panel per block size (Fig. 6): rows with `radix`."""
    figure, flat = _panels(len(panels), 3.2, 2.7)
    for axes, (title, rows) in zip(flat, panels.items(), strict=True):
        for i, name in enumerate(dict.fromkeys(r["series"] for r in rows)):
            line = sorted((r for r in rows if r["series"] == name), key=lambda r: r["radix"])
            axes.plot(
                [r["radix"] for r in line],
                [1e3 * r["seconds"] for r in line],
                color=COLOURS[i],
                marker=_MARKERS[i],
                markersize=4,
                linewidth=1.3,
                label=name,
            )
            if "low" in line[0]:
                axes.fill_between(
                    [r["radix"] for r in line],
                    [1e3 * r["low"] for r in line],
                    [1e3 * r["high"] for r in line],
                    color=COLOURS[i],
                    alpha=0.2,
                    linewidth=0,
                )
            best = min(line, key=lambda r: r["seconds"])
            axes.plot(
                [best["radix"]],
                [1e3 * best["seconds"]],
                marker=_MARKERS[i],
                markersize=9,
                color=COLOURS[i],
                linestyle="",
            )
        axes.set_title(title, fontsize=9)
        axes.set(xscale="log", yscale="log", xlabel="r", ylabel="time (ms)")
        ticks = sorted({r["radix"] for r in rows})
        _plain_ticks(
            axes,
            ticks,
            [str(t) if k % -(-len(ticks) // 7) == 0 else "" for k, t in enumerate(ticks)],
        )
        axes.grid(alpha=0.25)
    flat[0].legend(fontsize=7)
    return figure


def boxes(
    panels: dict[str, dict[str, dict[str, list[dict[str, Any]]]]],
    lines: dict[str, dict[str, dict[str, float]]],
    told: str,
    across: int = 2,
) -> Figure:
    """Boxes over all rows of a series and size, a panel for each title (Fig. 7, 9).

    panels[title][series][size]: rows, with the value `told` of the fastest written beneath;
    lines[title][label][size]: seconds.
    """
    figure, flat = _panels(len(panels), 5.6, 3.2, across)
    for axes, (title, series) in zip(flat, panels.items(), strict=True):
        sizes = list(dict.fromkeys(size for of in series.values() for size in of))
        for i, (name, of) in enumerate(series.items()):
            shift = 0.8 * ((i + 0.5) / len(series) - 0.5)
            at = [sizes.index(size) + shift for size in of]
            drawn = axes.boxplot(
                [[1e3 * r["seconds"] for r in rows] for rows in of.values()],
                positions=at,
                **_BOX | {"widths": 0.7 / len(series)},
            )
            for box in drawn["boxes"]:
                box.set_facecolor(COLOURS[i])
                box.set_alpha(0.6)
            axes.plot([], [], color=COLOURS[i], linewidth=6, alpha=0.6, label=name)
            for x, rows in zip(at, of.values(), strict=True):
                best = min(rows, key=lambda r: r["seconds"])
                axes.annotate(
                    str(best[told]),
                    (x, 1e3 * best["seconds"]),
                    xytext=(0, -9),
                    textcoords="offset points",
                    ha="center",
                    fontsize=6,
                    color=COLOURS[i],
                )
        for k, (label, seconds) in enumerate(lines.get(title, {}).items()):
            axes.plot(
                [sizes.index(s) for s in seconds],
                [1e3 * t for t in seconds.values()],
                color="black",
                linestyle=("-", "--", ":")[k % 3],
                marker=_MARKERS[k],
                markersize=4,
                linewidth=1,
                label=label,
            )
        axes.set_title(title, fontsize=9)
        axes.set(yscale="log", ylabel="time (ms)")
        axes.set_xlim(-0.6, len(sizes) - 0.4)
        _plain_ticks(axes, list(range(len(sizes))), sizes)
        axes.margins(y=0.12)
        axes.grid(axis="y", alpha=0.25)
    flat[0].legend(fontsize=7)
    return figure


def ranges(cells: dict[tuple[int, str], list[tuple[int, float]]], title: str) -> Figure:
    """Where ParLogNa is ahead (Fig. 8).

    cells[ranks, size] are pairs of a radix and how many times faster it is. A frame is all radices,
    2 at its left; coloured is what is ahead.
    """
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Rectangle

    figure, (axes,) = _panels(1, 7.5, 4.2)
    ranks = list(dict.fromkeys(p for p, _ in cells))
    sizes = list(dict.fromkeys(size for _, size in cells))
    most = max((gain for cell in cells.values() for _, gain in cell), default=1)
    top = max(most, 1.1)
    norm = LogNorm(1, top)
    for (p, size), cell in cells.items():
        x, y, wide = ranks.index(p), sizes.index(size), 0.84
        unit = wide / len(cell)
        for k, (_, gain) in enumerate(cell):
            if gain > 1:
                axes.add_patch(
                    Rectangle(
                        (x - wide / 2 + k * unit, y - 0.3),
                        unit,
                        0.6,
                        facecolor=colormaps["Reds"](0.15 + 0.85 * float(norm(gain))),
                        linewidth=0,
                    )
                )
        axes.add_patch(
            Rectangle(
                (x - wide / 2, y - 0.3),
                wide,
                0.6,
                facecolor="none",
                edgecolor="#666666",
                linewidth=0.7,
            )
        )
        best = max(cell, key=lambda c: c[1])
        if best[1] > 1:
            axes.annotate(
                f"{best[1]:.1f}x at {best[0]}",
                (x, y),
                ha="center",
                va="center",
                fontsize=6.5,
                color="white" if norm(best[1]) > 0.6 else "black",
            )
    axes.set(
        xlim=(-0.6, len(ranks) - 0.4),
        ylim=(-0.6, len(sizes) - 0.4),
        xlabel="ranks (in each frame r from 2 to the ranks, by doubling)",
        ylabel="largest block",
    )
    axes.set_xticks(range(len(ranks)), [f"{p:,}" for p in ranks], fontsize=8)
    axes.set_yticks(range(len(sizes)), sizes, fontsize=8)
    axes.set_title(title, fontsize=10)
    ticks = [t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500) if t <= top]
    bar = figure.colorbar(
        ScalarMappable(norm, colormaps["Reds"]),
        ax=axes,
        label="times faster",
        ticks=ticks,
        format="%.3g",
    )
    bar.ax.minorticks_off()
    return figure


def stacks(panels: dict[str, dict[str, dict[str, dict[str, float]]]], across: int = 3) -> Figure:
    """Where time goes (Fig. 10).

    panels[title][size][bar] are at most eight parts in seconds, bars side by side under their first
    letters.
    """
    figure, flat = _panels(len(panels), 4.0, 3.0, across)
    parts = list(
        dict.fromkeys(
            part
            for of in panels.values()
            for bars in of.values()
            for bar in bars.values()
            for part in bar
        )
    )
    for axes, (title, of) in zip(flat, panels.items(), strict=True):
        ticks, labels = [], []
        for x, (size, bars) in enumerate(of.items()):
            whole = max(sum(bar.values()) for bar in bars.values())
            for i, (name, bar) in enumerate(bars.items()):
                at, foot = x + 0.8 * ((i + 0.5) / len(bars) - 0.5), 0.0
                for k, part in enumerate(parts):
                    axes.bar(at, bar.get(part, 0) / whole, 0.7 / len(bars), foot, color=_STACK[k])
                    foot += bar.get(part, 0) / whole
                axes.annotate(
                    name[0],
                    (at, foot),
                    xytext=(0, 1),
                    textcoords="offset points",
                    ha="center",
                    fontsize=6,
                )
            ticks.append(x)
            labels.append(f"{size}\n{1e3 * whole:.3g} ms")
        axes.set_title(title, fontsize=9)
        axes.set(ylabel="share of the slower", ylim=(0, 1.12))
        axes.set_xticks(ticks, labels, fontsize=7)
        axes.tick_params(axis="y", labelsize=7)
    handles: list[Any] = [flat[0].bar(0, 0, color=colour) for colour in _STACK[: len(parts)]]
    figure.legend(
        handles,
        parts,
        loc="outside lower center",
        ncols=4,
        fontsize=7,
    )
    return figure


def by_size(panels: dict[str, list[dict[str, Any]]], across: int = 0) -> Figure:
    """Time over block size, a panel each, a line per algorithm (Fig. 11, 12)."""
    figure, flat = _panels(len(panels), 4.6, 3.3, across or min(len(panels), 2))
    names = list(dict.fromkeys(r["algorithm"] for rows in panels.values() for r in rows))
    for axes, (title, rows) in zip(flat, panels.items(), strict=True):
        sizes = list(
            dict.fromkeys(r["distribution"] for r in sorted(rows, key=lambda r: r["bytes"]))
        )
        for i, name in enumerate(names):
            line = [r for r in rows if r["algorithm"] == name]
            axes.plot(
                [sizes.index(r["distribution"]) for r in line],
                [1e3 * r["seconds"] for r in line],
                color=COLOURS[i % len(COLOURS)],
                marker=_MARKERS[i % len(_MARKERS)],
                linestyle="-" if i < len(COLOURS) else "--",
                markersize=4,
                linewidth=1.3,
                label=name,
            )
            if line and "low" in line[0]:
                axes.fill_between(
                    [sizes.index(r["distribution"]) for r in line],
                    [1e3 * r["low"] for r in line],
                    [1e3 * r["high"] for r in line],
                    color=COLOURS[i % len(COLOURS)],
                    alpha=0.15,
                    linewidth=0,
                )
        axes.set_title(title, fontsize=9)
        axes.set(yscale="log", ylabel="time (ms)")
        axes.set_xlabel("blocks (uniform: largest)", fontsize=8)
        _plain_ticks(
            axes,
            list(range(len(sizes))),
            [
                largest({"distribution": d})
                if d.startswith("dist:uniform:")
                else d.removeprefix("dist:")
                for d in sizes
            ],
        )
        axes.grid(alpha=0.25)
    flat[0].legend(fontsize=7)
    return figure
