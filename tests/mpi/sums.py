"""Numbers that are hard to sum, and their sums by Python's fractions."""

import math
import struct
from fractions import Fraction
from random import Random

#: The formats of the struct module, bits of a significand, least exponent, and first too large one.
TYPES = {"float": ("f", 24, -149, 128), "double": ("d", 53, -1074, 1024)}
TYPES["complex"] = TYPES["double"]


def rounded(exact: Fraction, digits: int, lowest: int, end: int) -> float:
    """A fraction rounded to nearest, ties to even."""
    size = abs(exact)
    top = size.numerator.bit_length() - size.denominator.bit_length() + 1  # or one less
    low = max(top - digits - 2, lowest - 2)
    while True:  # the least exponent for which the significand fits
        whole = round(size / Fraction(2) ** low)  # Python rounds ties to even
        if low >= lowest and whole <= 2**digits:
            break
        low += 1
    value = whole * Fraction(2) ** low
    if value >= Fraction(2) ** end:
        return math.inf if exact > 0 else -math.inf
    return float(value) if exact >= 0 else -float(value)


def total(addends: list[float], type_name: str) -> float:
    """The correctly rounded sum."""
    infinities = {x for x in addends if math.isinf(x)}
    if any(math.isnan(x) for x in addends) or len(infinities) == 2:
        return math.nan
    if infinities:
        return infinities.pop()
    if all(x == 0 and math.copysign(1, x) < 0 for x in addends):
        return -0.0
    return rounded(sum(map(Fraction, addends), Fraction(0)), *TYPES[type_name][1:])


def cancelling(random: Random, ranks: int, type_name: str) -> list[float]:
    """Addends of which up to 2^-1000 of the largest is left."""
    _, digits, lowest, _ = TYPES[type_name]
    out = [math.ldexp(random.getrandbits(digits), -digits)] if ranks % 2 else []
    for _ in range(ranks // 2):
        whole, place = random.getrandbits(digits) | 1, random.randint(max(lowest, -1000), 0)
        out += [math.ldexp(whole, place), -math.ldexp(whole - random.getrandbits(1), place)]
    random.shuffle(out)
    return out


def column(random: Random, ranks: int, type_name: str) -> list[float]:
    """The addends of one element, one from each rank."""
    _, digits, lowest, end = TYPES[type_name]
    largest = math.ldexp(2**digits - 1, end - digits)

    def drawn(low: int, high: int) -> float:
        value = math.ldexp(random.getrandbits(digits) | 1, random.randint(low, high))
        return random.choice((-1, 1)) * value

    kind = random.randrange(9)
    if kind == 0:
        return [-0.0] * ranks
    if kind == 1:
        special = (0.0, -0.0, math.inf, -math.inf, math.nan, 1.5)
        return [random.choice(special) for _ in range(ranks)]
    if kind == 2:
        out = [random.choice((largest, -largest)) for _ in range(ranks)]
        return [*out[:-1], math.ldexp(1, lowest)]
    if kind == 3:  # all cancels but the least bits
        out = [drawn(lowest, end - digits) for _ in range(ranks // 2)]
        out += [-x for x in out]
        out += [math.ldexp(random.choice((-3, 1)), lowest)] * (ranks - len(out))
        random.shuffle(out)
        return out
    if kind == 4:  # ties
        near = (1.0, -1.0, math.ldexp(1, -digits), math.ldexp(3, -digits))
        return [random.choice(near) for _ in range(ranks)]
    if kind == 8:
        return cancelling(random, ranks, type_name)
    low, high = (lowest, end - digits) if kind == 5 else (-digits, 8 - digits)
    return [drawn(low, high) for _ in range(ranks)]


def vectors(seed: int, ranks: int, n: int, type_name: str) -> list[list[float]]:
    """n numbers for each rank, exactly those of the type."""
    random = Random(seed)
    columns = [column(random, ranks, type_name) for _ in range(n)]
    return [[c[r] for c in columns] for r in range(ranks)]


def packed(values: list[float], type_name: str) -> bytes:
    """Their bytes in memory; a NaN is the one that exact sums give."""
    return struct.pack(f"={len(values)}{TYPES[type_name][0]}", *values)
