"""A statistics file of nine ranks in three groups, for tests of what reads such files."""

RANKS = 9
GROUPS = [0, 0, 0, 1, 1, 1, 1, 2, 2]


def row(collective, algorithm="mpi", **changed):
    """A row of the file: three calls of 9 KiB."""
    return {
        "collective": collective,
        "form": "blocking",
        "comm_size": RANKS,
        "bytes_class": [8193, 16384],
        "algorithm": algorithm,
        "parameters": {},
        "numbering": None if algorithm == "mpi" else "given",
        "root": None,
        "reason": "so",
        "calls": 3,
        "bytes": 3 * 9 * 1024,
        "seconds": 0.5,
    } | changed


def data(*rows, **changed):
    """The file."""
    return {
        "hopbine_stats": 1,
        "version": "1",
        "mpi": "x",
        "ranks": RANKS,
        "nodes": [f"n{r}" for r in range(RANKS)],
        "groups": [f"g{g}" for g in GROUPS],
        "rows": list(rows),
    } | changed
