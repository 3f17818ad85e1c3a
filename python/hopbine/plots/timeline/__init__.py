"""Timeline of the messages of a rank, channel by channel."""

from .figure import MOST_EVENTS, timeline

__all__ = ["MOST_EVENTS", "timeline"]
