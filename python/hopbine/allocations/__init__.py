"""Allocations: the host of each rank.

The hosts of jobs, read from what schedulers and users write, from a running job, or made up with a
seed.
"""

from .allocation import Allocation, BadJob
from .generators import generate, is_generator
from .read import FORMATS, read
from .running import running

__all__ = ["FORMATS", "Allocation", "BadJob", "generate", "is_generator", "read", "running"]
