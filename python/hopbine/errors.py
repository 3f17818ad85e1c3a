"""Errors that are told in lines of their own; any other is a fault of hopbine.

Each derives from a built-in error, which may be caught instead.
"""


class UsageError(ValueError):
    """An argument, a setting or a file is wrong.

    The message names what was given, what is allowed and where it came from.
    """


class MissingFile(UsageError, FileNotFoundError):
    """A file or a program that was named is not there."""


class JobError(RuntimeError):
    """A job or a program that hopbine has started failed, told in lines."""
