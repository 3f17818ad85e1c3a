"""The command line: one module per verb, each with configure(parser) and run(args) -> exit code."""

import argparse
import importlib
import sys
from typing import Any

from ..progress import clear, stopped
from ..text import one_line, printable
from ._parser import Parser, about

#: In the order of the help text. A new verb is a module of this name and a word here.
VERBS = (
    "list",
    "check",
    "schedule",
    "draw",
    "run",
    "env",
    "compare",
    "stats",
    "predict",
    "bench",
    "tune",
    "traffic",
    "jobs",
    "report",
    "select",
    "simulate",
    "model",
    "calibrate",
    "info",
)
#: Verbs whose words the launcher reads (src/launcher).
LAUNCHER = ("run", "env")
#: 128 and the number of SIGINT, as shells have it.
INTERRUPTED = 130
NO_PICTURES = "pictures need matplotlib, which is not there: pip install 'hopbine[plot]'"


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
    try:
        return _run(only, argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    except KeyboardInterrupt:
        print("hopbine: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # the reader (head, less) has left; that is its right
        return 0
    except (ValueError, OSError) as error:
        print(f"hopbine: {one_line(str(error))}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "matplotlib":
            raise
        print(f"hopbine: {NO_PICTURES}", file=sys.stderr)
        return 2
    except MemoryError:
        print("hopbine: there is not enough memory for this", file=sys.stderr)
        return 1
    except RuntimeError as error:  # with what a launched job said, line by line
        print(f"hopbine: {printable(str(error), keep=chr(10))}", file=sys.stderr)
        return 1
