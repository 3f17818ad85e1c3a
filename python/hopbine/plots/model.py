"""Time against radix, as Fig. 8 of the generalised collectives' paper.

A line per size, a panel per source. Rows are those of hopbine.model.predict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..bench.sizes import show_size

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_MARKERS = "osD^vPX*"


def curves(rows: list[dict[str, Any]], sources: dict[str, str], title: str) -> Figure:
    """`sources`: keys of the rows' times, and the titles of their panels.

    Where quartiles were measured they are a band. All panels have the same axes.
    """
    from matplotlib import colormaps
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, NullLocator

    sizes, ks = (sorted({r[key] for r in rows}) for key in ("bytes", "k"))
    figure = Figure(figsize=(1.6 + 2.9 * len(sources), 3.9), layout="constrained")
    panels = figure.subplots(1, len(sources), sharex=True, sharey=True, squeeze=False)[0]
    for i, size in enumerate(sizes):
        line = sorted((r for r in rows if r["bytes"] == size), key=lambda r: r["k"])
        colour = colormaps["viridis"](0.9 * i / max(1, len(sizes) - 1))
        for axes, source in zip(panels, sources, strict=True):
            axes.plot(
                [r["k"] for r in line],
                [1e6 * r[source] for r in line],
                color=colour,
                marker=_MARKERS[i % len(_MARKERS)],
                markersize=4,
                linewidth=1.3,
                label=show_size(size),
            )
            if source == "measured":
                axes.fill_between(
                    [r["k"] for r in line],
                    [1e6 * r["measured_low"] for r in line],
                    [1e6 * r["measured_high"] for r in line],
                    color=colour,
                    alpha=0.2,
                    linewidth=0,
                )
    for axes, label in zip(panels, sources.values(), strict=True):
        axes.set(xscale="log", yscale="log", xlabel="k", title=label)
        axes.xaxis.set_major_locator(FixedLocator(ks[:: -(-len(ks) // 10)]))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.title.set_fontsize(10)
        axes.grid(alpha=0.25)
    panels[0].set_ylabel("time (us)")
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        loc="outside right center",
        fontsize=8,
        title="vector",
        title_fontsize=8,
    )
    figure.suptitle(title, fontsize=11)
    return figure
