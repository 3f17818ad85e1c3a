"""Pictures of traffic: group to group, step by step, over many jobs (Bine SC'25, Fig. 5).

Data frames are those of hopbine.counting.
"""

from .heat_map import heat_map
from .reductions import reduction_boxes
from .steps import step_bars

__all__ = ["heat_map", "reduction_boxes", "step_bars"]
