"""What a start-up, a byte, a reduced byte and a further message in flight cost.

Given or from a calibration file.
"""

import json
import math
from dataclasses import dataclass, field
from typing import Any

from ..errors import MissingFile, UsageError
from ..notation.text import read_json
from ..output.replaced import replaced

#: Units of the numbers of a calibration, for those who read the file without this program.
UNITS = {
    "alpha": "s per message",
    "beta": "s per byte",
    "gamma": "s per byte reduced",
    "overhead": "s per further message in flight of a rank",
}
#: Seconds.
MOST = 1e6
FORMAT = "hopbine_calibration"


@dataclass(frozen=True)
class Parameters:
    """The parameters of the models, in seconds.

    alpha: s per message start; beta: s per byte; gamma: s per byte of a reduction; overhead: s for
    each further message of a rank in flight in the same step (the paper's model has none: perfect
    overlapping, Sec. III-D). UsageError when one is no number from 0 on.
    """

    alpha: float
    beta: float
    gamma: float = 0.0
    overhead: float = 0.0
    source: str = field(default="given", compare=False)  #: where they came from

    def __post_init__(self) -> None:
        for name in UNITS:
            value = getattr(self, name)
            if (
                isinstance(value, bool)
                or not isinstance(value, (int, float))
                or not math.isfinite(value)
                or not 0 <= value <= MOST
            ):
                raise UsageError(
                    f"{name} {value!r} ({self.source}) is not a number of {UNITS[name]} from 0 on"
                )


def toml_lines(parameters: Parameters) -> list[str]:
    """Lines of a machine's description (docs/machines.md) for ranks of one node.

    A parameter that was fitted as 0 has no line: the default holds.
    """
    rates = {"rank_bandwidth": parameters.beta, "reduce_bandwidth": parameters.gamma}
    costs = [f'{key} = "{8e-9 / x:.4g} Gb/s"' for key, x in rates.items() if x > 0]
    if parameters.overhead > 0:
        costs.append(f'overhead = "{1e6 * parameters.overhead:.4g} us"')
    out = ["[costs]", *costs] if costs else []
    if parameters.alpha > 0:
        out = ["[links.node]", f'latency = "{1e6 * parameters.alpha:.4g} us"', *out]
    return out


def save(path: str, parameters: Parameters, evidence: dict[str, Any]) -> None:
    """Writes a calibration file: the parameters, their units, and what tells how good they are."""
    told = {
        FORMAT: 1,
        "parameters": {name: getattr(parameters, name) for name in UNITS},
        "units": UNITS,
    } | evidence
    with replaced(path) as made:
        made.write_text(json.dumps(told, indent=1) + "\n")


def load(path: str) -> Parameters:
    """The parameters of a calibration file.

    UsageError and MissingFile say what is wrong with it.
    """
    try:
        told = read_json(path, "a calibration, it is no JSON")
    except MissingFile:
        raise MissingFile(
            f"calibration {path} is not there (hopbine calibrate writes one)"
        ) from None
    if (
        not isinstance(told, dict)
        or told.get(FORMAT) != 1
        or not isinstance(told.get("parameters"), dict)
    ):
        raise UsageError(
            f'{path} is no calibration of this version: it needs "{FORMAT}": 1 and "parameters"'
        )
    missing = [name for name in UNITS if name not in told["parameters"]]
    if missing:
        raise UsageError(f"calibration {path} has no {', '.join(missing)}")
    return Parameters(**{name: told["parameters"][name] for name in UNITS}, source=path)
