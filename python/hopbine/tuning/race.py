"""One size class: successive halving, then the winner against the library.

The last is on fresh samples.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, inf
from statistics import median

from ..errors import JobError
from .candidates import LIBRARY
from .interval import Interval, ratio

#: Samples of each candidate in the rounds: one to see how long they take, then as many as an
#: interval needs, then growing.
ROUNDS = (1, 7, 12, 20, 40)
#: A candidate is dropped with this confidence: it is looked at after every round, in the company of
#: many.
DROP_CONFIDENCE = 0.99
#: Fewer fresh samples decide nothing.
FEWEST_FRESH = 12


@dataclass(frozen=True)
class Plan:
    """What the statistics are asked for."""

    confidence: float = 0.95
    tolerance: float = 0.03  #: candidates that differ by less are alike
    fresh: int = 60  #: samples that decide between the winner and the library


@dataclass(frozen=True)
class Request:
    """Samples to be taken: so many repetitions of these algorithms.

    Phase "select", "decide" or "verify".
    """

    phase: str
    repetitions: int
    algorithms: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """`samples[a][k]`: seconds of a in repetition k.

    `refused[a]`: why it could not be timed. `wall`: seconds that it all took, `trials` of them
    before the samples. `served[a]`: by what.
    """

    request: Request
    samples: dict[str, list[float]]
    refused: dict[str, str]
    wall: float
    trials: float = 0.0
    served: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Cost:
    """Wall seconds of each algorithm of a request: before its samples, and for each of them."""

    trial: float = 0.0
    sample: float = 0.0

    @staticmethod
    def of(answer: Answer) -> "Cost":
        """As this answer cost."""
        n = len(answer.request.algorithms)
        return Cost(
            answer.trials / n, max(answer.wall - answer.trials, 0) / n / answer.request.repetitions
        )

    def seconds(self, algorithms: int, repetitions: int) -> float:
        """Wall seconds of a whole request."""
        return algorithms * (self.trial + repetitions * self.sample)

    def repetitions(self, algorithms: int, seconds: float) -> int:
        """As many as that time has room for."""
        return max(int((seconds / algorithms - self.trial) / max(self.sample, 1e-9)), 0)


@dataclass(frozen=True)
class Outcome:
    """What serves a size class, and why.

    `ratio` is the best candidate's time over the library's, on fresh samples where `fresh`.
    """

    serves: str
    verdict: str
    best: str = ""
    ratio: Interval | None = None
    library_seconds: float | None = None
    samples: int = 0
    fresh: bool = False


FASTER, ALIKE, SLOWER, UNDECIDED, NOTHING = (
    "faster",
    "not told apart",
    "slower",
    "not decided",
    "no candidate",
)


@dataclass
class Race:
    """Next request and outcome are functions of the answers taken so far (and of the time left).

    An interrupted race goes on from its answers.
    """

    candidates: Sequence[str]
    plan: Plan = Plan()
    alive: list[str] = field(default_factory=list)
    dropped: dict[str, str] = field(
        default_factory=dict
    )  #: why: slower, halved, or what the benchmark said
    slower: list[str] = field(default_factory=list)  #: than the library, with confidence
    rounds: int = 0
    outcome: Outcome | None = None
    _times: dict[str, list[float]] = field(default_factory=dict)
    _cost: Cost = Cost()

    def __post_init__(self) -> None:
        self.alive = list(self.candidates)

    def take(self, answer: Answer) -> None:
        """Counts an answer in.

        RuntimeError when there is nothing to hold the candidates against.
        """
        if LIBRARY in answer.refused:
            raise JobError(
                f"the MPI library's own calls cannot be timed: {answer.refused[LIBRARY]}"
            )
        for a in [
            a
            for a in self.alive
            if a not in answer.samples
            and (answer.request.phase == "select" or a in answer.request.algorithms)
        ]:
            self._drop(a, answer.refused.get(a, "it broke down"))
        self._cost = Cost.of(answer)
        if answer.request.phase == "decide":
            self._decide(answer)
            return
        self.rounds += 1
        for a in (LIBRARY, *self.alive):
            self._times.setdefault(a, []).extend(answer.samples[a])
        if self.rounds > 1:
            self._halve()

    def refuse(self, a: str, why: str) -> None:
        """This candidate cannot be had."""
        self._drop(a, why)

    def _drop(self, a: str, why: str) -> None:
        if a in self.alive:
            self.alive.remove(a)
            self.dropped[a] = why

    def _ratio(self, a: str, of: str, confidence: float) -> Interval:
        return ratio(self._times[a], self._times[of][: len(self._times[a])], confidence)

    def _ranked(self) -> list[str]:
        return sorted(
            self.alive, key=lambda a: self._ratio(a, LIBRARY, self.plan.confidence).middle
        )

    def _halve(self) -> None:
        """Away with what is worse than the best or than the library, then with the worse half."""
        ranked = self._ranked()
        for a in ranked:
            if self._ratio(a, LIBRARY, DROP_CONFIDENCE).low > 1:
                self.slower.append(a)
                self._drop(a, "slower than the library")
            elif a != ranked[0] and self._ratio(a, ranked[0], DROP_CONFIDENCE).low > 1:
                self._drop(a, f"slower than {ranked[0]}")
        for a in self._ranked()[ceil(len(ranked) / 2) :] if len(ranked) > 1 else []:
            self._drop(a, "among the worse half")

    def _settled(self) -> bool:
        """Is there no more to be found out among the candidates?"""
        if self.rounds < 2:
            return False
        if len(self.alive) == 1 or self.rounds >= len(ROUNDS):
            return True
        first, second = self._ranked()[:2]
        near = self._ratio(second, first, self.plan.confidence)
        mine = self._ratio(first, LIBRARY, self.plan.confidence)
        spread = 1 + self.plan.tolerance
        return (near.high <= spread and near.low >= 1 / spread) or (
            len(self.alive) == 2
            and mine.high <= spread * mine.middle
            and mine.low >= mine.middle / spread
        )

    def next(self, seconds_left: float = inf) -> Request | None:
        """What to measure next within that time; None when there is an outcome."""
        if self.outcome:
            return None
        if not self.alive:
            self._lost()
            return None
        if seconds_left <= 0:
            self.outcome = Outcome(LIBRARY, UNDECIDED)
            return None
        fresh = self.plan.fresh
        room = seconds_left - self._cost.seconds(2, fresh)
        if not self._settled():
            repetitions = ROUNDS[self.rounds]
            if self.rounds:  # how long the first one takes is not known
                repetitions = min(
                    repetitions,
                    self._cost.repetitions(1 + len(self.alive), room)
                    if room < inf
                    else repetitions,
                )
            if repetitions > 1 or not self.rounds:
                return Request("select", repetitions, (LIBRARY, *self.alive))
        if room < 0:
            fresh = self._cost.repetitions(2, seconds_left)
        if fresh < FEWEST_FRESH:
            self.outcome = Outcome(LIBRARY, UNDECIDED)
            return None
        return Request("decide", fresh, (LIBRARY, self._ranked()[0]))

    def _lost(self) -> None:
        """Nobody is left: the library serves, and the one that came nearest is told."""
        if not self.slower:
            self.outcome = Outcome(LIBRARY, NOTHING)
            return
        best = min(self.slower, key=lambda a: self._ratio(a, LIBRARY, self.plan.confidence).middle)
        told = self._ratio(best, LIBRARY, self.plan.confidence)
        self.outcome = Outcome(
            LIBRARY, SLOWER, best, told, median(self._times[LIBRARY]), len(self._times[best])
        )

    def _decide(self, answer: Answer) -> None:
        """On samples that had no part in the selection.

        An algorithm chosen from many for its samples looks better in them than it is.
        """
        best = answer.request.algorithms[1]
        if best not in answer.samples:
            return  # refused: the next best one, on fresh samples again
        told = ratio(answer.samples[best], answer.samples[LIBRARY], self.plan.confidence)
        verdict = FASTER if told.high <= 1 else SLOWER if told.low > 1 else ALIKE
        if verdict == SLOWER:
            self.slower.append(best)
        self.outcome = Outcome(
            best if verdict == FASTER else LIBRARY,
            verdict,
            best,
            told,
            median(answer.samples[LIBRARY]),
            len(answer.samples[best]),
            True,
        )
