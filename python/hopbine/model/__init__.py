"""Models of collectives.

The equations of the generalised algorithms, times counted from schedules, and the parameters that
both need.
"""

from .counted import seconds
from .parameters import Parameters

__all__ = ["Parameters", "seconds"]
