"""Collectives on simulated networks.

The same schedules that run over MPI, on any topology, size and speed.
"""

from .setup import Setup
from .sweep import Curve, Vectors, best_by_size, curve, gains, sweep

__all__ = ["Curve", "Setup", "Vectors", "best_by_size", "curve", "gains", "sweep"]
