"""Numbers and parameters of algorithms as people write and read them."""

from collections.abc import Mapping

from .text import short


def whole(text: str, what: str, low: int, high: int) -> int:
    """The number that `text` is. ValueError names `what` and the bounds."""
    digits = text[1:] if text[:1] == "-" else text
    if digits.isascii() and digits.isdigit() and len(digits) < 20 and low <= int(text) <= high:
        return int(text)
    raise ValueError(f"{what} '{short(text)}' is not a whole number from {low} to {high}")


def parameter(text: str, shown: str) -> tuple[str, int]:
    """'k=4' -> ('k', 4). ValueError begins with `shown`."""
    key, _, value = text.partition("=")
    try:
        return key, whole(value, key, -(1 << 62), 1 << 62)
    except ValueError:
        raise ValueError(f"{shown} is not PARAMETER=INTEGER") from None


def algorithm_text(name: str, parameters: Mapping[str, int]) -> str:
    """'bine_large:segment=131072': what `split_algorithm` reads."""
    return ":".join([name, *(f"{key}={value}" for key, value in parameters.items())])


def split_algorithm(text: str) -> tuple[str, dict[str, int]]:
    """'bine_large:segment=65536' -> ('bine_large', {'segment': 65536}). ValueError."""
    name, *settings = text.split(":")
    return name, dict(parameter(one, f"'{short(one)}' of '{short(text)}'") for one in settings)
