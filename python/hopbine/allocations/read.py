"""Reading allocations: a file, every file of a folder, or a list of hosts."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

from ..errors import MissingFile, UsageError
from ..notation.hostfile import listed
from ..notation.hosts import MOST_RANKS, is_file
from ..notation.text import near, read_text, short
from . import formats, rank_files, squeue
from .allocation import Allocation, BadJob
from .generators import KINDS

#: Name -> parser; the words of --format.
FORMATS = {
    "hosts": formats.host_list,
    "ranks": rank_files.rank_host,
    "rankfile": rank_files.rankfile,
    "flux": formats.flux_set,
    "scontrol": formats.scontrol,
    "squeue": squeue.table,
    "jobs": formats.jobs_csv,
    "stats": formats.stats,
}


def read(
    what: str, ranks_per_node: int = 1, format: str | None = None, bare: bool = False
) -> Iterator[Allocation | BadJob]:
    """Jobs of a file, of all files of a folder, or of a list of hosts.

    Each file of a folder is a job or more; a list of hosts is like 'nid[001003-001010,002001]' or
    'a:2,b:2'. With `bare` a name that no file has is a host. Without `format` (see FORMATS) it is
    recognised by the text. `ranks_per_node` > 1 puts that many consecutive ranks on every host
    listed. A file of one job that is wrong raises ValueError with file and line; in a folder, and
    in files of many jobs, bad ones are yielded as BadJob.
    """
    if ranks_per_node < 1:
        raise UsageError(f"{ranks_per_node} ranks per node: at least 1 is needed")
    if format is not None and format not in FORMATS:
        raise UsageError(
            f"format '{format}' is not one of {', '.join(FORMATS)}{near(format, FORMATS)}"
        )
    for one in _found(what, format, bare):
        yield one if isinstance(one, BadJob) else _repeated(one, ranks_per_node)


def _found(what: str, format: str | None, bare: bool) -> Iterator[Allocation | BadJob]:
    """Jobs of a file, of a folder or of a list, with the ranks that these have."""
    path = Path(what)
    if is_file(what):
        return _folder(path, format) if path.is_dir() else _file(path, format)
    # A formula that is misspelt is taken for a file.
    meant = near(what.partition(":")[0], KINDS) if ":" in what else ""
    if "/" in what or meant or not (bare or set("[,") & set(what)):
        raise MissingFile(f"{short(what)}: there is no such file{meant}")
    return iter([Allocation(what, tuple(listed(what)), "argument")])


def _repeated(one: Allocation, ranks_per_node: int) -> Allocation:
    """Job with `ranks_per_node` ranks on every host listed."""
    ranks = len(one.hosts) * ranks_per_node
    if ranks > MOST_RANKS:
        raise UsageError(f"{one.source}: {ranks:,} ranks are more than {MOST_RANKS:,}")
    if ranks_per_node == 1:
        return one
    hosts = chain.from_iterable(repeat(h, ranks_per_node) for h in one.hosts)
    return replace(one, hosts=tuple(hosts))


def _folder(path: Path, format: str | None) -> Iterator[Allocation | BadJob]:
    files = sorted(f for f in path.iterdir() if f.is_file())
    if not files:
        raise UsageError(f"{path}: the folder holds no files")
    return chain.from_iterable(_leniently(f, format) for f in files)


def _file(path: Path, format: str | None) -> Iterator[Allocation | BadJob]:
    text = read_text(path)
    return FORMATS[format or formats.sniff(text)](text, str(path))


def _leniently(path: Path, format: str | None) -> Iterator[Allocation | BadJob]:
    try:
        for one in _file(path, format):
            yield replace(one, job=path.name) if one.job == str(path) else one
    except (UsageError, StopIteration) as error:
        yield BadJob(path.name, str(path), str(error))
