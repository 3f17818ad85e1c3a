"""What a rank sends and receives when, channel by channel.

Events are those of _core.Simulation.flow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .traffic import COLOURS, _plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Begin, duration, message and lane of a bar.
Bar = tuple[float, float, dict[str, Any], int]

#: A picture of more bars is no longer readable.
MOST_EVENTS = 20_000
#: Inches: the time axis, a bar with the space to the next one, what is beside and around the bars.
_WIDTH, _BAR, _SIDE, _AROUND = 11.0, 0.3, 1.15, 1.25
#: Points that a letter of a bar's text takes, and that a line of it is high.
_LETTER, _LINE = 4.0, 7.0
#: Sends are filled, receives hatched, so that they differ without colours.
_LOOKS: dict[bool, dict[str, Any]] = {
    True: {"facecolor": COLOURS[0], "edgecolor": "black"},
    False: {"facecolor": "white", "edgecolor": COLOURS[1], "hatch": "/////"},
}


def timeline(events: Sequence[dict[str, Any]], rank: int, title: str) -> Figure:
    """Bars for all messages of a rank, from when the sender began to when they had left or arrived.

    A row for the sends and one for the receives of each channel, more where messages overlap. Where
    there is room, step and peer are told. ValueError when there is nothing to draw, or too much.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    if not events:
        raise ValueError(f"rank {rank} sends and receives nothing")
    if len(events) > MOST_EVENTS:
        raise ValueError(
            f"rank {rank} has {len(events)} messages, too many for a picture (at most "
            f"{MOST_EVENTS})"
        )
    rows = _rows(events)
    count = sum(len(lanes) for _, _, lanes in rows)
    bar = min(_BAR, 18.0 / count)
    width, height = _WIDTH + _SIDE + 0.25, count * bar + _AROUND
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((_SIDE / width, 0.55 / height, _WIDTH / width, count * bar / height))
    last = max(e["end"] for e in events)
    name, unit = next(
        (u for u in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)) if last >= u[1]), ("ns", 1e-9)
    )
    points = 72 * _WIDTH / (1.03 * last / unit or 1.0)
    y, ticks = 0, []
    for channel, sent, lanes in rows:
        if sent and y:
            axes.axhline(y, color="#9ca3af", linewidth=0.6)
        ticks.append((y + len(lanes) / 2, f"channel {channel} {'sends' if sent else 'receives'}"))
        bars = [
            (e["begin"] / unit, (e["end"] - e["begin"]) / unit, e, y + i)
            for i, lane in enumerate(lanes)
            for e in lane
        ]
        _draw_bars(axes, bars, sent)
        _label(axes, bars, points, 72 * bar * 0.8)
        y += len(lanes)
    axes.set(xlim=(0, 1.03 * last / unit or 1.0), ylim=(y, 0), xlabel=f"time, {name}")
    axes.set_yticks([at for at, _ in ticks], [text for _, text in ticks], fontsize=7.5)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=8)
    axes.xaxis.label.set_fontsize(8)
    axes.spines[["top", "right"]].set_visible(False)
    looks = [Patch(**_LOOKS[True], label="sends"), Patch(**_LOOKS[False], label="receives")]
    figure.legend(
        handles=looks,
        ncols=2,
        fontsize=8,
        frameon=False,
        loc="upper right",
        bbox_to_anchor=(1 - 0.25 / width, 1 - 0.02 / height),
    )
    figure.text(0.12 / width, 1 - 0.2 / height, _plain(title), fontsize=10, va="center")
    how = "3→13: in step 3 to rank 13, 3←6: from rank 6; a number alone is the step"
    figure.text(0.12 / width, 1 - 0.42 / height, how, fontsize=7.5, va="center", color="#4b5563")
    return figure


def _rows(events: Sequence[dict[str, Any]]) -> list[tuple[int, bool, list[list[dict[str, Any]]]]]:
    """(channel, sent, lanes): messages of a lane do not overlap."""
    out = []
    for channel in sorted({e["channel"] for e in events}):
        for sent in (True, False):
            lanes: list[list[dict[str, Any]]] = []
            for e in sorted(
                (e for e in events if (e["channel"], e["sent"]) == (channel, sent)),
                key=lambda e: (e["begin"], e["end"], e["peer"]),
            ):
                free = next(
                    (lane for lane in lanes if lane[-1]["end"] <= e["begin"] * (1 + 1e-9)), None
                )
                if free is None:
                    lanes.append(free := [])
                free.append(e)
            if lanes:
                out.append((channel, sent, lanes))
    return out


def _draw_bars(axes: Axes, bars: list[Bar], sent: bool) -> None:
    """One collection, a bar each."""
    from matplotlib.collections import PolyCollection

    corners = [
        [(x, y + 0.1), (x + w, y + 0.1), (x + w, y + 0.9), (x, y + 0.9)] for x, w, _, y in bars
    ]
    axes.add_collection(
        PolyCollection(
            corners, linewidths=0.6, zorder=2, label="sends" if sent else "receives", **_LOOKS[sent]
        )
    )


def _label(axes: Axes, bars: list[Bar], points: float, high: float) -> None:
    """Step and peer of every message, or the step alone.

    In its bar, else in the gap behind it, else in front of a few of the bars.
    """
    if high < _LINE:
        return
    following: dict[float, float] = {}  # of a lane, where the bar after this one begins
    gaps = []
    for x, _, _, y in reversed(bars):
        gaps.append(following.get(y, float("inf")))
        following[y] = x
    free: dict[float, float] = {}  # of a lane, where the last label ends
    for (x, width, e, y), after in zip(bars, reversed(gaps), strict=True):
        step, peer = str(e["step"]), f"{'→' if e['sent'] else '←'}{e['peer']}"
        inside = _first_fitting((step + peer, f"{step}\n{peer}"), width * points, high)
        behind = (
            ""
            if inside
            else _first_fitting(
                (step + peer, f"{step}\n{peer}", step), (after - x - width) * points, high
            )
        )
        text = inside or behind or step
        half = _width(text) / 2 / points
        at = x + width + half if behind else x + width / 2
        if (
            not (inside or behind)
            and width * points < _width(step)
            and at - 3 * half < free.get(y, float("-inf"))
        ):
            continue
        free[y] = at + half
        covers = not behind and (not e["sent"] or width * points < _width(step))
        axes.text(
            at,
            y + 0.5,
            text,
            fontsize=6.2,
            ha="center",
            va="center_baseline" if "\n" not in text else "center",
            linespacing=0.95,
            zorder=3,
            color="black" if behind or covers else "white",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6} if covers else None,
        )


def _width(text: str) -> float:
    """Points."""
    return (
        max(
            _LETTER * len(line) + 1.5 * (line.count("→") + line.count("←"))
            for line in text.split("\n")
        )
        + 2
    )


def _first_fitting(texts: Sequence[str], wide: float, high: float) -> str:
    """Nothing when none fits."""
    return next((t for t in texts if _width(t) <= wide and (t.count("\n") + 1) * _LINE <= high), "")
