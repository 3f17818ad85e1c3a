"""Pictures of traffic: group to group, step by step, over many jobs (Bine SC'25, Fig. 5).

Data frames are those of hopbine.jobs.counting.
"""

from .changes import change_boxes
from .heat_map import heat_map
from .steps import step_bars

__all__ = ["change_boxes", "heat_map", "step_bars"]
