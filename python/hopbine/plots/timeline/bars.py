"""Bars of a timeline: a row for each channel and direction, in lanes where messages overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.records import Event


@dataclass(frozen=True)
class Bar:
    """A message on the axes."""

    x: float  #: where it begins, in the unit of time
    width: float
    y: int  #: its row
    event: Event

    @property
    def end(self) -> float:
        """End of the message, in the unit of time."""
        return self.x + self.width


@dataclass(frozen=True)
class Row:
    """The messages of a channel in one direction; those of a lane do not overlap."""

    channel: int
    sent: bool
    lanes: list[list[Event]]

    def name(self) -> str:
        """Label beside the row."""
        return f"channel {self.channel} {'sends' if self.sent else 'receives'}"

    def bars(self, top: int, unit: float) -> list[Bar]:
        """Bars of the messages, the first lane at `top`; `unit` in seconds."""
        return [
            Bar(e["begin"] / unit, (e["end"] - e["begin"]) / unit, top + i, e)
            for i, lane in enumerate(self.lanes)
            for e in lane
        ]


def rows(events: Sequence[Event]) -> list[Row]:
    """Rows channel by channel, sends above receives."""
    found: dict[tuple[int, bool], list[Event]] = {}
    for e in events:
        found.setdefault((e["channel"], e["sent"]), []).append(e)
    return [
        Row(channel, sent, _lanes(found[channel, sent]))
        for channel, sent in sorted(found, key=lambda row: (row[0], not row[1]))
    ]


def _lanes(events: list[Event]) -> list[list[Event]]:
    """Puts each message into the first lane that is free when it begins."""
    lanes: list[list[Event]] = []
    for e in sorted(events, key=lambda e: (e["begin"], e["end"], e["peer"])):
        free = next((lane for lane in lanes if lane[-1]["end"] <= e["begin"] * (1 + 1e-9)), None)
        if free is None:
            lanes.append(free := [])
        free.append(e)
    return lanes
