"""Bytes between groups in each step, as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import UsageError
from ...notation.units import show_bytes
from .. import style
from ..colours import looks
from ..labels import byte_unit, plain

if TYPE_CHECKING:
    import polars
    from matplotlib.figure import Figure

#: Most steps with a number.
_MOST_NUMBERS = 40


def _names(steps: polars.DataFrame) -> list[str]:
    """Name of the series of each row, with the columns in which series differ."""
    several = {c for c in ("collective", "bytes") if c in steps.columns and steps[c].n_unique() > 1}
    names = [
        a if n == "given" else f"{a} ({n})"
        for a, n in zip(steps["algorithm"], steps["numbering"], strict=True)
    ]
    if "baseline" in steps.columns:
        marks = zip(names, steps["baseline"], strict=True)
        names = [f"{name}, baseline" if is_it else name for name, is_it in marks]
    if "collective" in several:
        names = [f"{c} {name}" for c, name in zip(steps["collective"], names, strict=True)]
    if "bytes" in several:
        names = [f"{name}, {show_bytes(b)}" for b, name in zip(steps["bytes"], names, strict=True)]
    return names


def _series(steps: polars.DataFrame) -> dict[str, list[tuple[int, int, float]]]:
    """Bars of each series: step, how often it repeats, and its bytes."""
    out: dict[str, list[tuple[int, int, float]]] = {}
    rows = steps.select("step", "times", "global_bytes").rows() if len(steps) else []
    for name, row in zip(_names(steps), rows, strict=True):
        out.setdefault(name, []).append(row)
    return out


def step_bars(steps: polars.DataFrame, title: str) -> Figure:
    """Draws bytes between groups in each step, algorithms side by side.

    Columns are algorithm, numbering, step, times, global_bytes. Where columns collective or bytes
    (of the vector) have several values, each is a separate series. The series whose rows are true
    in column baseline is named so. UsageError without rows.
    """
    series = _series(steps)
    if not series:
        raise UsageError("there are no steps to draw")
    unit, scale = byte_unit(max(size for bars in series.values() for _, _, size in bars))
    shown = sorted({step for bars in series.values() for step, _, _ in bars})
    at = {step: x for x, step in enumerate(shown)}
    figure = style.figure(min(14, 3 + 0.35 * len(shown) * max(1, len(series) / 2)), 3.6)
    axes = figure.subplots()
    width = 0.8 / len(series)
    names = dict(zip(_names(steps), steps["algorithm"], strict=True))
    shown_as = looks(list(series), [names[name] for name in series])
    for i, ((name, bars), look) in enumerate(zip(series.items(), shown_as, strict=True)):
        drawn = axes.bar(
            [at[step] + (i - (len(series) - 1) / 2) * width for step, _, _ in bars],
            [size / scale for _, _, size in bars],
            width,
            label=plain(name),
            **style.fill(*look),
        )
        for bar, (step, _, size) in zip(drawn, bars, strict=True):
            style.tip(bar, f"{plain(name)}, step {step}: {show_bytes(size)}")
        times = ["" if times == 1 else f"×{times}" for _, times, _ in bars]
        axes.bar_label(drawn, times, fontsize=style.FONT_TICK)
    every = -(-len(shown) // _MOST_NUMBERS)
    numbers = [str(step) for step in shown[::every]]
    axes.set_xticks(range(0, len(shown), every), numbers, fontsize=style.FONT_TEXT)
    axes.set(
        xlabel="step (×n: with those alike, n steps)",
        ylabel=f"{unit} in one such step",
    )
    style.title(axes, plain(title))
    axes.legend(fontsize=style.FONT_TEXT, frameon=False)
    style.open_frame(axes)
    return figure
