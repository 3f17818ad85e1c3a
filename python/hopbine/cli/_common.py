"""What several verbs read from their arguments."""

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..notation.quantities import parameter, whole
from ..notation.text import short
from ._parser import MOST_NUMBER, count

if TYPE_CHECKING:
    from .. import _core

#: Numbers of ranks that one -n may name.
MOST_LISTED = 1 << 16


def parse_ranks(text: str) -> list[int]:
    """'1..64', '3,5,7', '1..8,16' -> numbers of ranks, ascending.

    UsageError says what is allowed.
    """
    from .. import _core

    out: set[int] = set()
    for part in text.split(","):
        low, dots, high = part.partition("..")
        shown = f"-n '{short(part)}'"
        try:
            first, last = (
                whole(end, "-n", -MOST_NUMBER, 10**18) for end in (low, high if dots else low)
            )
        except UsageError:
            raise UsageError(f"{shown} is not a number or a range LOW..HIGH") from None
        if first < 1 or last < first:
            raise UsageError(f"{shown} needs 1 <= LOW <= HIGH")
        if last > _core.MOST_RANKS or last - first >= MOST_LISTED or len(out) > MOST_LISTED:
            raise UsageError(
                f"{shown}: at most {MOST_LISTED} numbers of at most {_core.MOST_RANKS} ranks are "
                "taken"
            )
        out.update(range(first, last + 1))
    return sorted(out)


def parse_settings(pairs: list[str]) -> dict[str, int]:
    """['k=4', 'segment=65536'] -> {'k': 4, 'segment': 65536}; bytes may have units."""
    return dict(parameter(pair, f"--set '{short(pair)}'") for pair in pairs)


class Instead(argparse.Action):
    """An option with which the arguments `instead_of` need not be given."""

    def __init__(self, *names: Any, instead_of: list[argparse.Action], **how: Any) -> None:
        super().__init__(*names, **how)
        self.instead_of = instead_of

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, values)
        for action in self.instead_of:
            action.required = False


def _ranks(text: str) -> int:
    from .. import _core

    return count(-MOST_NUMBER, _core.MOST_RANKS)(text)


def add_problem(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Arguments that name one schedule; those of them that must be given."""
    needed = [
        parser.add_argument("collective"),
        parser.add_argument("algorithm"),
        parser.add_argument(
            "-n", "-p", "--ranks", type=_ranks, required=True, help="number of ranks"
        ),
    ]
    parser.add_argument("--root", type=int, default=0)
    parser.add_argument(
        "--groups",
        metavar="N,N,...",
        help="how many ranks each group of nodes has, in rank order, for algorithms that follow "
        "it: 5,6,5",
    )
    parser.add_argument(
        "--per-node",
        type=count(),
        default=1,
        metavar="N",
        help="with --groups: consecutive ranks on a node (default 1)",
    )
    parser.add_argument(
        "--shape",
        metavar="AxB",
        help="the torus that the ranks are on, for algorithms that follow it: 4x4, the last "
        "dimension fastest",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="PARAMETER=VALUE",
        help="a parameter of the algorithm; bytes may have a unit: segment=64KiB",
    )
    return needed


def problem(
    args: argparse.Namespace, algorithm: str, settings: list[str], size: int = 0
) -> "_core.Problem":
    """What add_problem's arguments tell of an algorithm, with settings and a size. UsageError."""
    from .. import _core

    group, node = placement(args)
    return _core.Problem(
        args.collective,
        algorithm,
        args.ranks,
        root=args.root,
        parameters=parse_settings(settings),
        group=group,
        node=node,
        shape=parse_shape(args.shape),
        bytes=size,
    )


def parse_shape(text: str | None, source: str = "--shape") -> list[int]:
    """'4x2' -> [4, 2]; nothing is one dimension."""
    from .. import _core

    return [] if text is None else _core.parse_shape(text, source)


def placement(args: argparse.Namespace) -> tuple[list[int], list[int]]:
    """Group and node of every rank as --groups and --per-node tell; both empty without --groups.

    UsageError says what is wrong.
    """
    if args.groups is None:
        return [], []
    try:
        sizes = [whole(part, "--groups", 1, args.ranks) for part in args.groups.split(",")]
    except UsageError:
        sizes = []
    if sum(sizes) != args.ranks:
        raise UsageError(
            f"--groups '{short(args.groups)}' must be numbers of ranks that add up to -p "
            f"{args.ranks}"
        )
    group: list[int] = []
    node: list[int] = []
    for g, n in enumerate(sizes):
        node += [len(group) + r // args.per_node for r in range(n)]
        group += [g] * n
    return group, node


def add_launchers(parser: argparse.ArgumentParser) -> None:
    """Adds --mpiexec, for verbs that try every MPI library."""
    parser.add_argument(
        "--mpiexec",
        action="append",
        default=[],
        metavar="PATH",
        help="launcher of an MPI library; may be repeated (default: all on PATH)",
    )
