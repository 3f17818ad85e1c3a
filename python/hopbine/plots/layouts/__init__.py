"""Layouts of networks: places of vertices and links, kind by kind."""

from .kinds import layout
from .layout import Layout

__all__ = ["Layout", "layout"]
