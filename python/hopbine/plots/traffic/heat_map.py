"""Bytes from each group to each other group, as a table of colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...notation.units import show_bytes
from .. import style
from ..labels import byte_unit, natural, plain

if TYPE_CHECKING:
    import polars
    from matplotlib.figure import Figure

#: More labels than that are not readable.
_MOST_NAMES = 32
#: More cells are not named one by one.
_MOST_TIPS = 1024


def heat_map(pairs: polars.DataFrame, title: str) -> Figure:
    """Draws bytes from group to group: rows send, columns receive, white is nothing.

    The data frame has columns from_group, to_group, moved_bytes.
    """
    moved = pairs.select("from_group", "to_group", "moved_bytes").rows() if len(pairs) else []
    names = dict.fromkeys([*(a for a, _, _ in moved), *(b for _, b, _ in moved)])
    groups = sorted(names or ["-"], key=natural)
    at = {g: i for i, g in enumerate(groups)}
    table = [[float("nan")] * len(groups) for _ in groups]
    for a, b, n in moved:
        table[at[a]][at[b]] = n
    from matplotlib.patches import Rectangle

    unit, scale = byte_unit(max((n for _, _, n in moved if n == n), default=1.0))
    side = min(9.0, 3.6 + 0.22 * len(groups))
    figure = style.figure(side + 1.0, side)
    axes = figure.subplots()
    shown = axes.imshow([[n / scale for n in row] for row in table], cmap=style.AMOUNTS, vmin=0)
    figure.colorbar(shown, ax=axes, label=unit, shrink=0.85)
    if len(moved) <= _MOST_TIPS:
        for a, b, n in moved:
            cell = Rectangle((at[b] - 0.5, at[a] - 0.5), 1, 1, facecolor=style.PAPER, alpha=0)
            style.tip(axes.add_patch(cell), f"{plain(a)} to {plain(b)}: {show_bytes(n)}")
    ticks = range(0, len(groups), -(-len(groups) // _MOST_NAMES))
    labels = [plain(groups[i]) for i in ticks]
    axes.set_xticks(ticks, labels, rotation=90, fontsize=style.FONT_TEXT)
    axes.set_yticks(ticks, labels, fontsize=style.FONT_TEXT)
    axes.set(xlabel="to", ylabel="from")
    style.title(axes, plain(title))
    return figure
