"""Errors and warnings that are told in lines of their own; any other error is a fault of hopbine.

Each derives from a built-in one, which may be caught instead.
"""

import warnings

__all__ = ["InputWarning", "JobError", "MissingFile", "UsageError"]


class UsageError(ValueError):
    """An argument, a setting or a file is wrong.

    The message names what was given, what is allowed and where it came from.
    """


class MissingFile(UsageError, FileNotFoundError):
    """A file or a program that was named is not there."""


class JobError(RuntimeError):
    """A job or a program that hopbine has started failed, told in lines."""


class InputWarning(UserWarning):
    """A file can be read, but not all of it counts: the message names what does."""


def warn(message: str) -> None:
    """Warns of an input; the command line prints it as a line of standard error."""
    warnings.warn(message, InputWarning, stacklevel=3)
