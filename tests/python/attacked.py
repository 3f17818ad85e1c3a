"""Runs command lines of hopbine, each in a child of its own with bounded time and memory.

JSON in, JSON out.

A process that has loaded neither polars nor matplotlib forks quickly and safely, which a test
runner's does not.
"""

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


def one(argv: list[str]) -> dict:
    """Exit code (negative: the signal), CPU seconds and standard error of a command."""
    from hopbine.cli import main

    with tempfile.TemporaryFile() as said:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(os.open(os.devnull, os.O_RDWR), 1)
            os.dup2(said.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.alarm(12 * CPU)
            code = 70
            try:
                code = main(argv)
            except BaseException as error:
                print(f"Traceback: {type(error).__name__}: {error}"[:2000], file=sys.stderr)
            sys.stderr.flush()
            os._exit(code)
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
    from hopbine.cli import VERBS, _parser

    begin = time.monotonic()
    cases = json.load(sys.stdin)
    for verb in {argv[0] for argv in cases} & set(VERBS):
        _parser(verb)  # loads the modules of the verb: most of what a child would take
    json.dump([one(argv) for argv in cases], sys.stdout)
    print(f"{time.monotonic() - begin:.1f} s", file=sys.stderr)
