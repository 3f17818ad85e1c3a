"""The command line: one module per verb, each with configure(parser) and run(args) -> exit code."""

import argparse
import importlib
import sys

#: In the order of the help text. A new verb is a module of this name and a word here.
VERBS = ("list", "check", "schedule", "draw", "run", "stats", "bench", "tune", "traffic", "jobs", "report", "select", "simulate", "model", "calibrate", "info")


def _module(verb: str):
    return importlib.import_module(f".{verb}", __name__)


def _parser(only: str | None) -> argparse.ArgumentParser:
    """The whole parser, or for speed just the part of one verb."""
    parser = argparse.ArgumentParser(prog="hopbine", description="MPI collectives that keep bytes off the scarce links.")
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    for verb in (only,) if only else VERBS:
        module = _module(verb)
        sub = verbs.add_parser(verb, help=module.__doc__.strip().partition(": ")[2].split("\n")[0])
        module.configure(sub)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Runs one command. 0: fine, 1: failed, 2: usage."""
    argv = sys.argv[1:] if argv is None else argv
    only = argv[0] if argv and argv[0] in VERBS else None
    parser = _parser(only)
    try:
        args = parser.parse_args(argv)
        if args.version:
            from .. import _core

            print("hopbine", _core.version)
            return 0
        if not args.verb:
            parser.print_help()
            return 2
        return _module(args.verb).run(args)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    except BrokenPipeError:
        sys.stderr.close()  # the reader (head, less) has left; that is its right
        return 0
    except (ValueError, FileNotFoundError) as error:
        print(f"hopbine: {error}", file=sys.stderr)
        return 2
    except RuntimeError as error:
        print(f"hopbine: {error}", file=sys.stderr)
        return 1
