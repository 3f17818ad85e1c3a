"""Numbers that are hard to sum, and their sums by Python's fractions."""

import math
import platform
import struct
from fractions import Fraction
from random import Random

#: Bits of a significand, least exponent, and first too large one.
TYPES = {
    "float": (24, -149, 128),
    "double": (53, -1074, 1024),
    "extended": (64, -16445, 16384),
    "quad": (113, -16494, 16384),
}
TYPES["complex"] = TYPES["double"]
#: C's long double: x87's on x86-64, binary128 on aarch64.
TYPES["longdouble"] = TYPES["extended" if platform.machine() == "x86_64" else "quad"]
TYPES["longcomplex"] = TYPES["longdouble"]

#: A number of a type with more bits than a float is a fraction, but for zeros, infinities and NaN.
Number = float | Fraction


def is_wide(type_name: str) -> bool:
    """Whether a type has more bits than Python's float."""
    return TYPES[type_name][0] > 53


def scaled(whole: int, place: int, type_name: str) -> Number:
    """whole * 2**place, which the type has."""
    if is_wide(type_name):
        return whole * Fraction(2) ** place
    return math.ldexp(whole, place)


def rounded(exact: Fraction, digits: int, lowest: int, end: int) -> Number:
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
    size = value if digits > 53 else float(value)
    return size if exact >= 0 else -size


def total(addends: list[Number], type_name: str) -> Number:
    """The correctly rounded sum."""
    special = [x for x in addends if isinstance(x, float)]
    infinities = {x for x in special if math.isinf(x)}
    if any(math.isnan(x) for x in special) or len(infinities) == 2:
        return math.nan
    if infinities:
        return infinities.pop()
    if all(x == 0 and math.copysign(1, x) < 0 for x in addends):
        return -0.0
    return rounded(sum(map(Fraction, addends), Fraction(0)), *TYPES[type_name])


def cancelling(random: Random, ranks: int, type_name: str) -> list[Number]:
    """Addends of which up to 2^-1000 of the largest is left."""
    digits, lowest, _ = TYPES[type_name]
    out = [scaled(random.getrandbits(digits), -digits, type_name)] if ranks % 2 else []
    for _ in range(ranks // 2):
        whole, place = random.getrandbits(digits) | 1, random.randint(max(lowest, -1000), 0)
        less = whole - random.getrandbits(1)
        out += [scaled(whole, place, type_name), -scaled(less, place, type_name)]
    random.shuffle(out)
    return out


def column(random: Random, ranks: int, type_name: str) -> list[Number]:
    """The addends of one element, one from each rank."""
    digits, lowest, end = TYPES[type_name]
    largest = scaled(2**digits - 1, end - digits, type_name)

    def drawn(low: int, high: int) -> Number:
        value = scaled(random.getrandbits(digits) | 1, random.randint(low, high), type_name)
        return random.choice((-1, 1)) * value

    kind = random.randrange(9)
    if kind == 0:
        return [-0.0] * ranks
    if kind == 1:
        special = (0.0, -0.0, math.inf, -math.inf, math.nan, scaled(3, -1, type_name))
        return [random.choice(special) for _ in range(ranks)]
    if kind == 2:
        out = [random.choice((largest, -largest)) for _ in range(ranks)]
        return [*out[:-1], scaled(1, lowest, type_name)]
    if kind == 3:  # all cancels but the least bits
        out = [drawn(lowest, end - digits) for _ in range(ranks // 2)]
        out += [-x for x in out]
        out += [scaled(random.choice((-3, 1)), lowest, type_name)] * (ranks - len(out))
        random.shuffle(out)
        return out
    if kind == 4:  # ties
        near = ((1, 0), (-1, 0), (1, -digits), (3, -digits))
        return [scaled(*random.choice(near), type_name) for _ in range(ranks)]
    if kind == 8:
        return cancelling(random, ranks, type_name)
    low, high = (lowest, end - digits) if kind == 5 else (-digits, 8 - digits)
    return [drawn(low, high) for _ in range(ranks)]


def vectors(seed: int, ranks: int, n: int, type_name: str) -> list[list[Number]]:
    """n numbers for each rank, exactly those of the type."""
    random = Random(seed)
    columns = [column(random, ranks, type_name) for _ in range(n)]
    return [[c[r] for c in columns] for r in range(ranks)]


def wide_bytes(value: Number, type_name: str) -> bytes:
    """The 16 bytes of a number in memory."""
    digits, lowest, end = TYPES[type_name]
    negative = math.copysign(1, value) < 0 if value == 0 else value < 0
    exponent, whole = 0, 0
    if isinstance(value, float) and not math.isfinite(value):
        exponent = 2 * end - 1
        whole = (3 if math.isnan(value) else 2) << (digits - 2)
    elif value:
        size = abs(Fraction(value))
        top = size.numerator.bit_length() - size.denominator.bit_length()
        place = max(top - (size < Fraction(2) ** top) - digits + 1, lowest)
        exact = size / Fraction(2) ** place
        whole = int(exact)
        assert whole == exact, "the type does not have the number"
        exponent = place - lowest + (whole >> (digits - 1))
    if digits == 64:
        high = negative << 15 | exponent
        return whole.to_bytes(8, "little") + high.to_bytes(8, "little")
    bits = negative << 127 | exponent << 112 | whole & ((1 << 112) - 1)
    return bits.to_bytes(16, "little")


def packed(values: list[Number], type_name: str) -> bytes:
    """Their bytes in memory; a NaN is the one that exact sums give."""
    if is_wide(type_name):
        return b"".join(wide_bytes(value, type_name) for value in values)
    letter = "f" if type_name == "float" else "d"
    return struct.pack(f"={len(values)}{letter}", *values)
