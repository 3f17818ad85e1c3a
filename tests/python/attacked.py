"""Runs command lines of hopbine, each in a child of its own with bounded time and memory.

JSON in, JSON out. All are of one verb.

A process that has loaded neither polars nor matplotlib forks quickly and safely, which a test
runner's does not.
"""

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import time

#: Seconds of CPU and bytes of memory that a command may take. The machines that test are slow and
#: shared.
CPU, MEMORY = 5, 6 << 30


def bounded(argv: list[str], said: int) -> int:
    """Exit code of a command that has `said` as standard error, in bounded time and memory."""
    from hopbine.cli import main

    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    os.dup2(said, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(12 * CPU)
    try:
        return main(argv)
    except BaseException as error:
        print(f"Traceback: {type(error).__name__}: {error}"[:2000], file=sys.stderr)
        return 70
    finally:
        sys.stderr.flush()


def load_what_is_loaded_by(argv: list[str]) -> None:
    """Loads the modules of a command, which a child tells: most of what each child would take."""
    ours, theirs = os.pipe()
    if os.fork() == 0:
        bounded(argv, os.open(os.devnull, os.O_RDWR))
        os.write(theirs, "\n".join(sys.modules).encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as told:  # nothing where the command became another program
        names = told.read().split()
    os.wait()
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def one(argv: list[str]) -> dict:
    """Exit code (negative: the signal), CPU seconds and standard error of a command."""
    with tempfile.TemporaryFile() as said:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        child = os.fork()
        if child == 0:
            os._exit(bounded(argv, said.fileno()))
        status = os.waitpid(child, 0)[1]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        said.seek(0)
        return {
            "code": os.waitstatus_to_exitcode(status),
            "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            "err": said.read().decode(errors="surrogateescape"),
        }


if __name__ == "__main__":
    import polars  # noqa: F401

    import hopbine._core  # noqa: F401  each child has what takes long to load; no threads begin

    begin = time.monotonic()
    cases = json.load(sys.stdin)
    load_what_is_loaded_by(cases[0])
    json.dump([one(argv) for argv in cases], sys.stdout)
    print(f"{time.monotonic() - begin:.1f} s", file=sys.stderr)
