"""The commands of README.md and docs/, and what stands in for what is large or not here."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
#: Pages with commands; docs/reference is generated.
PAGES = [
    page.relative_to(ROOT).as_posix()
    for page in (
        ROOT / "README.md",
        ROOT / "packaging/site/landing.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    )
    if page.parent.name != "reference"
]

#: Pages whose blocks have lines that are no commands.
DRAWINGS = ("docs/design.md", "docs/model.md")
#: Commands that no test of this file runs, and where they run instead.
ELSEWHERE = {
    r"(make|git|pip|MPI=\w+) |cmake -S|scripts/setup|packaging/": "CI begins with what makes these",
    r"cmake --build build/python|build/python/": "tests/mpi/model, of scripts/test, runs it",
    r"cmake (-B|--build) build/bench|build/bench/": "takes a device, or minutes to build",
    r"HOPBINE_TEST_SUMS=": "scripts/release-checks runs it",
    r"scripts/wheel": "tests/mpi/test_wheel.py runs it",
    r"tar |mpiexec .*hopbine-run-": "tests/release runs it, on what scripts/release has made",
    r"rm -rf ": "removes what is installed",
    r"export PATH|python3 -m venv": "the tests have it",
    r"mpiexec .*wordrank\.py": "scripts/first-steps runs it, in an empty system",
    r"(cc|mpicc) .*pkg-config": "tests/mpi/test_install.py compiles so",
    r"source |fpath=": "tests/python/test_completion.py reads these files",
    r"scontrol ": "tests/slurm has a cluster",
    r"srun |salloc |hopbine traffic allreduce$|.*--launch .srun": "tests/slurm has a cluster",
    r".*apptainer": "Apptainer is not here; tests/mpi/test_beside.py does what it does",
    r"apt-get |g\+\+ .*simgrid|python benchmarks/simgrid": "SimGrid and programs of Debian",
    r"python benchmarks/": "takes data, an emulated network, other machines or minutes: by hand",
    r"\.venv/bin/(python reproduce/|hopbine reproduce )": "takes minutes; "
    "tests/python/test_paper_pages.py runs small ones",
    r"HOPBINE_WORKERS=2 python|mpiexec .*mpi4py\.futures": "tests/mpi/test_paper_workers.py and "
    "tests/python/test_paper_pages.py run small ones",
    r".*\[--": "a form, not a command",
    r"MPIR_CVAR\w+=\S* mpiexec": "tests/mpi/test_selection_export.py runs jobs with such files",
    r"reframe ": "tests/mpi/test_reframe.py runs it",
    r"mpicc -std=gnu17": "tests/attack compiles it",
    r"mpiexec .*gradients\.py": "tests/mpi/test_device_python.py runs it",
    r"scripts/gpu": "tests/mpi/test_gpu_bundle.py runs it",
    r"scripts/aarch64 processor": "CI runs it",
    r"scripts/aarch64 (wheel|jobs|core)": "scripts/release-checks runs it",
    r"cmake --preset aarch64": "scripts/aarch64 does so",
}
if not shutil.which("tc", path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
    ELSEWHERE[r"hopbine emulate (?!--check)"] = "tc is not installed here (Debian: iproute2)"
#: What makes commands small, in this order: a pattern, and what is written for it.
SMALL = {
    r"\bmpiexec -n \d+": "mpiexec -n 2",
    r": -n \d+": ": -n 1",
    r"(--learn learned.*)\./app": r"\1./learning 300",
    r"\./(your_program|program|app|ocean|atmosphere)\b": "./program",
    r"\bN1 N2\b": "64 96",
    r"^--algorithm (.*)": r"hopbine run --algorithm \1 true",
    r"-p 1\.\.64": "-p 1..4",
    r"(torus|hyperx):64x64": r"\1:4x4",
    r"dragonfly:\d+x\d+x\d+( -p 64)?": r"dragonfly:3x2x2",
    r"fattree:8x8": "fattree:4x2",
    r"--shape 8x8 (--format|\./)": r"--shape 2x2 \1",
    r"-p 64 --shape 2x2": "-p 4 --shape 2x2",
    r"swing -p 64": "swing -p 4",
    r"run (.*)--shape 2x2": r"run \1--shape 2x1",
    r"--nodes \d+x\d+": "--nodes 4x2",
    r":512MiB:4": ":2KiB:4",
    r"512:8MiB:4": "512,64KiB",
    r"--sizes (2|8)MiB": "--sizes 64KiB",
    r"fragmented:\d{3,}": "fragmented:32",
    r"--ranks-per-node 32": "--ranks-per-node 2",
    r"--k 2:128": "--k 2:8",
    r"reduce --ranks 128": "reduce --ranks 16",
    r"^((hopbine emulate .*)?hopbine bench .*)": r"\1 --ranks 2 --sizes 8 --repetitions 2",
    r"^(hopbine tune .*)": r"\1 --ranks 2 --sizes 8 --budget 2s",
    r"^(hopbine compare )(.*)--figure '[^']*' ": r"\1\2",
    r"^(hopbine compare )": r"\1--pairs 1 ",
    r"^(hopbine calibrate .*)": r"\1 --ranks 3 --sizes 8,256KiB --repetitions 3",
    r"^(hopbine model .*--measure.*)": r"\1 --ranks 3 --k 2..3 --sizes 8 --repetitions 2",
    r"\bFILE\b": "rules.json",
    r"^mpicc -O2 -o": "mpicc -DLOOPS=3 -o",
    r"\./against_library": "./against_library 64 bcast",
    r"hopbine run (--system my-)": r"env HOPBINE_NODE=nid005001 hopbine run \1",
    r"(\./nonblocking .*allreduce) .*": r"\1 4096",
    r"lumi --hosts stats\.json": "lumi --hosts lumi.json",
    r"libmpi\.so\.12": "$MPICH_LIBRARY",
    r"\./sums [\d ]+": "./sums 8 65536",
    r"hopbine jobs jobs_leonardo\.csv": "hopbine jobs jobs.csv",
}
#: Answers of commands that are no errors.
OTHER_CODES = {
    r".*--verify": (1,),
    r"hopbine select validate": (1,),
    r"hopbine hang": (2,),  # no watched job runs here
    r"hopbine gpu probe": (2,),  # no GPU is here
}
#: Files that commands name, by what they hold.
FILES = {
    "jobs.csv": 'job,hosts\n1,"lrdn[0001-0004,0500-0503]"\n2,lrdn[0100-0107]\n',
    "job.csv": 'job,hosts\n3,"lrdn[0201-0204]"\n',
    "jobs_leonardo.csv": 'job,hosts\n1,"lrdn[0001-0004,0500-0503]"\n2,lrdn[0100-0107]\n',
    "squeue.txt": "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n"
    "7 gpu a me R 1:00 3 nid[005001-005002,005200]\n",
    "topology.txt": "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[1-2]\n"
    "SwitchName=s2 Level=0 LinkSpeed=1 Nodes=n[3-4]\n"
    "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=s[1-2]\n",
    "hosts.txt": "nid000001\nnid000002\nnid000003\n",
    "rules-frontier.json": '{"hopbine_rules": 1, "rules": [{"collective": "allreduce", '
    '"ranks": [8, 1024], "bytes": [0, 4096], "algorithm": "recursive_multiplying", '
    '"parameters": {"k": 8}}]}',
    "learned.json": '{"hopbine_rules": 1, "rules": []}',
    "rules.json": '{"hopbine_rules": 1, "rules": [{"collective": "allreduce", "ranks": [2, 64], '
    '"bytes": [0, 4096], "algorithm": "recursive_doubling"}]}',
}


class Command(NamedTuple):
    """As it stands on its page, without its comment."""

    line: int
    text: str


def blocks(text: str) -> Iterator[Command]:
    """Lines of indented blocks: those after an empty line, at four spaces or more."""
    inside, before, fenced = False, "", False
    for number, line in enumerate(text.split("\n"), 1):
        fenced ^= line.startswith("```")
        inside = line.startswith("    ") and not fenced and (inside or not before.strip())
        if inside:
            yield Command(number, line.strip())
        before = line


def commands(page: str) -> Iterator[Command]:
    """Commands of a page in its order: continued lines are joined, several in one are divided."""
    begun: Command | None = None
    for number, line in blocks((ROOT / page).read_text()):
        text = re.sub(r"(^|\s)#\s.*$", "", line).strip()
        if begun:
            number, text = begun.line, f"{begun.text}{text}"
        begun = None
        if text.endswith("\\"):
            begun = Command(number, text[:-1])
        elif text:
            yield from (Command(number, part) for part in re.split(r";\s+", text))


def is_command(text: str) -> bool:
    """Not a drawing, a table or what a command printed."""
    known = r"([A-Z_]+=\S* )?(hopbine|mpiexec|mpicc|eval|export|--algorithm)\s"
    return bool(re.match(known, text)) or elsewhere(text) is not None


def elsewhere(text: str) -> str | None:
    """Where it runs instead."""
    return next((why for pattern, why in ELSEWHERE.items() if re.match(pattern, text)), None)


def running(page: str) -> list[Command]:
    """The commands of a page that run here."""
    return [c for c in commands(page) if is_command(c.text) and not elsewhere(c.text)]


def small(text: str) -> str:
    """What runs in its place."""
    for pattern, instead in SMALL.items():
        text = re.sub(pattern, instead, text)
    return text


def spans(page: str) -> Iterator[str]:
    """Commands inside of sentences: `hopbine VERB ...`."""
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(), flags=re.M | re.S)
    for span in re.findall(r"`(hopbine [a-z][^`]*)`", text):
        yield " ".join(span.split())


def python_blocks(page: str) -> list[str]:
    """Examples in Python."""
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
