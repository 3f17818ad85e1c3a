"""Places of ranks for MPICH's topology-aware trees (MPIR_CVAR_COORDINATES_FILE).

Format (MPICH, src/util/mpir_pmi.c, parse_coord_file): a first line that is skipped, then for every
rank `RANK: GROUP SWITCH PORT`.
"""

from collections.abc import Sequence


def coordinates(group: Sequence[int], node: Sequence[int]) -> str:
    """The file's text, from group and node of every rank.

    hopbine knows no switches inside a group: each group is told as one switch, on which every node
    is a port.
    """
    lines = ["# rank: group, switch, port"]
    ports: dict[int, dict[int, int]] = {}
    for rank, (g, n) in enumerate(zip(group, node, strict=True)):
        of_group = ports.setdefault(g, {})
        lines.append(f"{rank}: {g} {g} {of_group.setdefault(n, len(of_group))}")
    return "\n".join(lines) + "\n"
