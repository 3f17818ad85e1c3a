"""The tables of a paper's claims: each with its verdict, and how many hold."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from shared.judging import HOLDS, NOT, OTHER, UNKNOWN, Claim, Test, claims

#: The row of the claims themselves.
SENTENCES = "sentences"
#: Figures by 'CLAIM.TEST'; None where there is no file for it.
Figures = Mapping[str, float | None]


def found(of: Mapping[str, Callable[..., float | None]], *where: Any) -> dict[str, float | None]:
    """What comes out of each function; None where a file or its rows are missing."""
    out: dict[str, float | None] = {}
    for name, what in of.items():
        try:
            out[name] = what(*where)
        except (FileNotFoundError, LookupError, ValueError):
            out[name] = None
    return out


def state(claim: Claim, figures: Figures) -> str:
    """The verdict of a claim: the worst of its tests', of those that were run."""
    each = {t.verdict(figures.get(f"{claim.id}.{t.id}")) for t in claim.tests}
    return next((s for s in (NOT, OTHER, HOLDS) if s in each), UNKNOWN)


def shown(claim: Claim, figures: Figures) -> str:
    """A cell of Markdown."""
    if claim.not_run:
        return f"**{UNKNOWN}**"
    return "; ".join(t.text(figures.get(f"{claim.id}.{t.id}")) for t in claim.tests)


def table(
    paper: str,
    heads: Sequence[str],
    ours: Mapping[str, Sequence[str]],
    why: Mapping[str, str],
    figures: Figures,
    tried: Mapping[str, str],
) -> str:
    """Markdown, a row per claim: what the paper says, the verdict, what was found, why.

    `tried`: what experiments show (experiments.told), after the reason.
    """
    every = ["where", "the paper", "verdict", *heads, "why they differ"]
    text = [_line(every), "|---" * len(every) + "|"]
    for claim in claims(paper).values():
        told = ours.get(claim.id, [""] * len(heads))
        reasons = (claim.not_run or why.get(claim.id, ""), tried.get(claim.id, ""))
        reason = ". ".join(filter(None, reasons))
        text.append(_line([*claim.row, shown(claim, figures), *told, reason]))
    return "\n".join(text)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _counted(states: Sequence[str]) -> list[str]:
    """How many there are, of each verdict, and the share that holds of those run."""
    of = Counter(states)
    run = len(states) - of[UNKNOWN]
    share = f"{100 * of[HOLDS] / run:.0f} %" if run else "-"
    return [str(len(states)), *(str(of[s]) for s in (HOLDS, OTHER, NOT, UNKNOWN)), share]


def counts(
    paper: str,
    figures: Figures,
    tried: Collection[str],
    cells: Mapping[str, Sequence[tuple[Test, float | None]]] | None = None,
) -> str:
    """Markdown: verdicts of the sentences of a paper, of their tests, and of cells of tables.

    `tried`: claims that have an experiment, which the last column counts where they do not hold.
    """
    judged = [c for c in claims(paper).values() if c.tests or c.not_run]
    tests = [(t, figures.get(f"{c.id}.{t.id}")) for c in judged for t in c.tests]
    rows = {
        SENTENCES: [state(c, figures) for c in judged],
        "their figures and orders": [t.verdict(x) for t, x in tests],
    } | {name: [t.verdict(x) for t, x in of] for name, of in (cells or {}).items()}
    open_ = [c.id for c in judged if state(c, figures) != HOLDS]
    heads = ["claims", "number", HOLDS, f"holds with {OTHER}", NOT, UNKNOWN, "hold, of those run"]
    heads.append("others with an experiment")
    text = [_line(heads), "|---" * len(heads) + "|"]
    experiments = f"{len(set(open_) & set(tried))} of {len(open_)}"
    for name, states in rows.items():
        text.append(_line([name, *_counted(states), experiments if name == SENTENCES else ""]))
    return "\n".join(text)
