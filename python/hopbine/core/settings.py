"""Every HOPBINE_ variable: what it is for, what it may be.

The table is that of the launcher (src/launcher/settings.cpp), which checks them; `hopbine info`
prints them.
"""

from typing import NamedTuple

from .. import _core


class Setting(NamedTuple):
    """A variable: what it is for, what holds without it, and the words that it may be, if any."""

    meaning: str
    default: str
    allowed: tuple[str, ...]


SETTINGS = {
    row["name"]: Setting(row["meaning"], row["default"], tuple(row["allowed"]))
    for row in _core.run_settings()
}
#: Beginnings of names that are not settings of users.
INTERNAL = tuple(_core.internal_settings)
