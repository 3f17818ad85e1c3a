"""The file that hopbine run --stats writes: what served which calls of a job."""

from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..notation.text import many, one_line, read_json
from .arrivals import check_arrivals
from .communicators import communicators

#: What a row of the file has, and of which type; None: nothing was the same for all.
ROW = {
    "collective": str,
    "comm_size": int,
    "bytes_class": (list, None),
    "algorithm": str,
    "parameters": dict,
    "numbering": (str, None),
    "reason": str,
    "calls": int,
    "bytes": int,
    "seconds": (int, float),
}
#: What the account has in seconds, and what a row of it has, by kind of calls and communicator.
ACCOUNT = ("in_collectives", "saved", "spent")
ACCOUNT_ROW = {
    "ranks": str,
    "collective": str,
    "bytes_class": list,
    "served_by": str,
    "calls": int,
    "saved": (int, float),
    "spent": (int, float),
}
#: What the MPI library and what serves take for a call, where that was measured.
ACCOUNT_TIMES = ("library_seconds", "call_seconds")
#: What rows have had since some version, and of which type.
LATER = {
    "form": str,
    "wait_seconds": (int, float),
    "root": (int, None),
    "site": str,
    "function": (str, None),
}


def load(path: str | Path) -> dict[str, Any]:
    """The statistics file as a dict. UsageError when it is no such file."""
    data = read_json(path, "a statistics file")
    if not isinstance(data, dict) or data.get("hopbine_stats") != 1:
        raise UsageError(f'{path} is not a statistics file (no "hopbine_stats": 1)')
    wrong = [
        name
        for name, kind in (("mpi", str), ("ranks", int), ("version", str), ("rows", list))
        if not isinstance(data.get(name), kind)
    ]
    wrong += [name for name in ("nodes", "groups") if not _are_names(data, name)]
    if wrong:
        raise UsageError(f"{path} is not a whole statistics file: {wrong[0]} is missing or wrong")
    _check_account(data.get("account"), f"{path}: account")
    _check_sums(data.get("sums"), f"{path}: sums")
    check_arrivals(data.get("arrivals"), data["ranks"], f"{path}: arrivals")
    for n, row in enumerate(data["rows"], 1):
        _check_row(row, f"{path}: row {n}")
        _check_communicators(row, data["ranks"], f"{path}: row {n}")
    return data


def about(path: str | Path, data: dict[str, Any]) -> str:
    """Which job a file is of, in a line."""
    return one_line(
        f"{path}: {data['mpi']}, {many(data['ranks'], 'rank')}, hopbine {data['version']}"
    )


def _check_row(row: object, where: str) -> None:
    """UsageError when it is no row of such a file."""
    if not isinstance(row, dict):
        raise UsageError(f"{where} is none")
    wrong = [name for name, kind in ROW.items() if name not in row or not _is(row[name], kind)]
    wrong += [name for name, kind in LATER.items() if name in row and not _is(row[name], kind)]
    parameters = row.get("parameters")
    if isinstance(parameters, dict) and not all(isinstance(x, int) for x in parameters.values()):
        wrong.append("parameters")
    if wrong:
        raise UsageError(f"{where}: {wrong[0]} is missing or wrong")


def _check_account(account: object, where: str) -> None:
    """UsageError when it is no account. Older files have none."""
    if account is None:
        return
    if not isinstance(account, dict) or not isinstance(account.get("kinds"), list):
        raise UsageError(f"{where} is none")
    wrong = [name for name in ACCOUNT if not _is(account.get(name), (int, float))]
    if wrong:
        raise UsageError(f"{where}: {wrong[0]} is missing or wrong")
    for n, row in enumerate(account["kinds"], 1):
        if not isinstance(row, dict):
            raise UsageError(f"{where}: row {n} is none")
        wrong = [name for name, kind in ACCOUNT_ROW.items() if not _is(row.get(name), kind)]
        wrong += [
            name for name in ACCOUNT_TIMES if name in row and not _is(row[name], (int, float))
        ]
        if wrong:
            raise UsageError(f"{where}: row {n}: {wrong[0]} is missing or wrong")


def _check_sums(sums: object, where: str) -> None:
    """UsageError when they are none. Older files have none, and jobs without exact sums."""
    if sums is None:
        return
    if not isinstance(sums, dict) or not isinstance(sums.get("exact"), int):
        raise UsageError(f"{where}: exact is missing or wrong")
    rounded = sums.get("rounded")
    if not isinstance(rounded, dict) or not all(isinstance(n, int) for n in rounded.values()):
        raise UsageError(f"{where}: rounded is missing or wrong")


def sums_line(sums: dict[str, Any]) -> str:
    """How many sums were exact, in a line."""
    rounded = [f"{what}: {many(calls, 'call')}" for what, calls in sums["rounded"].items()]
    told = "; rounded: " + ", ".join(rounded) if rounded else "; none was rounded"
    return one_line(f"Exact sums: {many(sums['exact'], 'call')} of all ranks{told}.")


def account_line(account: dict[str, Any]) -> str:
    """The account in a line."""
    total, saved, spent = (account[name] for name in ACCOUNT)
    net = saved - spent
    return (
        f"In collectives that are measured {total:.6f} s: {saved:.6f} saved, {spent:.6f} spent, "
        f"{'slower' if net < 0 else 'faster'} by {abs(net):.6f} s."
    )


def _check_communicators(row: dict[str, Any], ranks: int, where: str) -> None:
    """UsageError when they are not those of the row's calls."""
    try:
        list(communicators(row, ranks))
    except UsageError as error:
        raise UsageError(f"{where}: {one_line(str(error))}") from None


def _are_names(data: dict[str, Any], name: str) -> bool:
    """Has it a name or null for each rank? Older files have no groups."""
    names = data.get(name)
    return name not in data or (
        isinstance(names, list)
        and len(names) == data.get("ranks")
        and all(one is None or isinstance(one, str) for one in names)
    )


def _is(value: object, kinds: Any) -> bool:
    """Is the value of one of the kinds? Numbers are from 0 to 10^18, a list is two of them."""
    if value is None or isinstance(value, bool):
        return value is None and isinstance(kinds, tuple) and None in kinds
    if not isinstance(
        value, tuple(k for k in (kinds if isinstance(kinds, tuple) else (kinds,)) if k)
    ):
        return False
    if isinstance(value, list):
        return len(value) == 2 and all(_is(x, int) for x in value)
    return not isinstance(value, (int, float)) or 0 <= value <= 10**18
