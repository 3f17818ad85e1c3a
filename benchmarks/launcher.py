#!/usr/bin/env python3
"""What `hopbine run` adds to the start of a rank: time, and calls of the file system.

    benchmarks/launcher.py HOPBINE [--launches 10000] [--program /bin/true]

HOPBINE is the command, as installed or in the build folder; its words after `run` may follow in
quotes. Launches with and without take turns. The calls are those that strace -f -e trace=%file sees
until the program begins (strace has to be there).
"""

import argparse
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

#: Launches of each kind before any is timed.
WARM = 20


def seconds(command: list[str], quiet: int) -> float:
    """From the start of a process to its end. RuntimeError when it fails."""
    begin = time.perf_counter()
    actions = [(os.POSIX_SPAWN_DUP2, quiet, stream) for stream in (1, 2)]
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
    status = os.waitpid(child, 0)[1]
    took = time.perf_counter() - begin
    if status:
        raise RuntimeError(f"{shlex.join(command)} ended with status {status}")
    return took


def in_turns(commands: dict[str, list[str]], launches: int) -> dict[str, list[float]]:
    """Seconds of every launch of each command."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    with open(os.devnull, "w") as nothing:
        for i in range(launches + WARM):
            for name, command in commands.items():
                took = seconds(command, nothing.fileno())
                if i >= WARM:
                    times[name].append(took)
    return times


def file_calls(command: list[str], program: str) -> int:
    """Calls of the file system from the start until the program begins, with its execve."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "strace"
        subprocess.run(
            ["strace", "-f", "-qq", "-e", "trace=%file", "-o", str(log), *command],
            check=True,
            capture_output=True,
        )
        lines = [line for line in log.read_text().splitlines() if " = " in line]
    begins = re.compile(rf'execve\("{re.escape(program)}".* = 0$')
    return next(i for i, line in enumerate(lines, 1) if begins.search(line))


def main() -> int:
    """Prints a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("hopbine", help="the command")
    parser.add_argument("--launches", type=int, default=10_000)
    parser.add_argument("--program", default="/bin/true", help="full name of a program")
    args = parser.parse_args()
    words = shlex.split(args.hopbine)
    run = words if "run" in words else [*words, "run"]
    commands = {"alone": [args.program], "under hopbine run": [*run, args.program]}
    times = in_turns(commands, args.launches)
    print(f"{args.launches} launches of {args.program} each, milliseconds")
    print(f"{'':<20}{'median':>8}{'90 %':>8}{'99 %':>8}{'file calls':>12}")
    for name, command in commands.items():
        cuts = statistics.quantiles(times[name], n=100)
        shown = (1e3 * statistics.median(times[name]), 1e3 * cuts[89], 1e3 * cuts[98])
        calls = file_calls(command, args.program)
        print(f"{name:<20}" + "".join(f"{ms:>8.2f}" for ms in shown) + f"{calls:>12}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
