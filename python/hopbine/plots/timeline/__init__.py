"""What a rank sends and receives when, channel by channel."""

from .figure import MOST_EVENTS, timeline

__all__ = ["MOST_EVENTS", "timeline"]
