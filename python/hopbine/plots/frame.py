"""Title, colour bar and note around the networks of a picture."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from . import style
from .labels import plain
from .network import Scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Inches: a line of the title, the note, the colour bar with its label.
_LINE, NOTE, BAR = 0.2, 0.32, 1.0
#: Inches: width of a character of the title and of the note.
_TITLE_WIDE, _NOTE_WIDE = 0.082, 0.06


class Frame:
    """Figure with room for axes of `width` x `height` inches or more."""

    def __init__(self, width: float, height: float, title: str, note: str, scale: Scale | None):
        from matplotlib.figure import Figure

        self.width = max(width, 4.6, _NOTE_WIDE * len(note) + 0.2)
        lines = wrap(title, int((self.width + (BAR if scale else 0) - 0.2) / _TITLE_WIDE))
        self.total = self.width + (BAR if scale else 0), NOTE + height + 0.2 + _LINE * len(lines)
        self.figure = Figure(figsize=self.total)
        self._text(
            self.total[1] - 0.1, plain("\n".join(lines)), fontsize=style.FONT_TITLE, va="top"
        )
        self._text(NOTE / 2, note, fontsize=style.FONT_NOTE, va="center", color=style.NOTE)
        if scale:
            tall = min(height * 0.85, 4.0)
            side = self.axes(self.width, (height - tall) / 2, 0.16, tall)
            self.figure.colorbar(scale.mappable(), cax=side).set_label(
                scale.label, fontsize=style.FONT_TEXT
            )
            side.tick_params(labelsize=style.FONT_TICK)

    def _text(self, y: float, text: str, **how: Any) -> None:
        self.figure.text(0.12 / self.total[0], y / self.total[1], text, **how)

    def axes(self, x: float, y: float, across: float, down: float) -> Axes:
        """Adds axes; places in inches from the lower left of the room."""
        width, height = self.total
        return self.figure.add_axes((x / width, (NOTE + y) / height, across / width, down / height))
