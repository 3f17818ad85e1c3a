"""hopbine draw: a picture of a schedule, as the papers draw trees and butterflies, or of a
network"""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from ..plots.matrix import Matrix
    from ..plots.render import Panel

#: Arrows of more ranks are no longer readable: a matrix is drawn. Nor are cells of many more.
MOST_RANKS, MOST_CELLS = 64, 1024


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    from ._analysis import PICTURES
    from ._common import Instead, add_problem

    parser.description = (
        "Ranks from left to right, time downwards, a dashed row per step. A box is data that is "
        "there (filled by how much "
        "of it), an arrow a message; brown arrows are added to what the receiver has. Small red "
        "numbers tell in which step a "
        "tree reaches a rank. Below Bine trees: the negabinary number of each rank, relative to "
        "the root. With --groups: groups are shaded, and messages between them are bold and "
        "orange. More than 64 ranks are a matrix of senders and receivers, coloured by the step of "
        "the first message, and by blocks. With --shape AxB, and without --highlight, a grid of "
        "the torus for each step: a colour for each port, a message round the rim as two lines; of "
        "AxBxC planes side by side, a message to another plane with its receiver. With "
        "--topology: a network, its nodes and links."
    )
    parser.usage = (
        "hopbine draw COLLECTIVE ALGORITHM -p RANKS -o FILE [OPTIONS]\n"
        "       hopbine draw --topology T [--route FROM:TO] -o FILE"
    )
    needed = add_problem(parser)
    parser.add_argument(
        "-o",
        "--output",
        "--plot",
        required=True,
        metavar="FILE",
        help="ends in " + ", ".join(PICTURES),
    )
    parser.add_argument(
        "--baseline", metavar="A", help="draw this algorithm of the collective above, to compare"
    )
    parser.add_argument(
        "--highlight",
        metavar="RANKS",
        help="pick out the trees of these ranks inside a butterfly, e.g. 2,3 (at most 4)",
    )
    parser.add_argument(
        "--topology",
        metavar="T",
        action=Instead,
        instead_of=needed,
        help="draw this network instead of a schedule: torus:8x8, dragonfly:9x4x2, ...",
    )
    parser.add_argument(
        "--route",
        metavar="FROM:TO",
        help="with --topology: the minimal ways between two nodes, and the share of a message on "
        "each link",
    )


def _highlighted(text: str | None, p: int) -> list[int]:
    """'2,3' -> [2, 3]."""
    if text is None:
        return []
    try:
        ranks = [int(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"--highlight '{text}' is not a list of ranks such as 2,3") from None
    if len(ranks) > 4 or not all(0 <= r < p for r in ranks):
        raise UsageError(f"--highlight '{text}' needs at most 4 ranks in 0..{p - 1}")
    return ranks


def _labels(algorithm: str, p: int, root: int) -> dict[int, str] | None:
    """The negabinary digits of Bine ranks; they exist for powers of two."""
    from .. import _core

    if not algorithm.startswith("bine") or p < 2 or p & (p - 1):
        return None
    return {
        r: format(_core.rank2nb((r - root) % p, p), f"0{p.bit_length() - 1}b") for r in range(p)
    }


def run(args: argparse.Namespace) -> int:
    """Writes the picture."""
    return _draw_schedule(args) if args.topology is None else _draw_network(args)


def _draw_network(args: argparse.Namespace) -> int:
    """--topology and --route."""
    from .. import _core
    from ..plots.files import save
    from ..plots.network import check_nodes
    from ..plots.topology import route, topology
    from ._analysis import PICTURES, writable

    unset: dict[str, Any] = {
        "collective": None,
        "algorithm": None,
        "ranks": None,
        "root": 0,
        "groups": None,
        "per_node": 1,
        "shape": None,
        "set": [],
        "highlight": None,
        "baseline": None,
    }
    wrong = [
        name if name in ("collective", "algorithm") else f"--{name.replace('_', '-')}"
        for name, value in unset.items()
        if getattr(args, name) != value
    ]
    if wrong:
        raise UsageError(
            "--topology draws a network and no schedule; it goes with --route and -o only, not "
            f"with {', '.join(wrong)}"
        )
    writable(args.output, endings=PICTURES)
    if args.route is None:
        check_nodes(args.topology)
    network = _core.Topology(args.topology)
    save(
        topology(network)
        if args.route is None
        else route(network, *_ends(args.route, network.nodes)),
        args.output,
    )
    return 0


def _ends(text: str, nodes: int) -> tuple[int, int]:
    """'0:27' -> (0, 27)."""
    ends = text.split(":")
    if (
        len(ends) != 2
        or not all(end.isdecimal() and int(end) < nodes for end in ends)
        or int(ends[0]) == int(ends[1])
    ):
        raise UsageError(f"--route '{text}' is not FROM:TO, two different nodes of 0..{nodes - 1}")
    return int(ends[0]), int(ends[1])


def _draw_schedule(args: argparse.Namespace) -> int:
    """Draws the schedule of COLLECTIVE ALGORITHM -p RANKS."""
    from ..plots.files import save
    from ..plots.matrix import draw_matrices
    from ..plots.render import draw
    from ._analysis import PICTURES, writable

    if args.route is not None:
        raise UsageError(f"--route '{args.route}' needs a network: --topology")
    writable(args.output, endings=PICTURES)
    asked = [(args.algorithm, args.set)]
    if args.baseline is not None:
        asked.insert(0, (args.baseline, []))
    gridded = args.shape is not None and args.highlight is None
    if gridded and _draw_grids(args, asked):
        return 0
    if args.ranks > MOST_RANKS or gridded:
        save(draw_matrices([_matrix(args, *one) for one in asked]), args.output)
    else:
        save(draw([_panel(args, *one) for one in asked]), args.output)
    return 0


def _draw_grids(args: argparse.Namespace, asked: list[tuple[str, list[str]]]) -> bool:
    """Draws the torus that --shape gives, step by step and port by port.

    False where it is no grid, which is told.
    """
    from .. import _core
    from ..plots.files import save
    from ..plots.torus_steps import messages, torus_steps, undrawable
    from ._common import parse_shape, problem

    schedules = [(name, _core.schedule(problem(args, name, settings))) for name, settings in asked]
    shape = parse_shape(args.shape)
    why = undrawable(shape, max(s.steps for _, s in schedules))
    if why:
        print(f"hopbine: --shape {args.shape}: {why}; a matrix is drawn", file=sys.stderr)
        return False
    found = [(name, messages(schedule, args.ranks)) for name, schedule in schedules]
    title = f"{args.collective} {args.algorithm}, torus {args.shape}"
    save(torus_steps(found, shape, title), args.output)
    return True


def _matrix(args: argparse.Namespace, algorithm: str, settings: list[str]) -> "Matrix":
    """The matrix of an algorithm."""
    from .. import _core
    from ..plots.matrix import matrix
    from ._common import problem

    p = args.ranks
    if p > MOST_CELLS:
        raise UsageError(f"-n {p} is too many for a picture (at most {MOST_CELLS})")
    if args.highlight is not None:
        raise UsageError(f"--highlight needs at most {MOST_RANKS} ranks: more are a matrix")
    asked = problem(args, algorithm, settings)
    title = f"{args.collective} {algorithm}, {p} ranks"
    return matrix(_core.schedule(asked), title, p, asked.group)


def _panel(args: argparse.Namespace, algorithm: str, settings: list[str]) -> "Panel":
    """The picture of an algorithm."""
    from .. import _core
    from ..plots.picture import picture
    from ..plots.render import Panel
    from ._common import problem

    asked = problem(args, algorithm, settings)
    shown = picture(_core.schedule(asked), asked)
    return Panel(
        shown, _labels(algorithm, asked.p, asked.root), _highlighted(args.highlight, asked.p)
    )
