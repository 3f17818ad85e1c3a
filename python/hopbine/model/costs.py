"""What messages cost the ranks of a node, for the packet engine: the table [messages].

From the rows that src/bench/calibrate_messages.h describes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..machines.messages import KEYS
from .fit import Fit, Point, constant, line, runs_of_blocks
from .parameters import Parameters

#: The longest message that hopbine-calibrate tries: where none waits there is no limit.
MOST_EAGER = 4 << 20
#: Lines that say what a description's [messages] has besides.
NOT_MEASURED = (
    "# latency of [messages], between nodes, is not measured: the ranks share a node",
    "# eager and unexpected_bandwidth are those inside a node; a network's may differ",
)


@dataclass(frozen=True)
class Costs:
    """Values by the keys of [messages], in seconds, bytes/s and bytes, and the fits behind them."""

    values: Mapping[str, float]
    fits: tuple[Fit, ...]


def limit_of(rows: Sequence[Mapping[str, str]]) -> int:
    """The eager limit that was found; MOST_EAGER: none."""
    return next((int(row["bytes"]) for row in rows if row["kind"] == "eager"), MOST_EAGER)


def costs_of(points: Mapping[str, Sequence[Point]], limit: int, of: Parameters) -> Costs:
    """Fits the points, and takes from the parameters what they tell of a message inside a node.

    A ping-pong's alpha is send, inside_latency and receive. Keys of which nothing shows are left
    out: the default holds.
    """
    sends = constant("sending", points["send"], "send")
    late, fits = points["late"], [sends]
    if len({p.bytes for p in late}) > 1:
        fits.append(line("receiving what came before", late, "receive", "unexpected"))
    elif late:
        fits.append(constant("receiving what came before", late, "receive"))
    fits.append(runs_of_blocks(points["pack"]))
    found = {name: value for fit in fits for name, value in fit.coefficients.items()}
    times = {
        "send": found["send"],
        "receive": found.get("receive", 0),
        "inside_latency": max(0.0, of.alpha - found["send"] - found.get("receive", 0)),
        "block": found["block"],
    }
    rates = {
        "inside_bandwidth": of.beta,
        "unexpected_bandwidth": found.get("unexpected", 0),
        "reduce_bandwidth": of.gamma,
        "copy_bandwidth": found["copy"],
    }
    values = times | {key: 1 / x for key, x in rates.items() if x > 0}
    values |= {"eager": limit} if limit < MOST_EAGER else {}
    shown = [key for key in KEYS if values.get(key, 0) > 0 or (key == "eager" and key in values)]
    return Costs({key: values[key] for key in shown}, tuple(fits))


def message_lines(costs: Costs) -> list[str]:
    """Lines of a machine's description (docs/machines.md)."""
    shown = {
        "time": lambda x: f"{1e6 * x:.4g} us",
        "bandwidth": lambda x: f"{8e-9 * x:.4g} Gb/s",
        "size": lambda x: f"{x} B",
    }
    lines = [f'{key} = "{shown[KEYS[key]](value)}"' for key, value in costs.values.items()]
    return ["[messages]", *lines]
