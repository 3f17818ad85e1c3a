"""What hopbine knows as polars data frames: the functions of `import hopbine`.

Columns are those of the verbs' --format csv; bytes are those of all calls of a row, times seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from .errors import UsageError

if TYPE_CHECKING:
    import polars

    from .machines import Machine

__all__ = ["algorithms", "choice", "predict", "stats", "traffic"]


def _frame(rows: Sequence[dict[str, Any]]) -> polars.DataFrame:
    import polars

    return polars.DataFrame(rows, infer_schema_length=None)


def _machine(machine: Machine | str | None) -> Machine | None:
    from .machines import load

    return load(machine) if isinstance(machine, str) else machine


def algorithms(collective: str | None = None) -> polars.DataFrame:
    """The registered algorithms, one row each, as `hopbine list`. UsageError.

    `elsewhere`: their names in other libraries.
    """
    from .selection.counterparts import elsewhere

    if collective is not None:
        _core.rooted(collective)  # UsageError with the names that exist
    rows = [
        {"collective": a["collective"], "algorithm": a["name"]}
        | {key: value for key, value in a.items() if key != "name"}
        | {
            "parameters": [q["name"] for q in a["parameters"]],
            "elsewhere": elsewhere(a["collective"], a["name"]),
        }
        for a in _core.algorithms()
        if collective in (None, a["collective"])
    ]
    return _frame(rows)


def stats(path: str | Path, machine: Machine | str | None = None) -> polars.DataFrame:
    """The calls of a statistics file, one row for each kind, as `hopbine stats`.

    `machine`: what counts as a group; by default what the job knew. UsageError,
    MissingFile.
    """
    from .recorded.calls import rows_of
    from .recorded.crossings import job_of
    from .recorded.statistics import load

    data = load(path)
    return _frame(rows_of(str(path), data, job_of(data, _machine(machine))))


def predict(
    path: str | Path,
    machine: Machine | str,
    hosts: str | None = None,
    ranks_per_node: int = 1,
    scaling: str = "weak",
) -> polars.DataFrame:
    """What the calls of a statistics file would cost on another machine, as `hopbine predict`.

    `hosts`: a list, a file or a formula (fragmented:64:seed=1); by default the recorded nodes.
    UsageError, MissingFile.
    """
    from .jobs.of_hosts import job_of_hosts
    from .recorded.crossings import job_of
    from .recorded.prediction import predict as predicted
    from .recorded.statistics import load

    data, there = load(path), _machine(machine)
    job = job_of_hosts(hosts, there, ranks_per_node) if hosts else job_of(data, there)
    if job is None:
        raise UsageError(f"{path} does not name the nodes of its ranks: give hosts")
    return _frame(predicted(data, job, scaling))


def choice(
    collective: str,
    hosts: str,
    machine: Machine | str | None = None,
    sizes: Sequence[int | str] | int | str = (1 << 20,),
    ranks_per_node: int = 1,
    root: int = 0,
) -> polars.DataFrame:
    """The candidates of the choice by counting for each size, as `hopbine select explain --all`.

    `sizes`: bytes, also as '64KiB'. `chosen`: the one that is taken. UsageError.
    """
    from .jobs.explained import candidates
    from .jobs.job import explain
    from .jobs.of_hosts import job_of_hosts
    from .notation.units import sizes_of

    _core.rooted(collective)
    job, asked = job_of_hosts(hosts, _machine(machine), ranks_per_node), sizes_of(sizes)
    calls = _core.Calls(collective, root=root)
    told = explain(job, calls, asked)
    return _frame(candidates(told, asked, len(job.hosts), calls))


def _listed(names: Sequence[str] | str) -> list[str]:
    """A text is one name."""
    return [names] if isinstance(names, str) else list(names)


def traffic(  # noqa: PLR0913 - a table's questions, each with its default
    hosts: Sequence[str] | str,
    machine: Machine | str | None = None,
    collectives: Sequence[str] | str = "allreduce",
    algorithms: Sequence[str] | str | None = None,
    sizes: Sequence[int | str] | int | str = (1 << 20,),
    baseline: str | None = None,
    root: int = 0,
    numberings: Sequence[str] | str = ("given",),
    job: str = "",
) -> polars.DataFrame:
    """A polars data frame, one row per collective, algorithm, numbering and size.

    Bytes and messages between groups (global), between nodes of a group, inside nodes; the worst
    pair of groups; the least that must cross; change in per cent of the baseline, a minus is less.
    hosts[r] is the host of rank r; a text is what --hosts takes. A text for names is one of them;
    `sizes` are bytes, also as '64KiB'. `machine`: a Machine, what machines.load takes, or None
    (every node is a group of its own). UsageError, MissingFile.
    """
    from .jobs.counting import Asked, counts
    from .jobs.job import Job
    from .jobs.of_hosts import job_of_hosts
    from .machines import from_hosts
    from .notation.units import sizes_of

    described = _machine(machine)
    one = (
        job_of_hosts(hosts, described)
        if isinstance(hosts, str)
        else Job(job, tuple(hosts), described or from_hosts(hosts))
    )
    names = _listed(collectives)
    for name in names:
        _core.rooted(name)  # UsageError with the names that exist
    asked = Asked(
        names,
        None if algorithms is None else _listed(algorithms),
        sizes_of(sizes),
        baseline,
        root,
        _listed(numberings),
    )
    rows = counts(one, asked)
    return _frame([row for row, _ in rows])
