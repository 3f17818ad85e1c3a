"""The command line: one module per verb, each with configure(parser) and run(args) -> exit code."""

import argparse
import importlib
import sys
import warnings
from typing import Any

from ..output.progress import clear, stopped
from ._failures import INTERRUPTED, tell, tell_warnings
from ._parser import Parser, about

#: In the order of the help text, which has these groups. A new verb is a module of its name and a
#: word here.
GROUPS = {
    "run programs": (
        "run",
        "env",
        "emulate",
        "compare",
        "tune",
        "order",
        "select",
        "gpu",
        "info",
        "selftest",
    ),
    "analyse jobs": ("stats", "hang", "predict", "traffic", "jobs", "machine", "report"),
    "simulate and model": ("simulate", "model", "calibrate"),
    "develop algorithms": ("list", "check", "schedule", "draw", "bench", "reproduce"),
}
VERBS = tuple(verb for verbs in GROUPS.values() for verb in verbs)
#: Verbs whose words the launcher reads (src/launcher).
LAUNCHER = ("run", "env")


def _module(verb: str) -> Any:
    return importlib.import_module(f".{verb}", __name__)


def _parser(only: str | None) -> argparse.ArgumentParser:
    """The whole parser, or for speed just the part of one verb."""
    parser = Parser(
        prog="hopbine", description="MPI collectives that keep bytes off the scarce links."
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    for verb in (only,) if only else VERBS:
        module = _module(verb)
        sub = verbs.add_parser(verb, help=about(module))
        module.configure(sub)
    if not only:
        parser.list_in_groups(verbs, GROUPS)
    return parser


def _run(only: str | None, argv: list[str]) -> int:
    """The exit code of a command, whose verb may be known."""
    if only in LAUNCHER:
        return int(_module(only).main(argv[1:]))
    args = _parser(only).parse_args(argv)
    if args.version:
        from .. import _core

        print("hopbine", _core.version)
        return 0
    if not args.verb:
        _parser(None).print_help()
        return 2
    stopped.clear()
    try:
        code = int(_module(args.verb).run(args))
    finally:
        clear()  # before a message is printed
    if not stopped:
        return code
    print(f"hopbine: interrupted {stopped[-1]}; what was done is kept", file=sys.stderr)
    return INTERRUPTED


def main(argv: list[str] | None = None) -> int:
    """Runs one command. 0: fine, 1: failed, 2: usage, 130: interrupted."""
    argv = sys.argv[1:] if argv is None else argv
    only = argv[0] if argv and argv[0] in VERBS else None
    with warnings.catch_warnings():
        tell_warnings()
        try:
            return _run(only, argv)
        except BaseException as error:
            return tell(error, argv)
