"""Pictures of schedules, drawn from the schedules: trees as in Figs. 3, 4 and 15 of the Bine paper, butterflies as in Fig. 6.

Ranks stand left to right, time runs down, a dashed line per step, an arrow per message, a box where a rank has data.
"""

from dataclasses import dataclass

from . import _core


@dataclass(frozen=True)
class Message:
    """One send."""

    step: int
    src: int
    dst: int
    blocks: int


def messages(collective: str, algorithm: str, p: int, root: int, parameters: dict[str, int]) -> tuple[int, list[Message]]:
    """Number of steps and all sends of a schedule."""
    schedule = _core.schedule(collective, algorithm, p, root, parameters)
    sends = [Message(step, rank, peer, sum(hi - lo for lo, hi in runs))
             for step in range(schedule.steps) for rank in range(p)
             for way, _, _, peer, runs in schedule.moves(rank, step) if way == "send"]
    return schedule.steps, sends


def is_tree(p: int, sends: list[Message]) -> bool:
    """Does every rank but one get exactly one message, or send exactly one?"""
    return any(sorted(ends) == sorted(set(ends)) and len(ends) == p - 1 for ends in ([m.dst for m in sends], [m.src for m in sends]))


def signed(src: int, dst: int, p: int) -> int:
    """The shorter way round the circle of ranks, with its direction."""
    d = (dst - src) % p
    return d - p if d > p // 2 else d


def unrolled(p: int, root: int, sends: list[Message]) -> dict[int, int]:
    """Places that let every edge of a tree go the shorter way without wrapping, as in Fig. 4: ranks left of the root stand left."""
    place = {root: 0}
    edges = [(m.src, m.dst) for m in sends] + [(m.dst, m.src) for m in sends]
    while len(place) < p:
        for a, b in edges:
            if a in place and b not in place:
                place[b] = place[a] + signed(a, b, p)
    return place if len(set(place.values())) == p else {r: r for r in range(p)}


def holders(collective: str, root: int, p: int, steps: int, sends: list[Message]) -> list[set[int]]:
    """Which ranks have data to pass on before each step, and after the last: for one-to-all schedules those reached so far."""
    if collective in ("bcast", "scatter"):
        rows = [{root}]
        for step in range(steps):
            rows.append(rows[-1] | {m.dst for m in sends if m.step == step})
        return rows
    if collective in ("reduce", "gather"):
        rows = [{root}]
        for step in reversed(range(steps)):
            rows.insert(0, rows[0] | {m.src for m in sends if m.step == step})
        return rows
    return [set(range(p))] * (steps + 1)


def draw(collective: str, algorithm: str, p: int, root: int, parameters: dict[str, int], path: str) -> None:
    """Writes the picture; the format follows the file name (svg, png, pdf)."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "pdf.fonttype": 42})
    import matplotlib.pyplot as plt

    steps, sends = messages(collective, algorithm, p, root, parameters)
    tree = is_tree(p, sends)
    place = unrolled(p, root, sends) if tree and p > 1 else {r: r for r in range(p)}
    left, right = min(place.values()), max(place.values())
    figure, axes = plt.subplots(figsize=(max(4.0, 0.62 * p + 1.6), 1.1 * steps + 1.7))
    for x in place.values():
        axes.plot([x, x], [0, steps], color="0.8", lw=1, zorder=0)
    for step in range(steps):
        axes.plot([left - 0.6, right + 0.6], [step + 0.5] * 2, color="0.75", lw=0.8, ls=(0, (4, 4)), zorder=0)
        axes.text(left - 0.75, step + 0.5, f"step {step}", ha="right", va="center", fontsize=9, color="0.35")
    for m in sends:
        _arrow(axes, m, place, p, tree, left, right)
    for row, ranks in enumerate(holders(collective, root, p, steps, sends)):
        for rank in ranks:
            axes.plot(place[rank], row, marker="s", ms=8, mfc="#e08a1e" if rank == root and tree else "white", mec="#333333", zorder=3)
    for rank, x in place.items():
        axes.text(x, -0.28, str(rank), ha="center", va="bottom", fontsize=10, weight="bold")
        if algorithm.startswith("bine") and p & (p - 1) == 0 and tree:
            digits = f"{_core.rank2nb((rank - root) % p, p):0{max(1, p.bit_length() - 1)}b}"
            axes.text(x, steps + 0.25, digits, ha="center", va="top", fontsize=7, family="monospace", color="0.35")
    title = f"{collective} {algorithm}, p = {p}" + (f", root {root}" if _core.rooted(collective) else "")
    axes.set_title(title, fontsize=11, pad=14)
    axes.set_xlim(left - 2.1, right + 0.9)
    axes.set_ylim(steps + 0.75, -0.75)
    axes.axis("off")
    figure.savefig(path, dpi=150, bbox_inches="tight")
    plt.close(figure)


def _arrow(axes, m: Message, place: dict[int, int], p: int, tree: bool, left: int, right: int) -> None:
    """One message; one that goes round the circle leaves at one edge and comes back at the other."""
    style = {"arrowprops": {"arrowstyle": "-|>", "color": "#1f5fa8", "lw": 1.3, "shrinkA": 5, "shrinkB": 5}, "zorder": 2}
    x0, x1 = place[m.src], place[m.dst]
    way = x1 - x0 if tree else signed(m.src, m.dst, p)
    if tree or x0 + way == x1:
        axes.annotate("", (x1, m.step + 1), (x0, m.step), **style)
        return
    edge0, edge1 = (right + 0.5, left - 0.5) if way > 0 else (left - 0.5, right + 0.5)
    part = abs(edge0 - x0) / abs(way)
    plain = {"arrowprops": {**style["arrowprops"], "arrowstyle": "-", "shrinkB": 0, "ls": (0, (2, 1))}, "zorder": 2}
    axes.annotate("", (edge0, m.step + part), (x0, m.step), **plain)
    axes.annotate("", (x1, m.step + 1), (edge1, m.step + part), arrowprops={**style["arrowprops"], "shrinkA": 0}, zorder=2)
