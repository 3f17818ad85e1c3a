"""What a message costs the ranks of a node: the table [messages] of a description.

Every key is a cost of the packet engine (src/simulation/hosts.hpp). What a description does not
say there is taken from its other tables, where those have it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..notation.text import near, short
from ..notation.units import parse_bandwidth, parse_size, parse_time

if TYPE_CHECKING:
    from .machine import Machine

#: Keys, and what their values are: times, bandwidths, sizes.
KEYS = {
    "send": "time",
    "receive": "time",
    "latency": "time",
    "eager": "size",
    "inside_latency": "time",
    "inside_bandwidth": "bandwidth",
    "unexpected_bandwidth": "bandwidth",
    "reduce_bandwidth": "bandwidth",
    "block": "time",
    "copy_bandwidth": "bandwidth",
}
#: Latency of a step of NCCL's rings, by protocol: inside a node by NVLink, and between nodes (hwLat
#: of src/graph/tuning.cc, NCCL 2.18).
NCCL = {
    "ll": ("0.6 us", "2.7 us"),
    "ll128": ("1.9 us", "4 us"),
    "simple": ("3.4 us", "14 us"),
}
_READ: dict[str, Callable[[str], float]] = {
    "time": parse_time,
    "bandwidth": parse_bandwidth,
    "size": parse_size,
}
_EXAMPLES = {"time": "0.5 us", "bandwidth": "80 Gb/s", "size": "16 KiB"}


def read_costs(said: Mapping[str, object]) -> dict[str, float]:
    """Seconds, bytes/s and bytes by key. UsageError names the key and what is allowed.

    `nccl`, a protocol, stands for the latencies of its steps where they are not said.
    """
    out = {}
    if "nccl" in said:
        said = _of_nccl(said["nccl"]) | {key: said[key] for key in said if key != "nccl"}
    for key, value in said.items():
        if key not in KEYS:
            known = [*KEYS, "nccl"]
            raise UsageError(
                f"has no key '{short(key)}' (known: {', '.join(known)}){near(key, known)}"
            )
        kind = KEYS[key]
        try:
            if not isinstance(value, str):
                raise UsageError("not a text")
            out[key] = _READ[kind](value)
        except UsageError:
            raise UsageError(
                f'{key} = {short(repr(value))} is not a {kind} like "{_EXAMPLES[kind]}"'
            ) from None
    return out


def _of_nccl(protocol: object) -> dict[str, object]:
    """The latencies of a protocol. UsageError."""
    if not isinstance(protocol, str) or protocol not in NCCL:
        raise UsageError(f"nccl = {short(repr(protocol))} is not one of {', '.join(NCCL)}")
    return dict(zip(("inside_latency", "latency"), NCCL[protocol], strict=True))


def parse_costs(text: str) -> dict[str, float]:
    """'send=0.3us,eager=16KiB'. UsageError."""
    said = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or key in said:
            raise UsageError(
                f"'{short(part)}' of --messages is not KEY=VALUE, each key once, as send=0.3us "
                f"(keys: {', '.join(KEYS)})"
            )
        said[key] = value
    try:
        return read_costs(said)
    except UsageError as error:
        raise UsageError(f"--messages {error}") from None


def costs_of(machine: Machine, transit: float) -> dict[str, float]:
    """What a machine says, by the keys of [messages]; `transit`: cables and routers in a group.

    From other tables: overhead of [ranks] or [costs] for send and receive, each; of [links.local]
    the latency that processors and network leave; the bandwidths of [ranks] or [costs].
    """
    ranks, costs = machine.ranks, machine.costs
    found: dict[str, float | None] = {
        "send": ranks.overhead if ranks else costs.get("overhead"),
        "inside_latency": ranks.latency if ranks else None,
        "inside_bandwidth": ranks.bandwidth if ranks else costs.get("rank_bandwidth"),
        "copy_bandwidth": ranks.copy if ranks else costs.get("memory_bandwidth"),
        "reduce_bandwidth": costs.get("reduce_bandwidth"),
        "block": ranks.pack if ranks else None,
    }
    found["receive"] = found["send"]
    found["unexpected_bandwidth"] = found["copy_bandwidth"]
    out = {key: value for key, value in found.items() if value is not None} | machine.messages
    local = machine.links.get("local")
    if local and local.latency is not None and "latency" not in out:
        out["latency"] = max(
            0.0, local.latency - transit - out.get("send", 0) - out.get("receive", 0)
        )
    return out


def engine_costs(said: Mapping[str, float]) -> dict[str, float]:
    """As the packet engine takes them: bandwidths are seconds per byte there."""
    return {
        key.removesuffix("_bandwidth"): 1 / value if KEYS[key] == "bandwidth" else value
        for key, value in said.items()
    }
