"""The figures of the ParLogNa/ParLinNa paper's evaluation.

Rows have distribution, bytes (its mean), algorithm, seconds, and more columns for some figures.
"""

from .boxes import boxes
from .lines import by_radix, by_ranks, by_size
from .panels import largest
from .ranges import ranges
from .stacks import stacks

__all__ = ["boxes", "by_radix", "by_ranks", "by_size", "largest", "ranges", "stacks"]
