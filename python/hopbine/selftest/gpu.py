"""What an MPI library does with GPU memory, tried in jobs of their own: `hopbine gpu probe`.

Nothing gets out of a crash inside of MPI, and neither MPI nor a GPU's driver survives a fork.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from ..bench.launch import library_environment, measuring_program, quiet_environment
from ..errors import JobError, UsageError
from ..notation.text import one_line
from ..output.replaced import replaced
from .libraries import Library

#: Processes of a job, and what they try, in this order: what each shows is an answer of the record.
RANKS = 2
TRIALS = {"messages": "messages", "collectives": "all"}
NOTHING = "nothing"
#: Exit code of the program where it finds no GPU.
_ABSENT = 4


@dataclass(frozen=True)
class Probed:
    """An answer, what it is about, where it was recorded, and how the first failed trial ended."""

    answer: str
    subject: str
    file: Path
    failure: str


def probe(library: Library, options: list[str], seconds: float) -> Probed:
    """Tries a library, with more options for its launcher, and records the answer.

    UsageError: there is no GPU here, or nowhere to record; JobError: the job did not start.
    """
    answer, failure, record = NOTHING, "", ""
    for trial, shows in TRIALS.items():
        done = _run(library, options, trial, seconds)
        record = record or _value(done.stdout, "record ")
        if done.returncode == 0 and "right" in done.stdout.splitlines():
            answer = shows
            continue
        failure = f"{trial}: {_why(done)}"
        if _value(done.stderr, "hopbine-gpu_probe: ") and done.returncode == _ABSENT:
            raise UsageError(one_line(failure))
        if not record:
            raise JobError(f"the job of hopbine gpu probe did not start: {_why(done)}")
        break
    file, _, subject = record.partition("\t")
    if not file:
        raise UsageError("there is no cache folder to record the answer in: set XDG_CACHE_HOME")
    _keep(Path(file), answer, subject)
    return Probed(answer, subject, Path(file), failure)


def _run(
    library: Library, options: list[str], trial: str, seconds: float
) -> subprocess.CompletedProcess[str]:
    program = measuring_program(library.runtime, "gpu_probe")
    under = [sys.executable, "-m", "hopbine", "run", "--gpu", "pass", "--quiet"]
    command = [library.launcher, *options, "-n", str(RANKS), *under, str(program), trial]
    own = quiet_environment(library.family, RANKS)
    own |= library_environment(library.launcher, library.runtime)
    try:
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            env=os.environ | own | {"HOPBINE_CHOICE": "table"},
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else ""
        return subprocess.CompletedProcess(
            command, 1, said, f"hopbine-gpu_probe: no end within {seconds:g} s\n"
        )


def _value(text: str, begin: str) -> str:
    """The rest of the first line that begins so; empty: there is none."""
    lines = (line for line in text.splitlines() if line.startswith(begin))
    return next(lines, "").removeprefix(begin)


def _why(done: subprocess.CompletedProcess[str]) -> str:
    """The program's own words, else the exit code."""
    own = _value(done.stderr, "hopbine-gpu_probe: ") or _value(done.stderr, "hopbine: ")
    return own or f"ended with {done.returncode}"


def _keep(file: Path, answer: str, subject: str) -> None:
    """Adds a line to the record, in the place of an older one about the same."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    old = file.read_text().splitlines() if file.exists() else []
    kept = [line for line in old if line.partition("\t")[2] != subject]
    with replaced(file) as made:
        made.write_text("".join(f"{line}\n" for line in [*kept, f"{answer}\t{subject}"]))
