"""What several verbs read from their arguments."""

import argparse


def parse_ranks(text: str) -> list[int]:
    """'1..64', '3,5,7', '1..8,16' -> numbers of ranks, ascending. ValueError says what is allowed."""
    out: set[int] = set()
    for part in text.split(","):
        low, dots, high = part.partition("..")
        try:
            first, last = int(low), int(high) if dots else int(low)
        except ValueError:
            raise ValueError(f"-p '{part}' is not a number or a range LOW..HIGH") from None
        if first < 1 or last < first:
            raise ValueError(f"-p '{part}' needs 1 <= LOW <= HIGH")
        out.update(range(first, last + 1))
    return sorted(out)


def parse_settings(pairs: list[str]) -> dict[str, int]:
    """['k=4', 'segment=65536'] -> {'k': 4, 'segment': 65536}."""
    out = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not value.lstrip("-").isdigit():
            raise ValueError(f"--set '{pair}' is not PARAMETER=INTEGER")
        out[key] = int(value)
    return out


class Instead(argparse.Action):
    """An option with which the arguments `instead_of` need not be given."""

    def __init__(self, *names, instead_of: list[argparse.Action], **how):
        super().__init__(*names, **how)
        self.instead_of = instead_of

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)
        for action in self.instead_of:
            action.required = False


def add_problem(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Arguments that name one schedule; those of them that must be given."""
    needed = [parser.add_argument("collective"), parser.add_argument("algorithm"),
              parser.add_argument("-p", "--ranks", type=int, required=True, help="number of ranks")]
    parser.add_argument("--root", type=int, default=0)
    parser.add_argument("--groups", metavar="N,N,...",
                        help="how many ranks each group of nodes has, in rank order, for algorithms that follow it: 5,6,5")
    parser.add_argument("--per-node", type=int, default=1, metavar="N", help="with --groups: consecutive ranks on a node (default 1)")
    parser.add_argument("--shape", metavar="AxB",
                        help="the torus that the ranks are on, for algorithms that follow it: 4x4, the last dimension fastest")
    parser.add_argument("--set", action="append", default=[], metavar="PARAMETER=VALUE", help="a parameter of the algorithm")
    return needed


def parse_shape(text: str | None, source: str = "--shape") -> list[int]:
    """'4x2' -> [4, 2]; nothing is one dimension."""
    if text is None:
        return []
    parts = text.split("x")
    if not all(part.isdigit() and int(part) > 0 for part in parts):
        raise ValueError(f"{source} '{text}' is not like 8x8x4")
    return [int(part) for part in parts]


def placement(args) -> tuple[list[int], list[int]]:
    """Group and node of every rank as --groups and --per-node tell; both empty without --groups. ValueError says what is wrong."""
    if args.groups is None:
        return [], []
    parts = args.groups.split(",")
    if not all(part.isdigit() and int(part) > 0 for part in parts) or sum(map(int, parts)) != args.ranks:
        raise ValueError(f"--groups '{args.groups}' must be numbers of ranks that add up to -p {args.ranks}")
    if args.per_node < 1:
        raise ValueError(f"--per-node {args.per_node} needs at least 1")
    group = [g for g, n in enumerate(map(int, parts)) for _ in range(n)]
    first = [group.index(g) for g in group]
    return group, [first[r] + (r - first[r]) // args.per_node for r in range(args.ranks)]


def print_table(header: list[str], rows: list[list[str]], right: set[int] = frozenset()) -> None:
    """Columns as wide as their longest cell; the columns in `right` are right-aligned."""
    widths = [max(len(str(r[i])) for r in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        print("  ".join(str(c).rjust(w) if i in right else str(c).ljust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip())
