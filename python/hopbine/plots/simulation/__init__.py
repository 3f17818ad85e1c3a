"""Figures of the Swing paper's evaluation: goodput by size, gains by size, their summary.

Rows are those of hopbine.simulation.
"""

from .gains import gain_curves, summary
from .goodput import goodput

__all__ = ["gain_curves", "goodput", "summary"]
