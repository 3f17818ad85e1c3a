"""The tuning as a whole.

Every size class its share of the time, launches that break, what was measured before.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ..bench.launch import BenchError
from ..notation.units import show_size
from .candidates import LIBRARY
from .race import Answer, Outcome, Plan, Race, Request
from .session import Lost, Session
from .state import State

#: Launches that may be lost before the tuning gives up.
MOST_LOST = 5


@dataclass(frozen=True)
class SizeClass:
    """What one rule may serve: `low`..`bytes`, measured at `bytes`."""

    collective: str
    low: int
    bytes: int
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """The outcome of a class."""

    of: SizeClass
    outcome: Outcome
    slower: tuple[str, ...]
    dropped: dict[str, str]


class Tuner:
    """Asks a session for what the races need; a context.

    `start` makes a session, and a new one when that was lost.
    """

    def __init__(
        self,
        start: Callable[[], Session],
        plan: Plan,
        progress: Callable[[str], None],
        tell: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ):
        self._start, self._plan, self._progress, self._tell, self._clock = (
            start,
            plan,
            progress,
            tell,
            clock,
        )
        self.session: Session | None = None
        self.lost = 0

    def __enter__(self) -> "Tuner":
        self.session = self._start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(kill=kind is not None)

    def close(self, kill: bool = False) -> None:
        """Ends the session, at once or when it is done."""
        if self.session:
            self.session.close(kill)
            self.session = None

    def run(self, classes: Iterable[SizeClass], state: State, budget: float) -> list[Result]:
        """Outcomes of all classes within `budget` seconds.

        What could not be decided by then is the library's. `state` keeps what is measured.
        BenchError.
        """
        self._state = state
        classes, end, out = list(classes), self._clock() + budget, []
        for i, one in enumerate(classes):
            race = Race(one.candidates, self._plan)
            for answer in self._state.answers.get((one.collective, one.bytes), []):
                race.take(answer)
            for a, why in self._state.banned.get(one.collective, {}).items():
                race.refuse(a, why)
            finish = self._clock() + max(end - self._clock(), 0) / (len(classes) - i)
            while request := race.next(finish - self._clock()):
                self._progress(
                    f"[{i + 1}/{len(classes)}] {one.collective} {show_size(one.bytes)}: "
                    f"{len(race.alive)} of {len(one.candidates)} left, "
                    f"{request.repetitions} repetitions of {len(request.algorithms)}; "
                    f"{max(end - self._clock(), 0):.0f} s left"
                )
                self._measure(one, race, request)
            o = race.outcome
            assert o is not None
            told = (
                f"{o.best} {o.verdict}, {o.ratio} of the library's time" if o.ratio else o.verdict
            )
            self._tell(
                f"[{i + 1}/{len(classes)}] {one.collective} {show_size(one.bytes)}: {told}: "
                f"{o.serves} serves"
            )
            out.append(Result(one, o, tuple(race.slower), dict(race.dropped)))
        return [self._without_banned(r) for r in out]

    def _without_banned(self, r: Result) -> Result:
        """What has brought a launch down at one size serves none."""
        if r.outcome.serves not in self._state.banned.get(r.of.collective, {}):
            return r
        return replace(
            r,
            outcome=replace(
                r.outcome,
                serves=LIBRARY,
                verdict=f"{r.outcome.verdict}, but it broke down elsewhere",
            ),
        )

    def _measure(self, one: SizeClass, race: Race, request: Request) -> None:
        try:
            answer = self._ask(one, request)
        except Lost as error:
            culprit = self._culprit(one, request, error)
            if culprit:
                why = f"the launch broke down with it at {show_size(one.bytes)}: {error.what}"
                self._state.ban(one.collective, culprit, why)
                race.refuse(culprit, why)
            return
        self._state.keep(one.collective, one.bytes, answer)
        race.take(answer)

    def _ask(self, one: SizeClass, request: Request) -> Answer:
        if not self.session:
            self.session = self._start()
        try:
            return self.session.ask(one.collective, one.bytes, request)
        except Lost as error:
            self.close(kill=True)
            self.lost += 1
            if self.lost >= MOST_LOST:
                raise BenchError(
                    f"{self.lost} launches broke down; what was measured is kept in "
                    f"{self._state.path}. The last one: {error}"
                ) from None
            raise

    def _culprit(self, one: SizeClass, request: Request, error: Lost) -> str | None:
        """Whose call broke the launch.

        Known when it was its first one, else each is tried again beside the library. None: it was
        none of them this time.
        """
        self._tell(
            f"the launch broke down at {one.collective} {show_size(one.bytes)}"
            + (f" in {error.trying}" if error.trying else "; looking for the algorithm")
            + f": {error.what}"
        )
        if error.trying:
            if error.trying == LIBRARY:
                raise BenchError(
                    f"the MPI library's own {one.collective} of {show_size(one.bytes)} breaks "
                    "down; what was measured is kept in "
                    f"{self._state.path}. {error}"
                )
            return error.trying
        for a in request.algorithms[1:]:
            try:
                self._ask(one, Request(request.phase, request.repetitions, (LIBRARY, a)))
            except Lost:
                return a
        return None
