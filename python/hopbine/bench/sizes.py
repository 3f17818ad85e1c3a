"""Sizes as people write them: 8, 64KiB, 1:1MiB, 8:1MiB:4."""

import re

_UNITS = {"": 1, "b": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30,
          "kb": 1000, "mb": 10**6, "gb": 10**9}


def parse_size(text: str) -> int:
    """Bytes of '8', '64KiB', '1 MB' (KiB and K are 1024, kB is 1000). ValueError says what is allowed."""
    match = re.fullmatch(r"\s*(\d+)\s*([A-Za-z]*)\s*", text)
    if not match or match[2].lower() not in _UNITS:
        raise ValueError(f"size '{text}' is not a number with B, KiB, MiB, GiB, kB, MB or GB")
    return int(match[1]) * _UNITS[match[2].lower()]


def parse_sizes(text: str) -> list[int]:
    """'8:1MiB' doubles from 8 to 1 MiB, '8:1MiB:4' takes every fourth power; commas join. Ascending, no repeats."""
    sizes: set[int] = set()
    for part in text.split(","):
        ends = part.split(":")
        if len(ends) > 3:
            raise ValueError(f"sizes '{part}' are not LOW:HIGH or LOW:HIGH:FACTOR")
        low = parse_size(ends[0])
        high = parse_size(ends[1]) if len(ends) > 1 else low
        factor = parse_size(ends[2]) if len(ends) > 2 else 2
        if low < 1 or high < low or factor < 2:
            raise ValueError(f"sizes '{part}' need 1 <= LOW <= HIGH and a factor of at least 2")
        while low <= high:
            sizes.add(low)
            low *= factor
    return sorted(sizes)


def show_size(n: int) -> str:
    """8 -> '8 B', 65536 -> '64 KiB'."""
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if n >= scale and n % scale == 0:
            return f"{n // scale} {unit}"
    return f"{n} B"
