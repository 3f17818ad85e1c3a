"""hopbine reproduce: the figures of a paper, with what they cost beforehand."""

import importlib
import sys
from dataclasses import dataclass
from typing import Any

from hopbine.errors import UsageError
from hopbine.notation.text import near
from hopbine.output import progress
from shared import costs, sweeping


@dataclass(frozen=True)
class Wanted:
    """What is asked for."""

    paper: str
    figures: tuple[str, ...] = ()  #: none: all
    quick: bool = False
    sources: tuple[str, ...] = ()  #: options of the Bine paper: --jobs FILE, --measured FOLDER

    @property
    def evaluation(self) -> Any:
        """The paper's module."""
        return importlib.import_module(f"{self.paper}.evaluation")

    def calls(self) -> list[list[str]]:
        """The words of each call of the evaluation. UsageError names the figures there are."""
        more = [*self.sources, *(["--quick"] if self.quick else [])]
        if not self.figures:
            return [more]
        known, out = self.evaluation.figures(), []
        for figure in self.figures:
            if figure not in known:
                told = ", ".join(known)
                raise UsageError(
                    f"'{figure}' is no figure of {self.paper}: {told}{near(figure, known)}"
                )
            calls = known[figure]
            out += [[*words, *more] for words in (calls[:1] if self.quick else calls)]
        return out

    def estimate(self) -> costs.Estimate:
        """How long what is left of it will take."""
        with costs.planning() as left:
            for words in self.calls():
                self.evaluation.simulate(self.evaluation.parse(words))
        return costs.estimate(list(dict.fromkeys(left)), sweeping.workers())


def about(estimate: costs.Estimate) -> str:
    """'12 works are left, about 3 min on 2 processes'."""
    seconds, processes = estimate.seconds, sweeping.workers()
    units = ((3600, "h", 1), (60, "min", 0), (1, "s", 0))
    size, unit, digits = next((u for u in units if seconds >= 1.5 * u[0]), units[-1])
    text = f"{estimate.works} works are left, about {seconds / size:.{digits}f} {unit}"
    text += f" on {processes} process{'es' * (processes > 1)}, and at most a minute for pictures"
    if estimate.guessed:
        text += f"; {estimate.guessed} of them as those most alike"
    if estimate.unknown:
        text += f"; {estimate.unknown} of them without a recorded cost are not counted"
    return text


def make(wanted: Wanted, only_estimate: bool, record: bool) -> int:
    """Exit code: 0 where all is made. Tells first how long it takes."""
    named = " ".join([wanted.paper, *wanted.figures])
    told = f"{named}: {about(wanted.estimate())}"
    if only_estimate:
        print(told)
        return 0
    progress.tell(told)

    def run() -> int:
        return max(wanted.evaluation.run(words) for words in wanted.calls())

    code = sweeping.guarded(run, "hopbine reproduce")
    if record:
        costs.save()
        print(f"costs: {costs.FILE}", file=sys.stderr)
    return code
