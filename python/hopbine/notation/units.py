"""Quantities with units as people write and read them: sizes, times, rates, shares."""

import operator
import re
from collections.abc import Iterable, Sequence

from ..errors import UsageError
from .text import short

#: Bytes of one size.
MOST_BYTES = 1 << 62
_SIZES = {
    "": 1,
    "b": 1,
    "kib": 1 << 10,
    "mib": 1 << 20,
    "gib": 1 << 30,
    "k": 1 << 10,
    "m": 1 << 20,
    "g": 1 << 30,
    "kb": 1000,
    "mb": 10**6,
    "gb": 10**9,
}
#: What ends in a lower-case b are bits, as in rates; what to write instead.
_BYTES_OF = {"kb": "kB or KiB", "mb": "MB or MiB", "gb": "GB or GiB"}

#: The least and the most seconds, and bytes per second: all products of them are finite.
LEAST, MOST = 1e-18, 1e18
#: Bytes per second.
_RATES = {
    f"{prefix}{unit}/s": factor * per
    for prefix, factor in (("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12))
    for unit, per in (("b", 1 / 8), ("B", 1.0))
} | {"KiB/s": 2.0**10, "MiB/s": 2.0**20, "GiB/s": 2.0**30, "b/s": 1 / 8, "B/s": 1.0}
_PER_BYTE = "/B"
_TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}

#: What is shown, largest first.
_BINARY = (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))
_SECONDS = tuple(_TIMES.items())
_BITS = (("Tb/s", 1e12), ("Gb/s", 1e9), ("Mb/s", 1e6), ("kb/s", 1e3), ("b/s", 1.0))


def parse_size(text: str) -> int:
    """Bytes of '8', '64KiB', '1.5 MB' (KiB and K are 1024, kB is 1000).

    UsageError says what is allowed.
    """
    match = re.fullmatch(r"\s*([0-9]+)(?:\.([0-9]{1,30}))?\s*([A-Za-z]*)\s*", text)
    if not match or match[3].lower() not in _SIZES:
        raise UsageError(
            f"size '{short(text)}' is not a number with B, KiB, MiB, GiB, kB, MB or GB"
        )
    number, part, unit = match[1], match[2] or "", match[3]
    if unit.endswith("b") and unit.lower() in _BYTES_OF:
        raise UsageError(
            f"size '{short(text)}' is in bits; write {_BYTES_OF[unit.lower()]} for bytes"
        )
    scaled = int((number + part)[:60]) * _SIZES[unit.lower()]
    size, rest = divmod(scaled, int("1" + "0" * len(part)))
    if len(number) >= 20 or size > MOST_BYTES:
        raise UsageError(f"size '{short(text)}' is more than 2^62 bytes")
    if rest:
        raise UsageError(f"size '{short(text)}' is no whole number of bytes")
    return size


def sizes_of(sizes: Iterable[int | str] | int | str) -> list[int]:
    """Bytes of numbers and of what `parse_size` takes, of one or several; at least 1 each.

    UsageError.
    """
    out = []
    for size in [sizes] if isinstance(sizes, (int, str)) else sizes:
        try:
            number = parse_size(size) if isinstance(size, str) else operator.index(size)
        except TypeError:
            number = 0
        if isinstance(size, bool) or not 1 <= number <= MOST_BYTES:
            raise UsageError(f"size {short(repr(size))} is not from 1 to 2^62 whole bytes")
        out.append(number)
    return out


def _number(text: str, units: dict[str, float], what: str) -> float:
    match = re.fullmatch(
        r"\s*([0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][+-]?[0-9]{1,2})?)\s*([A-Za-z/]*)\s*", text
    )
    if not match or match[2] not in units:
        raise UsageError(f"{what} '{short(text)}' is not a number with one of {', '.join(units)}")
    value = float(match[1]) * units[match[2]]
    if value and not LEAST <= value <= MOST:
        raise UsageError(
            f"{what} '{short(text)}' is not from {LEAST:g} to {MOST:g} in seconds or bytes"
        )
    return value


def parse_bandwidth(text: str, what: str = "bandwidth") -> float:
    """Bytes per second of '400Gb/s' (bits) or '50GB/s' (bytes).

    UsageError, also for nothing per second.
    """
    out = _number(text, _RATES, what)
    if out <= 0:
        raise UsageError(f"{what} '{text}' must be more than zero")
    return out


def parse_time(text: str, what: str = "latency") -> float:
    """Seconds of '100ns'; zero is allowed. UsageError."""
    return _number(text, _TIMES, what)


def parse_per_byte(text: str, what: str) -> float:
    """Seconds per byte of '0.08ns/B' or, the other way round, '12.5GB/s'; '0ns/B' is allowed.

    UsageError.
    """
    if text.strip().endswith(_PER_BYTE):
        return parse_time(text.strip().removesuffix(_PER_BYTE), what)
    if not text.strip().endswith("/s"):
        raise UsageError(
            f"{what} '{text}' is neither a time per byte, as 0.08ns{_PER_BYTE}, nor a rate, as "
            "12.5GB/s"
        )
    return 1 / parse_bandwidth(text, what)


def parse_duration(text: str) -> float:
    """Seconds of '90', '90s', '3min', '1h', the --budget of a tuning. UsageError."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*(|s|min|h)\s*", text)
    if not match:
        raise UsageError(f"--budget '{text}' is not like 90s, 3min or 1h")
    return float(match[1]) * {"": 1, "s": 1, "min": 60, "h": 3600}[match[2]]


def show_size(n: int) -> str:
    """8 -> '8 B', 65536 -> '64 KiB': exact."""
    for unit, scale in _BINARY[1:]:
        if n >= scale and n % scale == 0:
            return f"{n // scale} {unit}"
    return f"{n} B"


def show_bytes(n: float) -> str:
    """'12.5 MiB', four digits; exact below a KiB."""
    for unit, size in _BINARY:
        if n >= size:
            return f"{n / size:.4g} {unit}"
    return f"{n:.4g} B"


def _three_digits(value: float, units: Sequence[tuple[str, float]]) -> str:
    """In the largest unit that the value reaches, else the last one; whole numbers from 1000 on."""
    unit, size = next((u for u in units if value >= u[1]), units[-1])
    shown = f"{value / size:.0f}" if value >= 1000 * size else f"{value / size:.3g}"
    return f"{shown} {unit}"


def show_time(seconds: float) -> str:
    """'12.3 us', three digits."""
    return _three_digits(seconds, _SECONDS)


def show_rate(bytes_per_second: float) -> str:
    """'791 Gb/s', three digits."""
    return _three_digits(8 * bytes_per_second, _BITS)


def show_per_byte(seconds: float) -> str:
    """'0.08 ns/B', three digits."""
    return f"{seconds / _TIMES['ns']:.3g} ns{_PER_BYTE}"


def show_microseconds(seconds: float) -> str:
    """'12.3 us', to a tenth."""
    return f"{seconds * 1e6:.1f} us"


def show_pct(x: float | None) -> str:
    """Signed per cent, or '-'."""
    return "-" if x is None else f"{x:+.1f} %"
