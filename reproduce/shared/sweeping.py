"""Tables that take minutes: row by row into a file, gone on with after a stop.

Works are shared among processes: those of mpi4py.futures under `mpiexec -n N python -m
mpi4py.futures reproduce/run.py ...`, else as many as HOPBINE_WORKERS says, or as there are
cores.
"""

import argparse
import csv
import io
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NoReturn

from hopbine.output import progress
from hopbine.output.replaced import replaced
from hopbine.simulation.ranks import joined
from shared import costs, results

#: A row, and a piece of work: what it is called, and what makes its rows. A process of its own
#: needs that to be a function of a module, with its arguments.
Row = dict[str, Any]
Work = tuple[str, Callable[[], list[Row]]]
#: What was made, and the CPU seconds that it took.
Made = tuple[list[Row], float]
#: Seconds in which the processes of a pool end when one of them has been ended.
END = 10


def _kept(part: Path) -> dict[str, list[Row]]:
    """Rows of the works that an earlier call has finished; each ends with one marked `end`."""
    if not part.exists():
        return {}
    with part.open(newline="") as f:
        rows = [r for r in csv.DictReader(f) if None not in r and None not in r.values()]
    done: dict[str, list[Row]] = {r["work"]: [] for r in rows if r["end"]}
    for r in rows:
        if r["work"] in done and not r["end"]:
            done[r["work"]].append(r)
    return done


def _timed(make: Callable[[], list[Row]]) -> Made:
    """Rows, and the CPU seconds that they took."""
    began = time.process_time()
    return make(), time.process_time() - began


def workers() -> int:
    """Processes that HOPBINE_WORKERS asks for, else one for each core. ValueError."""
    text = os.environ.get("HOPBINE_WORKERS", str(len(os.sched_getaffinity(0))))
    if not text.isdecimal() or not 1 <= int(text) <= 4096:
        raise ValueError(f"HOPBINE_WORKERS='{text}' is not a number of processes from 1 to 4096")
    return int(text)


def _ends_at_once() -> None:
    """Ctrl-C ends this process, without a word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def _pool(works: int) -> Iterator[Executor | None]:
    """Other processes, for so many works; None: one is enough, or there are no others."""
    processes = min(workers(), works)
    if works > 1 and joined():
        from mpi4py.futures import MPIPoolExecutor

        made: Executor = MPIPoolExecutor(path=[str(Path(__file__).parents[1])])
    elif processes > 1:
        made = ProcessPoolExecutor(processes, get_context("spawn"), _ends_at_once)
    else:
        yield None
        return
    try:
        yield made
    finally:
        made.shutdown(wait=True, cancel_futures=True)


def _exit_code(worker: BaseProcess) -> int:
    """The exit code of an ended process.

    The pool's thread waits for it too: where that is first, the code is told a little later.
    """
    worker.join(END)
    told_by = time.monotonic() + END
    while worker.exitcode is None and time.monotonic() < told_by:
        time.sleep(0.01)
    return worker.exitcode or 0


def _lost(workers: list[BaseProcess]) -> ChildProcessError:
    """What ended a worker from outside. The pool itself ends the others by SIGTERM."""
    for worker in workers:
        code = _exit_code(worker)
        if code < 0 and code != -signal.SIGTERM:
            by = signal.Signals(-code).name
            return ChildProcessError(f"worker process {worker.pid} was ended by {by}")
    return ChildProcessError("a worker process has ended")


def _made(works: list[Work]) -> Iterator[tuple[str, Made]]:
    """Each work when it is done."""
    with _pool(len(works)) as pool:
        if pool is None:
            for name, make in works:
                yield name, _timed(make)
        else:
            under_way = {pool.submit(_timed, make): name for name, make in works}
            started = active_children()
            try:
                for future in as_completed(under_way):
                    yield under_way[future], future.result()
            except BrokenExecutor:
                raise _lost(started) from None


def _text(rows: Iterable[Row], columns: Sequence[str], rounded: Sequence[str]) -> str:
    """As CSV, numbers of the columns `rounded` to six digits."""
    import polars

    made = io.StringIO()
    out = csv.DictWriter(made, columns, extrasaction="ignore", lineterminator="\n")
    out.writeheader()
    out.writerows(rows)
    if not rounded:
        return made.getvalue()
    frame = polars.read_csv(made.getvalue().encode(), infer_schema_length=None)
    return frame.with_columns(polars.col(rounded).round_sig_figs(6)).write_csv()


def collect(
    path: Path, works: Iterable[Work], columns: Sequence[str], rounded: Sequence[str] = ()
) -> None:
    """Writes the rows of all works to `path`, in their order; columns `rounded` to six digits.

    They gather in a file .part beside it as they are done, and what an earlier call has left there
    is not made again. On standard error a line for each work that took a second or more, and on a
    terminal how many are done and the time left. Inside costs.planning() nothing is made.
    """
    part, wanted = path.with_suffix(".part"), list(works)
    kept = _kept(part)
    if costs.planned(path, [name for name, _ in wanted if name not in kept]):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w", newline="") as f:
        out = csv.DictWriter(f, ["work", *columns, "end"])
        out.writeheader()
        for name, rows in kept.items():
            out.writerows([*rows, {"work": name, "end": 1}])
        f.flush()
        left = [(name, make) for name, make in wanted if name not in kept]
        made = _made(left) if left else iter(())
        for name, (rows, took) in progress.watched(
            made, len(left), f"{path.name}: works", lambda one: one[0]
        ):
            out.writerows({"work": name} | row for row in rows)
            out.writerow({"work": name, "end": 1})
            f.flush()
            costs.made[costs.key(path, name)] = took
            if took >= 1:
                progress.tell(f"{path.name}: {name}: {took:.1f} s")
    done = _kept(part)
    every = (row for name, _ in wanted for row in done[name])
    with replaced(path) as made:
        results.write(made, _text(every, columns, rounded))
    part.unlink()


def guarded(main: Callable[[], int], command: str = "run.py") -> int:
    """Exit code of a command, with one line.

    2 for wrong input, 1 when a worker has been ended, 130 when interrupted.
    """
    try:
        return main()
    except KeyboardInterrupt:
        print("stopped; what is done stays, and the same command goes on from it", file=sys.stderr)
        return 130
    except ChildProcessError as error:
        print(
            f"{command}: {error}; what is done stays, and the same command goes on from it",
            file=sys.stderr,
        )
        return 1
    except (ValueError, OSError, EOFError) as error:
        print(f"{command}: {error}", file=sys.stderr)
        return 2


class Parser(argparse.ArgumentParser):
    """Command line whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Ends the command with 2."""
        self.exit(2, f"{self.prog}: {message}\n")
