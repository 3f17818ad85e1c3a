"""hopbine reproduce: the figures of four papers made again, in a clone of hopbine: Bine trees,
Swing, generalised collectives, ParLogNa and ParLinNa
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from ..errors import UsageError
from ..notation.text import near

FOLDER = "reproduce"
PROGRAM = "run.py"


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.description = (
        "Simulates what the figures of a paper show, writes the files in reproduce/PAPER/data of "
        "the clone, and from them pictures and the tables of docs/papers/. It tells beforehand how "
        "long that takes here. A run that was stopped goes on. HOPBINE_WORKERS=N takes N processes "
        "(default: one for each core). Without PAPER it lists the papers and their figures."
    )
    parser.add_argument("paper", nargs="?", metavar="PAPER", help="a paper, or all")
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help="figures (default: all)")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="small jobs, into reproduce/PAPER/quick; pages are left alone",
    )
    parser.add_argument(
        "--estimate", action="store_true", help="only say how long it takes, and end"
    )
    parser.add_argument(
        "--costs",
        action="store_true",
        help="record what works have cost, in reproduce/costs.csv.xz, for later estimates",
    )
    parser.add_argument("--jobs", type=Path, metavar="CSV", help="bine: real jobs of Leonardo")
    parser.add_argument(
        "--measured", type=Path, metavar="PICO", help="bine: the authors' measured runs"
    )


def clone() -> Path:
    """The folder reproduce/ of the clone that this is in, or that hopbine is installed in.

    UsageError where there is none.
    """
    for start in (Path.cwd(), Path(sys.prefix)):
        for folder in (start, *start.parents):
            if (folder / FOLDER / PROGRAM).is_file():
                return folder / FOLDER
    raise UsageError(
        f"hopbine reproduce works in a clone of hopbine, and neither {Path.cwd()} nor {sys.prefix} "
        f"is inside one with {FOLDER}/{PROGRAM}; packages do not have the papers' evaluations"
    )


def sources(args: argparse.Namespace) -> tuple[str, ...]:
    """The options that name data of bine's. UsageError where they do not."""
    given = {
        k: v for k, v in (("--jobs", args.jobs), ("--measured", args.measured)) if v is not None
    }
    for option, path in given.items():
        if args.paper not in ("bine", "all"):
            raise UsageError(f"{option} is for bine, not for {args.paper or 'the list of papers'}")
        if not path.exists():
            raise UsageError(f"{option} is {str(path)!a}, which is not there")
    return tuple(word for option, path in given.items() for word in (option, str(path)))


def run(args: argparse.Namespace) -> int:
    """Makes the figures, or lists them."""
    sys.path.insert(0, str(clone()))
    papers = importlib.import_module("run").PAPERS
    making = importlib.import_module("shared.making")
    of_bine = sources(args)
    if args.paper is None:
        for paper in papers:
            print(f"{paper}: {', '.join(making.Wanted(paper).evaluation.figures())}")
        return 0
    known = (*papers, "all")
    if args.paper not in known:
        raise UsageError(
            f"'{args.paper}' is not one of {', '.join(known)}{near(args.paper, known)}"
        )
    if args.paper == "all" and args.figures:
        raise UsageError("all takes no figures; name the paper that they are of")
    code = 0
    for paper in papers if args.paper == "all" else (args.paper,):
        own = of_bine if paper == "bine" else ()
        wanted = making.Wanted(paper, tuple(args.figures), args.quick, own)
        code = max(code, making.make(wanted, args.estimate, args.costs))
    return code
