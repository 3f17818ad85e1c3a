"""hopbine.units, by the name that plots and docs/papers know it under."""

from ..units import parse_bandwidth, show_rate, show_time

__all__ = ["parse_bandwidth", "show_rate", "show_time"]
