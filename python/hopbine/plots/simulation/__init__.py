"""The figures of the Swing paper's evaluation.

Goodput by size with two insets, gains by size, and their summary. Rows are those of
hopbine.simulation.
"""

from .gains import gain_curves, summary
from .goodput import goodput

__all__ = ["gain_curves", "goodput", "summary"]
