"""Where a picture of a network has its vertices and links, kind by kind."""

from .layout import Layout, layout

__all__ = ["Layout", "layout"]
