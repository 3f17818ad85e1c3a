"""A training step with and without hopbine on an emulated network with scarce links."""

import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from hopbine.cli.stats import columns, rows_of
from hopbine.emulate.report import out_of_groups
from hopbine.output.tables import Table
from hopbine.recorded.crossings import job_of
from hopbine.recorded.statistics import load

HOPBINE = str(Path(sys.executable).with_name("hopbine"))
#: Nodes in each group, one rank each: uneven, as a batch system's allocation.
GROUPS = (5, 6, 5)
NETWORK = ("--groups", ",".join(map(str, GROUPS)), "--rate", "100Mbit", "--taper", "4")
STEPS = 40
#: The longer bar has so many characters.
BAR = 50
#: The largest difference of two losses that adding in another order explains: they are printed with
#: six digits behind the point, and floats have seven.
SAME = 2e-6


@dataclass(frozen=True)
class Outcome:
    """What a job printed, and what it took."""

    output: str
    steps: float  #: seconds of all steps on the slowest rank
    job: float  #: seconds with start-up
    between: int  #: bytes out of groups, counted by the kernel
    realtime: bool  #: other work on the machine did not delay ranks, as it does without root

    def losses(self) -> list[float]:
        """The losses that the program printed."""
        return [float(number) for number in re.findall(r"[\d.e-]+(?= in )", self.output)]


def refusal() -> str:
    """Why this machine emulates no network: the lines of --check; nothing where it does."""
    done = subprocess.run([HOPBINE, "emulate", "--check"], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


def run(mpiexec: str, command: list[str], environment: dict[str, str], told: Path) -> Outcome:
    """A job on a new emulated network. Ends with the job's output when it fails."""
    job = [mpiexec, "-n", str(sum(GROUPS)), *command]
    begin = time.monotonic()
    done = subprocess.run(
        [HOPBINE, "emulate", *NETWORK, "--json", told, "--", *job],
        capture_output=True,
        text=True,
        env=environment,
        stdin=subprocess.DEVNULL,
        timeout=300,
    )
    seconds = time.monotonic() - begin
    took = re.search(r"steps took (\S+) s", done.stderr)
    if done.returncode or not took:
        sys.exit(f"{' '.join(job)} ended with {done.returncode}:\n{done.stderr[-4000:]}")
    up = out_of_groups(told)["payload"]
    if up == 0:
        sys.exit(f"{' '.join(job)}: all ranks were on one host, where its launcher put them")
    realtime = json.loads(told.read_text())["realtime"]
    return Outcome(done.stdout.strip(), float(took[1]), seconds, up, realtime)


def agree(one: Outcome, other: Outcome) -> bool:
    """Whether both losses are there, the same but for the rounding of sums in another order."""
    pairs = list(zip(one.losses(), other.losses(), strict=False))
    return len(pairs) == 2 and all(abs(a - b) <= SAME for a, b in pairs)


def bar(seconds: float, longest: float) -> str:
    """A bar of a time, beside the longest."""
    return "#" * round(BAR * seconds / longest)


def show(stock: Outcome, served: Outcome, again: Outcome | None) -> None:
    """Prints a table and a picture of both times; beside them, where there is one, an equal job."""
    rows = [
        ("time of the steps", "{:.2f} s", stock.steps, served.steps),
        ("whole job with start-up", "{:.2f} s", stock.job, served.job),
        ("bytes between groups", "{:,}", stock.between, served.between),
    ]
    noise = f"{'without again':>18}{'':4}ratio (noise)" if again else ""
    print(f"{'':26}{'without hopbine':>18}{'with':>15}{'':4}ratio{noise}")
    equal = (again.steps, again.job, again.between) if again else (None,) * len(rows)
    for (name, form, before, after), same in zip(rows, equal, strict=True):
        shown = [form.format(value) for value in (before, after)]
        beside = "" if same is None else f"{form.format(same):>18}{same / before:9.2f}"
        print(f"{name:26}{shown[0]:>18}{shown[1]:>15}{after / before:9.2f}{beside}")
    if again:
        print("Without root other work on the machine delays ranks: equal jobs differ as told.")
    longest = max(stock.steps, served.steps)
    print(f"\nwithout  {bar(stock.steps, longest)} {stock.steps:.2f} s")
    print(f"with     {bar(served.steps, longest)} {served.steps:.2f} s")


def show_calls(statistics: Path) -> None:
    """Prints what served each kind of call, and names what gained nothing."""
    data = load(statistics)
    rows = rows_of(str(statistics), data, job_of(data))
    print()
    Table().table(columns(waits=False, unit="groups", every=False, ranks=False), rows)
    print(
        "Rows of `mpi` gain nothing: the MPI library serves them. Nor does the halo, which is no "
        "collective.\nThe bytes above are counted by the kernel, with the library's own messages; "
        "those here by hopbine, from schedules."
    )


def demonstrate(family: str, mpiexec: str, program: Path, environment: dict[str, str]) -> bool:
    """Runs the program with and without hopbine; whether the answers agree."""
    work = program.parent
    statistics = work / "training.json"
    command = [str(program), "-t", str(STEPS)]
    print(
        f"\ntraining (C), {sum(GROUPS)} ranks, {family}, on an emulated network: groups of "
        f"{', '.join(map(str, GROUPS))} hosts, 100 Mbit/s each,\nthe hosts of a group share a "
        "quarter of that (4:1). hopbine as it is by default."
    )
    stock = run(mpiexec, command, environment, work / "without.links.json")
    served = run(
        mpiexec,
        [HOPBINE, "run", "--stats", str(statistics), *command],
        environment,
        work / "with.links.json",
    )
    again = None if stock.realtime else run(mpiexec, command, environment, work / "again.json")
    same = agree(stock, served)
    print(f"Answers {'are the same' if same else 'DIFFER'}: {stock.output}")
    if not same:
        print(f"    with hopbine: {served.output}")
    print()
    show(stock, served, again)
    show_calls(statistics)
    print(
        f"\nRepeat it: .venv/bin/hopbine emulate {' '.join(NETWORK)} -- "
        f"{os.path.relpath(mpiexec)} -n {sum(GROUPS)} .venv/bin/hopbine run "
        f"{os.path.relpath(program)} -t"
    )
    return same
