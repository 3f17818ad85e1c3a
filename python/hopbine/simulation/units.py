"""Speeds as people write them: 400Gb/s, 50 GB/s, 100ns."""

import re

from ..text import short

#: Of seconds, and of bytes per second: all products of them are finite.
LEAST, MOST = 1e-18, 1e18

#: Bytes per second.
_RATES = {
    f"{prefix}{unit}/s": factor * per
    for prefix, factor in (("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12))
    for unit, per in (("b", 1 / 8), ("B", 1.0))
} | {"KiB/s": 2.0**10, "MiB/s": 2.0**20, "GiB/s": 2.0**30, "b/s": 1 / 8, "B/s": 1.0}
_PER_BYTE = "/B"
_TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def _number(text: str, units: dict[str, float], what: str) -> float:
    match = re.fullmatch(
        r"\s*([0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][+-]?[0-9]{1,2})?)\s*([A-Za-z/]*)\s*", text
    )
    if not match or match[2] not in units:
        raise ValueError(f"{what} '{short(text)}' is not a number with one of {', '.join(units)}")
    value = float(match[1]) * units[match[2]]
    if value and not LEAST <= value <= MOST:
        raise ValueError(
            f"{what} '{short(text)}' is not from {LEAST:g} to {MOST:g} in seconds or bytes"
        )
    return value


def parse_bandwidth(text: str, what: str = "bandwidth") -> float:
    """Bytes per second of '400Gb/s' (bits) or '50GB/s' (bytes).

    ValueError, also for nothing per second.
    """
    out = _number(text, _RATES, what)
    if out <= 0:
        raise ValueError(f"{what} '{text}' must be more than zero")
    return out


def parse_time(text: str, what: str = "latency") -> float:
    """Seconds of '100ns'; zero is allowed. ValueError."""
    return _number(text, _TIMES, what)


def parse_per_byte(text: str, what: str) -> float:
    """Seconds per byte of '0.08ns/B' or, the other way round, '12.5GB/s'; '0ns/B' is allowed.

    ValueError.
    """
    if text.strip().endswith(_PER_BYTE):
        return parse_time(text.strip().removesuffix(_PER_BYTE), what)
    if not text.strip().endswith("/s"):
        raise ValueError(
            f"{what} '{text}' is neither a time per byte, as 0.08ns{_PER_BYTE}, nor a rate, as "
            "12.5GB/s"
        )
    return 1 / parse_bandwidth(text, what)


def show_per_byte(seconds: float) -> str:
    """'0.08 ns/B', three digits."""
    return f"{seconds / 1e-9:.3g} ns{_PER_BYTE}"


def show_time(seconds: float) -> str:
    """'12.3 us', three digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return (
                f"{seconds / size:.3g} {unit}"
                if seconds < 1000 * size
                else f"{seconds / size:.0f} {unit}"
            )
    return f"{seconds / 1e-9:.3g} ns"


def show_rate(bytes_per_second: float) -> str:
    """'791 Gb/s'."""
    bits = 8 * bytes_per_second
    for unit, size in (("Tb/s", 1e12), ("Gb/s", 1e9), ("Mb/s", 1e6), ("kb/s", 1e3)):
        if bits >= size:
            return (
                f"{bits / size:.3g} {unit}" if bits < 1000 * size else f"{bits / size:.0f} {unit}"
            )
    return f"{bits:.3g} b/s"
