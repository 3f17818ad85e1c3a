"""The layout of each kind of network."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...errors import UsageError
from .fat_tree import fat_tree
from .groups import dragonfly, dragonfly_plus
from .hammingmesh import hammingmesh
from .hyperx import hyperx
from .layout import Layout
from .torus import torus

if TYPE_CHECKING:
    from ... import _core

KINDS: dict[str, Callable[..., Layout]] = {
    "torus": torus,
    "hyperx": hyperx,
    "hammingmesh": hammingmesh,
    "dragonfly": dragonfly,
    "dragonfly_plus": dragonfly_plus,
    "fattree": fat_tree,
}


def layout(network: _core.Topology, apart: bool) -> Layout:
    """Layout of a network; `apart`: the two directions of a cable are side by side."""
    kind, *pieces = network.name.split(":")
    extents = [[int(n) for n in piece.split("x")] for piece in pieces if "=" not in piece]
    make = KINDS.get(kind)
    if make is None:
        raise UsageError(f"there is no picture of a '{kind}' yet")
    return make([(a, b) for a, b, _, _ in network.links()], *extents, apart=apart)
