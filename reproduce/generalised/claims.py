"""The tables of the generalised page: the paper's value and ours."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from generalised import cards
from generalised.evaluation import CARDS, PAPER, SIZES, SPEC, files
from generalised.figures import best, by_radix, gains, numbers, of_panel, sources, table
from hopbine import _core
from hopbine.model import counted
from hopbine.model.equations import (
    D_kring,
    D_ring,
    T_i_recursive_doubling,
    T_i_recursive_multiplying,
    T_i_ring,
    T_inter,
    T_intra,
    T_ring_large,
    Terms,
)
from hopbine.model.table import TABLE
from hopbine.notation.units import show_size
from shared import experiments, page, verdicts

P, K = 64, 4  #: of the table of equations: a power, so that equations are exact
LARGE = 1024  #: ranks of eq. (10)


def show(t: Terms) -> str:
    """'6, 5.98, 6'."""
    return f"{t.alpha:.4g}, {t.beta:.4g}, {t.gamma:.4g}"


def equations() -> str:
    """(1) to (14) on 64 ranks, radix 4: as printed and as the schedule has it."""
    text = ["| equation | collective, algorithm | printed | counted | why they differ |"]
    text.append("|---|---|---|---|---|")
    for e in TABLE:
        name = e.named(K)
        told, found = e.printed(P, K), counted.terms(e.collective, name, P)
        why = e.why if show(told) != show(found) else ""
        text.append(
            f"| {e.kernel.equation} | {e.collective} `{name}` | {show(told)} | {show(found)} | "
            f"{why} |"
        )
    return "\n".join([*text, *by_round(), *rings()])


def by_round() -> list[str]:
    """(5), (7), (9): what every round moves; (10): what (8) comes to."""
    doubled, multiplied = range(1, 7), range(1, 4)
    told = [
        ("(5)", "recursive_doubling", [T_i_recursive_doubling("allgather", P, i) for i in doubled]),
        (
            "(7)",
            f"recursive_multiplying:k={K}",
            [T_i_recursive_multiplying("allgather", P, K, i) for i in multiplied],
        ),
        ("(9)", "ring", [T_i_ring("allgather", P)] * (P - 1)),
    ]
    text = []
    for equation, name, printed in told:
        found = counted.rounds("allgather", name, P)
        text.append(
            f"| {equation} | allgather `{name}`, n beta of each round | {betas(printed)} | "
            f"{betas(found)} | |"
        )
    large = counted.terms("allgather", "ring", LARGE)
    text.append(
        f"| (10) | allgather `ring`, {LARGE:,} ranks, n beta | "
        f"{T_ring_large('allgather').beta:g} | {large.beta:.4g} | "
        f"(p - 1) / p; the equation leaves out the {large.alpha:,.0f} alpha too |"
    )
    return text


def betas(rounds: list[Terms]) -> str:
    """'0.25, 0.5', or '63 of 0.01562' where all are equal."""
    each = [f"{t.beta:.4g}" for t in rounds]
    return f"{len(each)} of {each[0]}" if len(set(each)) == 1 else ", ".join(each)


def rings() -> list[str]:
    """(11), (13), (14): rounds inside and between groups, and blocks of a group."""
    groups = [r // K for r in range(P)]
    text = []
    told = {"kring": D_kring(P, P, K), "ring": D_ring(P, P)}
    for algorithm, blocks in told.items():
        given = {"k": K} if algorithm == "kring" else {}
        found = _core.count(_core.Problem("allgather", algorithm, group=groups, parameters=given))
        moved = found["group_out"][0][1] + found["group_in"][0][1]
        if algorithm == "kring":
            rounds = T_intra("allgather", P, K).alpha, T_inter("allgather", P, K).alpha
            between = sum(s[1] for s in found["by_step"] if s[2])
            inside = sum(s[1] for s in found["by_step"] if not s[2])
            text.append(
                f"| (11) | allgather `kring:k={K}`, rounds in groups and between | "
                f"{rounds[0]:g}, {rounds[1]:g} | {inside}, {between} | |"
            )
        equation = "(13)" if algorithm == "kring" else "(14)"
        text.append(
            f"| {equation} | allgather `{algorithm}`, blocks of a group of {K} | {blocks:g} | "
            f"{moved:g} | |"
        )
    return text


def each(what: Callable[[list[dict]], str]) -> Callable[[Path, str], str]:
    """`what` of every source of a panel."""

    def told(out: Path, panel: str) -> str:
        rows = [r for r in table(out, panel[:-1]) if r["panel"] == panel]
        return "; ".join(f"{s}: {what(of_panel(rows, panel, s))}" for s in sources(rows))

    return told


def best_radix(rows: list[dict]) -> str:
    """'8 B 128, 64 B 128, ...'."""
    found = [(s, best(rows, s)) for s in SIZES]
    return ", ".join(f"{show_size(s)} {b[2]}" for s, b in found if b)


def speed_up(rows: list[dict]) -> str:
    """Ranges over both baselines, and where the best is below the usual choice."""
    points = gains(rows)
    default, usual = [p.default for p in points], [p.usual for p in points]
    radices = ", ".join(f"{show_size(p.bytes)} {p.name} {p.k}" for p in points)
    return (
        f"{min(default):.2f} to {max(default):.2f}x over the default radix, {min(usual):.2f} to "
        f"{max(usual):.2f}x over the usual choice ({radices})"
    )


def against(first: int, second: int, kernel: str) -> Callable[[list[dict]], str]:
    """Time of one radix over that of another, by size."""

    def told(rows: list[dict]) -> str:
        of = by_radix(rows, kernel)
        if not {first, second} <= set(of):
            return "-"
        both = [
            (s, of[first][s] / of[second][s]) for s in SIZES if s in of[first] and s in of[second]
        ]
        return ", ".join(f"{show_size(s)} {r:.2f}" for s, r in both)

    return told


def spread(kernel: str) -> Callable[[list[dict]], str]:
    """Slowest over fastest radix, by size."""

    def told(rows: list[dict]) -> str:
        of = by_radix(rows, kernel)
        found = [(s, [t[s] for t in of.values() if s in t]) for s in SIZES]
        return ", ".join(f"{show_size(s)} {max(t) / min(t):.2f}" for s, t in found if t)

    return told


#: Default radix, its classic algorithm.
SAME = [
    ("reduce", "knomial:k=2", "binomial_halving"),
    ("allreduce", "recursive_multiplying:k=2", "recursive_doubling"),
    ("allgather", "kring:k=1", "ring"),
]


def same_costs(out: Path, panel: str) -> str:
    """Whether default radices have the counts of the classic algorithms, on 128 ranks."""
    del out, panel
    words = []
    for collective, ours, classic in SAME:
        both = [counted.rounds(collective, a, 128) for a in (ours, classic)]
        words.append(f"{ours}: {'equal' if both[0] == both[1] else 'other'} in every round")
    return ", ".join(words)


PORTS = (
    "what messages cost decides for small vectors, whatever the number of cards; for large ones a "
    "larger k is the best with more cards (cards, and the table below)"
)
ROOT = (
    "cards: the mean over ranks, which the paper's benchmark prints: who only sends is done at "
    "once, so that fewer rounds pay whatever the root's k - 1 messages cost; for the last rank "
    "(model, lumi) these outweigh the saved rounds"
)
RINGS = (
    "the model lets every round take its slowest message; by packets nobody waits for a round, and "
    "a block's way has as many hops between nodes with every k up to the ranks of a node. Large "
    "blocks of all ranks of a node at once share the one cable between two routers of a group"
)


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper."""

    id: str  #: of claims.toml
    panel: str  #: figure and letter; empty where no figure is needed
    ours: Callable[[Path, str], str]
    why: str = ""


CLAIMS = [
    Claim(
        "7",
        "",
        same_costs,
        "the same messages; what runs of them take: "
        "[performance.md](../performance.md#generalised-against-fixed-algorithms)",
    ),
    Claim(
        "8a",
        "8a",
        each(best_radix),
        ROOT,
    ),
    Claim(
        "8b",
        "8b",
        each(best_radix),
        PORTS,
    ),
    Claim(
        "8c",
        "8c",
        each(best_radix),
        "lowest k of equal ones",
    ),
    Claim("8c.spread", "8c", each(spread("kring")), RINGS),
    Claim(
        "9a",
        "9a",
        each(speed_up),
        "4.5x is what Cray MPI loses where it changes its algorithm; the usual choice here is "
        "Thakur's",
    ),
    Claim(
        "9b",
        "9b",
        each(speed_up),
        "small vectors: as for reduce, the fewer rounds of a k-nomial tree (7 at k = 2, 4 at 4, 2 "
        "at 12) are worth 1.4 to 1.8x with each cost of messages; at 2 MiB model and lumi have 16",
    ),
    Claim(
        "9c",
        "9c",
        each(speed_up),
        PORTS,
    ),
    Claim(
        "9d",
        "9d",
        each(speed_up),
        PORTS,
    ),
    Claim(
        "10a",
        "10a",
        each(against(1024, 128, "knomial")),
        "time of k = 1024 over that of 128: 1,023 messages of the root instead of 127 and a second "
        "round; in the mean over ranks (cards) the root counts as one of 1,024. That so many "
        "messages at once have no place, and are searched for, is not modelled",
    ),
    Claim(
        "10b",
        "10b",
        each(against(2, 4, "recursive_multiplying")),
        "time of k = 2 over that of 4; k = 8 is behind 2 at 8 B only (cards)",
    ),
    Claim(
        "10c",
        "10c",
        each(against(2, 4, "recursive_multiplying")),
        "time of k = 2 over that of 4; by the model bytes decide from 32 KiB on: 15 whole vectors "
        "with k = 4, 10 with k = 2 (eq. (6)). By packets k = 4 is ahead everywhere and 8 from 32 "
        "to 64 KiB only: each of its 7 messages of a round costs 2.1 us",
    ),
    Claim(
        "11a",
        "11a",
        each(best_radix),
        ROOT,
    ),
    Claim(
        "11b",
        "11b",
        each(best_radix),
        PORTS,
    ),
    Claim(
        "11c",
        "11c",
        each(spread("kring")),
        f"slowest over fastest k; {RINGS}",
    ),
]


def claims(out: Path) -> str:
    """Markdown, a row per claim."""
    from generalised.judged import FOUND

    known = numbers(out)
    told = {
        c.id: [c.ours(out, c.panel) if c.panel[:-1] in ("", *known) else "not run"] for c in CLAIMS
    }
    reasons = {c.id: c.why for c in CLAIMS}
    tried = experiments.told("generalised", out)
    found = verdicts.found(FOUND, out)
    return verdicts.table("generalised", ["ours"], told, reasons, found, tried)


def everything(out: Path) -> str:
    """All tables."""
    numbers = [str(n) for n in SPEC[CARDS]["numbers"]]
    best_k = f"### Best k on nodes of {', '.join(numbers[:-1])} and {numbers[-1]} network cards"
    head = f"### Equations, {P} ranks, k = {K}: alpha, n beta, n gamma"
    table = "\n".join(cards.lines(out))
    return f"{claims(out)}\n\n{best_k}\n\n{table}\n\n{head}\n\n{equations()}"


def write_page(out: Path) -> None:
    """Renews the tables of the page. ValueError where a file of theirs is missing."""
    from generalised.judged import FOUND

    page.check([*files(out), *experiments.files("generalised", out)])
    tried = experiments.told("generalised", out)
    counts = verdicts.counts("generalised", verdicts.found(FOUND, out), tried)
    page.write(PAPER, "reproduce/run.py generalised", everything(out), out, counts)
