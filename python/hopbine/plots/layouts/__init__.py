"""Layouts of networks: places of vertices and links, kind by kind."""

from .layout import Layout, layout

__all__ = ["Layout", "layout"]
