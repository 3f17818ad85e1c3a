"""hopbine draw: a picture of a schedule, as the papers draw trees and butterflies"""

import os

#: A picture of more ranks is no longer readable.
MOST_RANKS = 64
FORMATS = ("svg", "png", "pdf")


def configure(parser) -> None:
    """Arguments of the verb."""
    from ._common import add_problem

    parser.description = ("Ranks from left to right, time downwards, a dashed row per step. A box is data that is there (filled by how much "
                          "of it), an arrow a message; brown arrows are added to what the receiver has. Small red numbers tell in which step a "
                          "tree reaches a rank. Below Bine trees: the negabinary number of each rank, relative to the root.")
    add_problem(parser)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="ends in " + ", ".join("." + f for f in FORMATS))
    parser.add_argument("--highlight", metavar="RANKS", help="pick out the trees of these ranks inside a butterfly, e.g. 2,3 (at most 4)")


def _highlighted(text: str | None, p: int) -> list[int]:
    """'2,3' -> [2, 3]."""
    if text is None:
        return []
    try:
        ranks = [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"--highlight '{text}' is not a list of ranks such as 2,3") from None
    if len(ranks) > 4 or not all(0 <= r < p for r in ranks):
        raise ValueError(f"--highlight '{text}' needs at most 4 ranks in 0..{p - 1}")
    return ranks


def _labels(algorithm: str, p: int, root: int) -> dict[int, str] | None:
    """The negabinary digits of Bine ranks; they exist for powers of two."""
    from .. import _core

    if not algorithm.startswith("bine") or p < 2 or p & (p - 1):
        return None
    return {r: format(_core.rank2nb((r - root) % p, p), f"0{p.bit_length() - 1}b") for r in range(p)}


def run(args) -> int:
    """Writes the picture."""
    from .. import _core
    from ..plots.picture import picture
    from ._common import parse_settings, parse_shape, placement

    ending = os.path.splitext(args.output)[1].removeprefix(".").lower()
    if ending not in FORMATS:
        raise ValueError(f"-o '{args.output}' must end in " + ", ".join("." + f for f in FORMATS))
    schedule = _core.schedule(args.collective, args.algorithm, args.ranks, args.root, parse_settings(args.set), *placement(args),
                              parse_shape(args.shape))
    if args.ranks > MOST_RANKS:
        raise ValueError(f"-p {args.ranks} is too many for a picture (at most {MOST_RANKS})")
    highlight = _highlighted(args.highlight, args.ranks)
    try:
        from ..plots.render import draw

        shown = picture(schedule, args.collective, args.algorithm, args.ranks, args.root)
        draw(shown, args.output, _labels(args.algorithm, args.ranks, args.root), highlight)
    except ImportError as error:
        raise ValueError(f"pictures need matplotlib, which is not there ({error}): pip install 'hopbine[plot]'") from None
    return 0
