"""The file in use.

What hopbine takes by itself with it against the library, in a launch of its own.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..errors import JobError
from .candidates import LIBRARY
from .interval import Interval, ratio
from .race import FEWEST_FRESH, Cost, Request
from .session import Session

#: What hopbine takes when nobody asks for an algorithm by name.
AUTO = "auto"


@dataclass(frozen=True)
class Verified:
    """`ratio`: time with the file over the library's.

    `slower`: so in an interval that is wide enough for all classes to hold together. `ratio` is
    None where the time was up.
    """

    collective: str
    bytes: int
    served: str = ""
    samples: int = 0
    ratio: Interval | None = None
    slower: bool = False


def verify(
    session: Session,
    classes: Sequence[tuple[str, int]],
    repetitions: int,
    confidence: float,
    budget: float,
    progress: Callable[[str], None],
) -> list[Verified]:
    """Every class in turn, within `budget` seconds. Lost."""
    end, out = time.monotonic() + budget, []
    together = 1 - (1 - confidence) / len(
        classes
    )  # by Bonferroni: one class in twenty would else be called slower for nothing
    for i, (collective, size) in enumerate(classes):
        share = max(end - time.monotonic(), 0) / (len(classes) - i)
        first = (
            session.ask(collective, size, Request("verify", 1, (LIBRARY, AUTO))) if share else None
        )
        fitting = Cost.of(first).repetitions(2, share - first.wall) if first else 0
        if fitting < FEWEST_FRESH:
            out.append(Verified(collective, size))
            continue
        progress(f"[{i + 1}/{len(classes)}] verifying {collective} {size} B")
        answer = session.ask(
            collective, size, Request("verify", min(repetitions, fitting), (LIBRARY, AUTO))
        )
        if answer.refused:
            said = "; ".join(f"{a}: {why}" for a, why in answer.refused.items())
            raise JobError(f"{collective} of {size} B cannot be verified: {said}")
        mine, own = answer.samples[AUTO], answer.samples[LIBRARY]
        out.append(
            Verified(
                collective,
                size,
                answer.served[AUTO],
                len(mine),
                ratio(mine, own, confidence),
                ratio(mine, own, together).low > 1,
            )
        )
    return out
