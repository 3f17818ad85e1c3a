"""Figures as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..output.replaced import replaced
from . import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save(figure: Figure, path: str | Path) -> None:
    """Writes svg, png or pdf by the ending of the name.

    The same figure gives the same bytes. UsageError for other endings.
    """
    ending = Path(path).suffix
    if ending not in (".svg", ".png", ".pdf"):
        raise UsageError(f"{path}: the name must end in .svg, .png or .pdf")
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[ending]
    with style.as_text(), replaced(path) as made:
        figure.savefig(made, metadata=metadata, dpi=style.DPI)
