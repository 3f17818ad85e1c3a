"""One self-contained HTML page of an analysis.

Tables that sort and filter, pictures, nothing from the network.
"""

from .build import jobs_sections, predict_sections, traffic_sections
from .page import Picture, Table, Text, write

__all__ = [
    "Picture",
    "Table",
    "Text",
    "jobs_sections",
    "predict_sections",
    "traffic_sections",
    "write",
]
