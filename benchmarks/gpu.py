#!/usr/bin/env python3
"""Allreduce on GPU memory: hopbine, the MPI library and NCCL, each in jobs of its own.

    benchmarks/gpu.py [--ranks N] [--bytes 8,4096,...] [--gpu auto,direct,staged] [--peers BYTES]
        [--option WORD]... [--out FILE]

Writes a table with the devices and versions that took part: median microseconds of the slowest
rank. Every sum is compared. What does not run has a line with its reason. Exit code 2: this machine
has no CUDA device. Without --ranks there is one for each device.
"""

import argparse
import ctypes
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hopbine.bench.sizes import parse_sizes

SOURCE = Path(__file__).resolve().parent / "gpu.c"
#: What the program says of itself.
NAMES = ("MPI", "device", "CUDA driver", "NCCL")
SIZES = ",".join(str(8**k) for k in range(1, 10))


@dataclass
class Ran:
    """What one job printed, or why it ended."""

    versions: dict[str, str] = field(default_factory=dict)
    times: dict[int, str] = field(default_factory=dict)
    failure: str = ""


def devices() -> int:
    """Devices that CUDA's driver finds here; 0 without a driver."""
    count = ctypes.c_int(0)
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
            return 0
    except (OSError, AttributeError):
        return 0
    return count.value


def read(text: str) -> Ran:
    """Reads what gpu.c prints."""
    out = Ran()
    for line in text.splitlines():
        if row := re.fullmatch(r"(\d+) (\d+\.\d+) ?(.*)", line):
            out.times[int(row[1])] = row[2] + (f" ({row[3]})" if row[3] else "")
        elif named := re.fullmatch(rf"({'|'.join(NAMES)}): (.*)", line):
            out.versions[named[1]] = " ".join(named[2].split())
    return out


def run(command: list[str], seconds: int) -> Ran:
    """Runs a job."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return Ran(failure=f"no end within {seconds} s")
    out = read(done.stdout)
    if done.returncode:
        said = re.search(r"^(?:rank \d+|hopbine): (.*)$", done.stderr, re.M)
        out.failure = said[1] if said else f"ended with {done.returncode}"
    return out


def table(ways: dict[str, Ran], ranks: int, sizes: list[int]) -> str:
    """Formats the versions, the failures and the times."""
    versions: dict[str, str] = {}
    for ran in ways.values():
        versions |= ran.versions
    lines = [f"- {name}: {text}" for name, text in versions.items()]
    lines += [f"- {name} failed: {ran.failure}" for name, ran in ways.items() if ran.failure]
    lines += ["", f"Microseconds of an allreduce of floats on {ranks} ranks:", ""]
    lines += ["| bytes | " + " | ".join(ways) + " |", "|---:|" + "---:|" * len(ways)]
    for size in sizes:
        cells = (w.times.get(size, "") for w in ways.values())
        lines.append(f"| {size} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main(words: list[str] | None = None) -> int:
    """Prints or writes the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--ranks", type=int)
    parser.add_argument("--bytes", default=SIZES, help="sizes of a vector")
    parser.add_argument("--repetitions", type=int, default=51)
    parser.add_argument("--gpu", default="auto,direct,staged", help="modes of hopbine run")
    parser.add_argument(
        "--peers", type=int, metavar="BYTES", help="also direct with --gpu-peers BYTES"
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="WORD", help="a word for the launcher"
    )
    parser.add_argument("--hopbine", default="hopbine", help="the command")
    parser.add_argument("--mpicc", default="mpicc")
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--timeout", type=int, default=600, help="seconds of a job")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args(words)
    found = devices()
    if not found:
        print("gpu.py: CUDA's driver finds no device here: nothing is measured", file=sys.stderr)
        return 2
    ranks, sizes = args.ranks or found, parse_sizes(args.bytes)
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/gpu"
        subprocess.run([args.mpicc, "-O2", "-o", program, str(SOURCE), "-ldl"], check=True)
        launch = [args.mpiexec, "-n", str(ranks), *args.option]
        rest = [str(args.repetitions), *map(str, sizes)]
        modes = {mode: [mode] for mode in args.gpu.split(",")}
        if args.peers:
            modes["peers"] = ["direct", "--gpu-peers", str(args.peers)]
        run_with = [args.hopbine, "run", "--learn", "none", "--gpu"]
        ways = {
            f"hopbine, {name}": [*launch, *run_with, *mode, program, "mpi", *rest]
            for name, mode in modes.items()
        } | {
            "MPI library": [*launch, program, "mpi", *rest],
            "NCCL": [*launch, program, "nccl", *rest],
        }
        text = table({n: run(c, args.timeout) for n, c in ways.items()}, ranks, sizes)
    if args.out:
        args.out.write_text(text)
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
