"""Pictures of traffic: group to group, step by step, and over many jobs as the paper's Fig. 5. Data frames are those of hopbine.counting."""

from pathlib import Path

#: Colours that the colour-blind can tell apart (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
#: The most that Bine can save against binomial trees (Bine SC'25, Sec. 2.4.1).
BOUND = 100 / 3
_UNITS = (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1))


def _figure(width: float, height: float):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _unit(most: float) -> tuple[str, int]:
    return next((u for u in _UNITS if most >= u[1]), _UNITS[-1])


def save(figure, path: str | Path) -> None:
    """Writes svg, png or pdf by the ending of the name. The same figure gives the same bytes. ValueError for other endings."""
    import matplotlib

    ending = Path(path).suffix
    if ending not in (".svg", ".png", ".pdf"):
        raise ValueError(f"{path}: the name must end in .svg, .png or .pdf")
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[ending]
    with matplotlib.rc_context({"svg.hashsalt": "hopbine", "svg.fonttype": "none"}):
        figure.savefig(path, metadata=metadata, dpi=150)


def heat_map(pairs, title: str):
    """Group to group (columns from_group, to_group, moved_bytes): rows send, columns receive, white is nothing."""
    groups = list(dict.fromkeys([*pairs["from_group"], *pairs["to_group"]])) if len(pairs) else ["-"]
    groups.sort(key=lambda g: [int(t) if t.isdigit() else t for t in _tokens(g)])
    at = {g: i for i, g in enumerate(groups)}
    table = [[float("nan")] * len(groups) for _ in groups]
    for a, b, n in zip(pairs["from_group"], pairs["to_group"], pairs["moved_bytes"]) if len(pairs) else ():
        table[at[a]][at[b]] = n
    most = max((n for row in table for n in row if n == n), default=1.0)
    unit, scale = _unit(most)
    side = min(9.0, 3.6 + 0.22 * len(groups))
    figure, axes = _figure(side + 1.0, side)
    shown = axes.imshow([[n / scale for n in row] for row in table], cmap="viridis_r", vmin=0)
    figure.colorbar(shown, ax=axes, label=unit, shrink=0.85)
    step = -(-len(groups) // 32)
    ticks = list(range(0, len(groups), step))
    axes.set_xticks(ticks, [groups[i] for i in ticks], rotation=90, fontsize=8)
    axes.set_yticks(ticks, [groups[i] for i in ticks], fontsize=8)
    axes.set(title=title, xlabel="to", ylabel="from")
    axes.title.set_fontsize(10)
    return figure


def _tokens(name: str) -> list[str]:
    import re

    return re.findall(r"\d+|\D+", name)


def step_bars(steps, title: str):
    """Bytes between groups in each step (columns algorithm, numbering, step, times, global_bytes), algorithms side by side."""
    series: dict[str, list[tuple[str, float]]] = {}
    for a, n, step, times, size in zip(steps["algorithm"], steps["numbering"], steps["step"], steps["times"], steps["global_bytes"]):
        name = a if n == "given" else f"{a} ({n})"
        series.setdefault(name, []).append((f"{step}" if times == 1 else f"{step}\n×{times}", size))
    unit, scale = _unit(max((size for bars in series.values() for _, size in bars), default=1))
    longest = max(len(bars) for bars in series.values())
    figure, axes = _figure(min(14, 3 + 0.35 * longest * max(1, len(series) / 2)), 3.6)
    width = 0.8 / len(series)
    for i, (name, bars) in enumerate(series.items()):
        xs = [x + (i - (len(series) - 1) / 2) * width for x in range(len(bars))]
        drawn = axes.bar(xs, [size / scale for _, size in bars], width, label=name, color=COLOURS[i % len(COLOURS)])
        axes.bar_label(drawn, [label.partition("\n")[2] for label, _ in bars], fontsize=7)
    axes.set_xticks(range(longest), [str(x + 1) for x in range(longest)], fontsize=8)
    axes.set(title=title, xlabel="step (×n: n steps alike)", ylabel=f"{unit} in one such step")
    axes.title.set_fontsize(10)
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def reduction_boxes(jobs, title: str):
    """Columns algorithm, nodes, reduction_pct: a box per algorithm and power of two of nodes, as the paper's Fig. 5, with the number of jobs."""
    rows = [(a, 1 << (n.bit_length() - 1), x) for a, n, x in zip(jobs["algorithm"], jobs["nodes"], jobs["reduction_pct"]) if x is not None]
    bins = sorted({b for _, b, _ in rows})
    names = list(dict.fromkeys(a for a, _, _ in rows))
    exact = {b: all(n == b for n in jobs["nodes"] if b <= n < 2 * b) for b in bins}
    figure, axes = _figure(max(5.0, 1.4 + 1.1 * len(bins) * max(1, len(names) / 1.6)), 4.0)
    width = 0.75 / max(1, len(names))
    hidden = 0
    for i, name in enumerate(names):
        data = [[x for a, b, x in rows if (a, b) == (name, each)] for each in bins]
        drawn = axes.boxplot(data, positions=[x + (i - (len(names) - 1) / 2) * width for x in range(len(bins))], widths=width * 0.85, showfliers=False,
                             patch_artist=True, medianprops={"color": "black"}, manage_ticks=False)
        for box in drawn["boxes"]:
            box.set(facecolor=COLOURS[i % len(COLOURS)], alpha=0.75)
        for k, values in enumerate(data):
            low, high = drawn["whiskers"][2 * k].get_ydata()[1], drawn["whiskers"][2 * k + 1].get_ydata()[1]
            hidden += sum(not low <= x <= high for x in values)
        axes.plot([], [], "s", color=COLOURS[i % len(COLOURS)], label=name)
    counts = [len({k for k, (a, b, _) in enumerate(rows) if (a, b) == (names[0], each)}) for each in bins]
    axes.set_xticks(range(len(bins)), [f"{b}\n{n} jobs" if exact[b] else f"{b}–{2 * b - 1}\n{n} jobs" for b, n in zip(bins, counts)], fontsize=8)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.axhline(BOUND, color="grey", linewidth=0.8, linestyle="--")
    axes.annotate("33.3 %, the most Bine can save against binomial", (0.01, BOUND), xycoords=("axes fraction", "data"), fontsize=7, va="bottom", color="grey")
    axes.set(title=title, xlabel=f"nodes ({hidden} outliers not drawn)" if hidden else "nodes", ylabel="reduction of bytes between groups, %")
    axes.title.set_fontsize(10)
    axes.legend(fontsize=8, frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
    return figure
