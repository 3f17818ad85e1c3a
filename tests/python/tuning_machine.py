"""A made-up machine whose samples tuning is tested on."""

import random
from math import inf

from hopbine.tuning.race import Answer, Plan, Race, Request
from hopbine.tuning.session import Lost
from hopbine.tuning.tuner import SizeClass, Tuner

NAMES = tuple(f"a{i}" for i in range(12))


class Machine:
    """Times drawn around a mean of each algorithm; its clock is the time it takes.

    They have a heavy tail and a hiccup that all of a repetition share.
    """

    def __init__(
        self,
        means: dict[str, float],
        seed: int = 0,
        noise: float = 0.1,
        breaks: dict[str, str] | None = None,
    ):
        self.means, self.noise, self.breaks, self.now, self.asked = (
            means,
            noise,
            breaks or {},
            0.0,
            0,
        )
        self.random = random.Random(seed)

    def ask(self, collective: str, size: int, request: Request) -> Answer:
        self.asked += 1
        for a in request.algorithms:
            if a in self.breaks and self.breaks[a] != "refused":
                raise Lost("it has ended", trying=a if self.breaks[a] == "at once" else None)
        refused = {a: "its result is wrong" for a in request.algorithms if a in self.breaks}
        samples = {a: [] for a in request.algorithms if a not in refused}
        for _ in range(request.repetitions):
            shared = self.random.lognormvariate(0, 0.3)
            for a, times in samples.items():
                times.append(
                    self.means.get(a, 1.0)
                    * shared
                    * self.random.lognormvariate(0, self.noise)
                    * (10 if self.random.random() < 0.03 else 1)
                )
        wall = sum(map(sum, samples.values()))
        self.now += wall
        return Answer(request, samples, refused, wall)

    def close(self, kill: bool = False) -> None:
        pass


def race_on(machine: Machine, candidates=NAMES, seconds: float = inf) -> Race:
    race = Race(candidates, Plan())
    while request := race.next(seconds - machine.now):
        race.take(machine.ask("bcast", 8, request))
    return race


def tuner_on(machine: Machine) -> Tuner:
    return Tuner(
        lambda: machine, Plan(), lambda text: None, lambda text: None, clock=lambda: machine.now
    )


def classes(*sizes: int, candidates=NAMES) -> list[SizeClass]:
    return [
        SizeClass("bcast", low, size, candidates)
        for low, size in zip((0, *(s + 1 for s in sizes)), sizes, strict=False)
    ]
