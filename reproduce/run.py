"""The evaluation of a paper, made again: python reproduce/run.py PAPER [...].

PAPER is swing, bine, generalised or parlogna; `PAPER -h` says which parts it has. The word `quick`
instead makes the small form of all. README.md beside this file says what is measured, and how long
it takes.
"""

import argparse
import importlib
import sys

from hopbine.output import progress
from shared import sweeping

#: Folders here; PAPER/evaluation.py has `run(words)`.
PAPERS = ("swing", "bine", "generalised", "parlogna")
QUICK = "quick"


def evaluate(paper: str, words: list[str]) -> int:
    """Exit code of one paper's evaluation."""
    return int(importlib.import_module(f"{paper}.evaluation").run(words))


def quick() -> int:
    """0: all papers are there in their quick forms."""
    for nth, paper in enumerate(PAPERS, 1):
        progress.tell(f"paper {nth} of {len(PAPERS)}: {paper} --quick")
        evaluate(paper, ["--quick"])
    return 0


def main() -> int:
    """Exit code: 0 when all is written."""
    parser = sweeping.Parser(
        prog="run.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    known = (*PAPERS, QUICK)
    parser.add_argument("paper", metavar="PAPER", help=", ".join(known))
    parser.add_argument("words", nargs=argparse.REMAINDER, help="what the paper's evaluation takes")
    args = parser.parse_args()
    if args.paper not in known or (args.paper == QUICK and args.words):
        wrong = " ".join([args.paper, *args.words] if args.paper == QUICK else [args.paper])
        parser.error(f"'{wrong}' is not one of {', '.join(known)}")
    if args.paper == QUICK:
        return sweeping.guarded(quick)
    return sweeping.guarded(lambda: evaluate(args.paper, args.words))


if __name__ == "__main__":
    sys.exit(main())
