"""Measures runs on local ranks, and fits the parameters of the models to them.

The runs are point-to-point, reductions and several messages at once.
"""

import os
import platform
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .. import _core
from ..bench import launch
from ..bench.compare import spread
from ..errors import UsageError
from ..output.progress import elapsed
from .costs import Costs, costs_of, limit_of
from .fit import OFF, Fit, Point, further_messages, line
from .parameters import UNITS, Parameters

#: Several messages at once are timed up to this size: it is their start-ups that are asked for.
SMALL = 4096


@dataclass(frozen=True)
class Calibration:
    """The parameters, the fits that they are from, and on what they were measured."""

    parameters: Parameters
    fits: tuple[Fit, ...]
    setting: dict[str, Any]
    costs: Costs | None = None  #: of messages, for the packet engine

    def warnings(self) -> list[str]:
        """What a reader must know before using the parameters; nothing where the fits are good."""
        out = [
            (
                f"{fit.what}: {len(fit.off)} of {len(fit.points)} points are off by more than a "
                f"factor of {OFF}"
            )
            for fit in self.fits
            if fit.off
        ]
        zeros = [
            name
            for fit in self.fits
            for name, value in fit.coefficients.items()
            if name in UNITS and value == 0
        ]
        return out + [
            (
                f"{name} fits as 0: nothing of it shows in these runs (other sizes or more "
                "repetitions may tell)"
            )
            for name in zeros
        ]

    def evidence(self) -> dict[str, Any]:
        """For the calibration file: everything measured, and how the fits describe it."""
        fits = [
            {
                "what": f.what,
                "seconds": f.formula,
                "coefficients": f.coefficients,
                "r2": f.r2,
                "weights": "relative errors",
                "points": [
                    asdict(p) | {"fitted": t, "ratio": r}
                    for p, t, r in zip(f.points, f.fitted, f.ratios, strict=True)
                ],
            }
            for f in self.fits
        ]
        messages = {"messages": dict(self.costs.values)} if self.costs else {}
        return {"measured": self.setting, "fits": fits, "warnings": self.warnings()} | messages


def measure(
    mpiexec: str | None, ranks: int, sizes: Sequence[int], repetitions: int, timeout: float = 600
) -> Calibration:
    """Runs hopbine-calibrate and fits.

    UsageError for too few points, BenchError when the run fails.
    """
    if ranks < 3:
        raise UsageError(
            f"--ranks {ranks}: needs at least 3, for what a second message in flight costs"
        )
    if repetitions < 2:
        raise UsageError(f"--repetitions {repetitions}: needs at least 2, for the spread")
    if len(sizes) < 2:
        raise UsageError(f"--sizes has {len(sizes)}: needs at least 2, to tell alpha from beta")
    if max(sizes) >= 1 << 31:
        raise UsageError(f"--sizes up to {max(sizes)}: a message of MPI has less than 2 GiB")
    launcher = launch.find_launcher(mpiexec)
    family = launch.family_of(launcher)
    small = [s for s in sizes if s <= SMALL] or [min(sizes)]
    command = [
        str(launch.measuring_program(family, "calibrate")),
        ",".join(map(str, sizes)),
        ",".join(map(str, small)),
        str(repetitions),
    ]
    with elapsed("measuring"):
        rows = list(launch.csv_rows(launcher, family, ranks, command, {}, timeout))
    setting = {
        "hopbine": _core.version,
        "host": platform.node(),
        "cores": os.cpu_count(),
        "ranks": ranks,
        "launcher": launcher,
        "family": family,
        "repetitions": repetitions,
    }
    return fitted(rows, setting)


def fitted(rows: Sequence[dict[str, str]], setting: dict[str, Any]) -> Calibration:
    """The calibration of what hopbine-calibrate wrote.

    UsageError for too few points, BenchError for a wrong answer.
    """
    points = points_of(rows)
    alone = line(
        "point-to-point", [p for p in points["exchange"] if p.messages == 1], "alpha", "beta"
    )
    reduction = line("reduction", points["reduce"], "call", "gamma")
    many = further_messages(
        [p for p in points["exchange"] if p.messages > 1],
        alone.coefficients["alpha"],
        alone.coefficients["beta"],
    )
    of = alone.coefficients | reduction.coefficients | many.coefficients
    parameters = Parameters(of["alpha"], of["beta"], of["gamma"], of["overhead"], "measured")
    costs = costs_of(points, limit_of(rows), parameters) if points["send"] else None
    return Calibration(
        parameters,
        (alone, reduction, many, *(costs.fits if costs else ())),
        setting,
        costs,
    )


def points_of(rows: Sequence[dict[str, str]]) -> dict[str, list[Point]]:
    """Medians and quartiles of the samples, by kind. BenchError when an answer was wrong."""
    times: dict[tuple[str, int, int], list[float]] = defaultdict(list)
    for row in rows:
        if row["kind"] == "eager":
            continue
        if row["correct"] != "1":
            raise launch.BenchError(
                f"wrong result: {row['kind']} of {row['bytes']} bytes, {row['messages']} messages "
                "at once"
            )
        times[row["kind"], int(row["messages"]), int(row["bytes"])].append(float(row["seconds"]))
    kinds = ("exchange", "reduce", "send", "late", "pack")
    out: dict[str, list[Point]] = {kind: [] for kind in kinds}
    for (kind, messages, size), all_of in times.items():
        if len(all_of) < 2:
            raise UsageError(
                f"{kind} of {size} bytes was timed {len(all_of)} time; two at least are needed "
                "for the spread"
            )
        mid, low, high = spread(all_of)
        out[kind].append(Point(messages, size, len(all_of), mid, low, high))
    return out
