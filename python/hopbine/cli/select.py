"""hopbine select: rules files, what answers a call and why, and the same rules for other MPI
libraries
"""

import argparse
import sys
from typing import Any

from ..errors import UsageError
from ..output.replaced import replaced
from ._analysis import add_hosts, add_machine
from ._output import add_format
from ._parser import count

EXPORTS = {
    "openmpi": "Open MPI 4.1 and 5 (coll_tuned_dynamic_rules_filename)",
    "openmpi6": "Open MPI 6 (the same parameter, JSON)",
    "mpich": "MPICH (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE)",
    "ucc": "UCC (UCC_TL_UCP_TUNE)",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verbs below."""
    parser.description = (
        "Rules files choose algorithms by collective, ranks, bytes, nodes and ranks per node: "
        "docs/selection.md."
    )
    verbs = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    one = verbs.add_parser(
        "show", help="the rules of a file, or what jobs have learned, as a table"
    )
    one.add_argument(
        "file",
        nargs="?",
        help="default: the file with which the next job begins (HOPBINE_LEARN, else that in the "
        "user's cache folder)",
    )
    add_format(one)
    verbs.add_parser(
        "forget",
        help="delete what jobs have learned from the user's cache folder; a file of --learn stays",
    )
    one = verbs.add_parser(
        "validate",
        help="what is wrong with a file: exit code 2; what is odd about it: 1; nothing: 0",
    )
    one.add_argument("file")
    add_format(one)
    verbs.add_parser("schema", help="the JSON Schema of rules files")
    _configure_explain(verbs)
    _configure_export(verbs)
    _configure_import(verbs)


def _add_files(one: Any, library: str, dest: str) -> None:
    """What export and import have in common: the file, the other library, and where to."""
    one.add_argument("file")
    one.add_argument(
        library,
        dest=dest,
        required=True,
        choices=list(EXPORTS),
        help="; ".join(f"{name}: {what}" for name, what in EXPORTS.items()),
    )
    one.add_argument("-o", "--output", metavar="OUT", help="where to (default: standard output)")


def _configure_import(verbs: Any) -> None:
    one = verbs.add_parser(
        "import", help="rules that were tuned for another library, as a rules file of hopbine's"
    )
    _add_files(one, "--from", "source")
    one.add_argument(
        "--base",
        metavar="LIB",
        help="for mpich: the installed library or its generic.json; where the file repeats its "
        "rules, it decides",
    )


def _configure_export(verbs: Any) -> None:
    one = verbs.add_parser(
        "export", help="the rules as a file of another library, where it has the algorithms"
    )
    _add_files(one, "--for", "target")
    one.add_argument(
        "--base",
        metavar="LIB",
        help="for mpich: the installed library (libmpich.so, libmpi.so), whose built-in rules stay "
        "where no rule "
        "speaks, or its generic.json",
    )
    one.add_argument(
        "--coordinates",
        metavar="OUT",
        help="for mpich: where to write the places of the ranks of --hosts "
        "(MPIR_CVAR_COORDINATES_FILE); hierarchical_small is then its topology-aware tree",
    )
    add_machine(one)
    add_hosts(one)


_EXPLAINS = (
    "Without --rules: counts, as the runtime does at a communicator's first use, what every "
    "algorithm and numbering of the ranks puts on nodes and groups, models its time from the "
    "machine's description, and shows what is taken for each size: of those that take at most a "
    "tenth longer than the fastest (--patience), the one that moves least between groups. Where "
    "latencies decide, the first calls go to the MPI library (at first: mpi). For nonblocking and "
    "persistent calls (--form) half of what passes beside computation is not counted. With "
    "--rules: which rule of the file answers, what kept those before it, and what happens where "
    "none does; the ranks are those of --hosts, or -p and --ranks-per-node."
)


#: Words of where calls are made, which rules may ask for and nothing else here tells.
_WORDS = {
    "mpi": "the MPI library, as hopbine stats prints it",
    "processor": "its model",
    "transport": "network adapters and settings",
    "cores": "for each rank",
}


def _configure_explain(verbs: Any) -> None:
    one = verbs.add_parser(
        "explain",
        help="what answers calls of a collective, size by size, and why",
        description=_EXPLAINS,
    )
    one.add_argument("collective")
    one.add_argument("--rules", metavar="FILE", help="a rules file")
    one.add_argument(
        "-n",
        "-p",
        "--ranks",
        type=count(),
        metavar="P",
        help="with --rules, instead of --hosts: number of ranks",
    )
    for word, what in _WORDS.items():
        one.add_argument(
            f"--{word}", metavar="NAME", help=f"with --rules, for rules that ask for it: {what}"
        )
    add_machine(one)
    add_hosts(one)
    one.add_argument("--sizes", default="8:64MiB:8", help="bytes (default %(default)s)")
    one.add_argument("--root", type=int, default=0)
    one.add_argument(
        "--form",
        choices=["blocking", "nonblocking", "persistent"],
        default="blocking",
        help="of the calls: MPI_Bcast, MPI_Ibcast or MPI_Bcast_init (default %(default)s)",
    )
    one.add_argument("--in-order", action="store_true", help="for operations that do not commute")
    one.add_argument(
        "--exact",
        action="store_true",
        help="for results that no order of the operands changes by a bit: integers, minimum, "
        "maximum; "
        "default: sums may be rounded, and must be the same on all ranks",
    )
    one.add_argument(
        "--patience",
        type=_patience,
        metavar="F",
        help="how many times as long as the fastest a choice may take if it moves less between "
        "groups (default 1.1)",
    )
    one.add_argument(
        "--all",
        action="store_true",
        help="every candidate with its modelled time; with --rules, every "
        "rule that was passed over",
    )
    add_format(one)


def _patience(text: str) -> float:
    from .. import _core

    try:
        return _core.check_patience(text, "--patience")
    except UsageError as e:
        raise argparse.ArgumentTypeError(str(e).removeprefix("--patience: ")) from None


def run(args: argparse.Namespace) -> int:
    """The verb asked for."""
    if args.what == "explain":
        if args.rules:
            from ._select_rules import explain_rules

            return explain_rules(args)
        if args.ranks is not None:
            raise UsageError("-n goes with --rules; the choice by counting needs --hosts")
        from ._select_counting import explain_counting

        return explain_counting(args)
    if args.what == "schema":
        from importlib.resources import files

        sys.stdout.write(files("hopbine.selection").joinpath("schema.json").read_text())
        return 0
    if args.what == "export":
        return _export(args)
    if args.what == "import":
        return _import(args)
    if args.what == "forget":
        return _forget()
    from ._select_rules import show, validate

    return show(args) if args.what == "show" else validate(args)


def _forget() -> int:
    """Says which files are deleted."""
    from ..notation.text import one_line
    from ..selection.learned import forget

    files = forget()
    for file in files:
        print(f"deleted: {one_line(str(file))}")
    if not files:
        print("nothing was kept")
    return 0


def _import(args: argparse.Namespace) -> int:
    """Writes the rules; on standard error what they do not say."""
    from ..notation.text import many, one_line
    from ..selection.file import text, write
    from ..selection.imported import import_rules, note
    from ._analysis import writable

    writable(args.output)
    if args.base and args.source != "mpich":
        raise UsageError(f"--base is for mpich, not {args.source}")
    told = import_rules(args.file, args.source, args.base)
    for line in told.left_out:
        print(f"hopbine: left out: {one_line(line)}", file=sys.stderr)
    if not told.rules:
        raise UsageError(f"{args.file}: has no rules; nothing is written")
    if args.output:
        write(args.output, told.rules, note(args.file, args.source))
    else:
        sys.stdout.write(text(told.rules, note(args.file, args.source)))
    print(f"hopbine: {many(len(told.rules), 'rule')} read", file=sys.stderr)
    return 0


def _coordinates(args: argparse.Namespace) -> str:
    """MPICH's places of the ranks of --hosts."""
    from ..selection.coordinates import coordinates
    from ._analysis import one_job, writable

    writable(args.coordinates)
    places = one_job(args).places
    return coordinates(places.group, places.node)


def _export(args: argparse.Namespace) -> int:
    """Writes the file; on standard error what it leaves out and how to use it."""
    from ..notation.text import many, one_line
    from ..selection.export import export
    from ._analysis import writable

    writable(args.output)
    if (args.target == "mpich") != bool(args.base):
        raise UsageError(
            (
                "--for mpich needs --base with the installed library (libmpich.so, libmpi.so), "
                "whose own rules the file must hold as well"
            )
            if args.target == "mpich"
            else f"--base is for mpich, not {args.target}"
        )
    if args.coordinates and args.target != "mpich":
        raise UsageError(f"--coordinates is for mpich, not {args.target}")
    if not args.coordinates and (args.hosts or args.machine):
        raise UsageError(
            "--hosts and --machine tell the places for --coordinates, which is missing"
        )
    places = _coordinates(args) if args.coordinates else ""
    made = export(args.file, args.target, args.base, args.coordinates)
    for line in made.left_out:
        print(f"hopbine: left out: {one_line(line)}", file=sys.stderr)
    if not made.text:
        raise UsageError(
            f"{args.file}: no rule asks for an algorithm that this library has; nothing is written"
        )
    if args.coordinates:
        with replaced(args.coordinates) as file:
            file.write_text(places, encoding="utf-8")
    if args.output:
        with replaced(args.output) as file:
            file.write_text(made.text, encoding="utf-8")
    else:
        sys.stdout.write(made.text)
    usage = one_line(made.usage(args.output or "FILE"))
    print(
        f"hopbine: {made.rules - len(made.missing)} of {many(made.rules, 'rule')} written, "
        f"{len(made.missing)} left out wholly or in part; use with: "
        f"{usage}",
        file=sys.stderr,
    )
    return 0
