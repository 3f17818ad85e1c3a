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


def add_problem(parser: argparse.ArgumentParser) -> None:
    """Arguments that name one schedule."""
    parser.add_argument("collective")
    parser.add_argument("algorithm")
    parser.add_argument("-p", "--ranks", type=int, required=True, help="number of ranks")
    parser.add_argument("--root", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="PARAMETER=VALUE", help="a parameter of the algorithm")


def print_table(header: list[str], rows: list[list[str]], right: set[int] = frozenset()) -> None:
    """Columns as wide as their longest cell; the columns in `right` are right-aligned."""
    widths = [max(len(str(r[i])) for r in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        print("  ".join(str(c).rjust(w) if i in right else str(c).ljust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip())
