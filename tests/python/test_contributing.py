"""What CONTRIBUTING.md shows is compiled as it stands there, and its algorithms are proved."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from hopbine import _core

ROOT = Path(__file__).parents[2]
Told = subprocess.CompletedProcess[str]
#: What `make test` has built by now, and what else programs with it need.
BUILT = {
    "build/python": [],
    "build/dev": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
}
PROVE = """
#include <cstdio>

#include "verify/check.hpp"

bool prove(hopbine::Algorithm& a) {
    hopbine::complete(a);
    int proved = 0;
    for (int p = 1; p <= 9; ++p)
        for (int root = 0; root < (hopbine::rooted(a.collective) ? p : 1); ++root) {
            if (!hopbine::fits(a, p)) continue;
            const hopbine::Problem q = hopbine::resolve(a, {a.collective, p, root});
            const hopbine::Verdict verdict = hopbine::check(a, q);
            if (!verdict.ok) {
                std::printf("%s: p = %d, root %d: %s\\n", name(a.collective), p, root,
                            verdict.why.c_str());
                return false;
            }
            ++proved;
        }
    std::printf("%s %s: %d proved\\n", name(a.collective), a.name, proved);
    return true;
}
"""
ALGORITHMS = (
    PROVE
    + """
namespace hopbine::registered {
extern Algorithm bcast_relay, reduce_relay;
}

int main() {
    using namespace hopbine::registered;
    return prove(bcast_relay) && prove(reduce_relay) ? 0 : 1;
}
"""
)
#: All algorithms are those of the example, and the lookup by name finds its collective.
COLLECTIVE = (
    PROVE
    + """
namespace hopbine::registered {
extern Algorithm alltoall_pairwise, answer_pairwise;
}
using namespace hopbine::registered;

const std::vector<const hopbine::Algorithm*>& hopbine::algorithms() {
    static const std::vector<const Algorithm*> all{&alltoall_pairwise, &answer_pairwise};
    complete(answer_pairwise);
    return all;
}

int main() {
    if (hopbine::collective_named("answer") != answer_pairwise.collective) return 2;
    return prove(alltoall_pairwise) && prove(answer_pairwise) ? 0 : 1;
}
"""
)
#: Sources that the collective of the example is compiled with, since its row is in a header.
CORE = (
    *("src/schedule/*.cpp", "src/combinators/*.cpp", "src/verify/*.cpp"),
    *("src/families/exchange/direct_alltoall.cpp", "src/algorithms/alltoall/pairwise.cpp"),
)
#: Files that a newcomer's collective may change, besides the one that is new.
MOST_CHANGED = 3


def examples(collective: str = "bcast|reduce") -> dict[str, str]:
    """What is in each file, by its path: the algorithms of some collectives."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    found = {}
    for code in re.findall(r"^```cpp\n(.*?)^```", text, re.M | re.S):
        path = re.match(r"// (src/algorithms/\w+/\w+\.cpp)\n", code)
        assert path, "an example does not begin with the name of its file"
        assert not (ROOT / path[1]).exists(), f"{path[1]} is there already"
        if re.match(rf"src/algorithms/({collective})/", path[1]):
            found[path[1]] = code
    return found


def changes(folder: str) -> dict[str, str]:
    """Each file of a folder that an example changes, as it is then, by its path."""
    found = {}
    text = (ROOT / "CONTRIBUTING.md").read_text()
    for path, hunks in re.findall(rf"^```diff\n--- ({folder}/\S+)\n(.*?)^```", text, re.M | re.S):
        now = (ROOT / path).read_text()
        for hunk in hunks.split("@@\n")[1:]:
            lines = hunk.splitlines(keepends=True)
            before = "".join(line[1:] for line in lines if line[0] in " -")
            assert now.count(before) == 1, f"{path} has not once: {before}"
            now = now.replace(before, "".join(line[1:] for line in lines if line[0] in " +"))
        found[path] = now
    return found


def proved(sources: dict[str, str], folder: Path, rest: list[str]) -> Told:
    """Compiles sources with the rest of a command into a program, and runs that."""
    for path, code in sources.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(code)
    command = [
        *shlex.split(os.environ.get("CXX", "g++")),
        *("-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{folder / 'src'}", f"-I{ROOT / 'src'}"),
        *(str(folder / path) for path in sources if path.endswith(".cpp")),
        *(*rest, "-pthread", "-o", str(folder / "proof")),
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return subprocess.run([folder / "proof"], capture_output=True, text=True, check=False)


def answer(sources: dict[str, str], folder: Path) -> Told:
    """A program that checks the algorithms, with the core as it was built."""
    where = os.environ.get("HOPBINE_TEST_CORE", "")
    built = [where] if where else [b for b in BUILT if (ROOT / b / "libhopbine_core.a").exists()]
    assert built, "libhopbine_core.a is not built: scripts/setup test"
    core = str(ROOT / built[0] / "libhopbine_core.a")
    return proved(sources | {"main.cpp": ALGORITHMS}, folder, [*BUILT.get(built[0], []), core])


def test_the_algorithms_of_contributing_are_proved(tmp_path):
    said = answer(examples(), tmp_path)
    assert said.returncode == 0, said.stdout + said.stderr
    # every root of 1 to 9 ranks
    assert said.stdout == "bcast relay: 45 proved\nreduce relay: 45 proved\n"


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("q.root)", "0)", "root 1"),
        ("Claim{q.p - 1,", "Claim{q.p,", "claim"),
    ],
)
def test_a_broken_one_is_refuted(tmp_path, right, wrong, why):
    sources = examples()
    (path,) = [p for p, code in sources.items() if code.count(right) == 1]
    said = answer(sources | {path: sources[path].replace(right, wrong)}, tmp_path)
    assert said.returncode == 1
    assert why in said.stdout


def test_the_readme_is_one_page():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 85


def test_the_readme_counts_the_registry():
    readme = (ROOT / "README.md").read_text()
    (told,) = re.findall(r"^\*\*(\d+) algorithms\*\* of (\d+) collectives", readme, re.M)
    known = _core.algorithms()
    assert told == (str(len(known)), str(len({one["collective"] for one in known})))


def test_the_collective_of_contributing_is_one_new_file_and_few_changed_ones(tmp_path):
    new, changed = examples("answer"), changes("src/schedule")
    assert len(new) == 1
    assert 1 <= len(changed) <= MOST_CHANGED
    core = {
        f"{i}.cpp": "".join(f'#include "{path}"\n' for path in sorted(ROOT.glob(pattern)))
        for i, pattern in enumerate(CORE)
    }
    said = proved(new | changed | core | {"main.cpp": COLLECTIVE}, tmp_path, [])
    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stdout == "alltoall pairwise: 9 proved\nanswer pairwise: 9 proved\n"


def mpi_flags() -> list[str]:
    """How the runtime of the first MPI library of setup is compiled."""
    mpis = subprocess.run([ROOT / "scripts/mpis"], capture_output=True, text=True, check=True)
    _, mpicc, _ = mpis.stdout.splitlines()[0].split("=")
    shown = subprocess.run([mpicc, "-show"], capture_output=True, text=True, check=True)
    return [word for word in shlex.split(shown.stdout) if word.startswith(("-I", "-D"))]


@pytest.mark.parametrize(
    ("folder", "example"),
    [("src/mpi/execute", "counting_transport.hpp"), ("src/mpi/bind", "timeline.hpp")],
)
def test_an_example_of_the_runtime_is_one_new_file_and_few_changed_ones(tmp_path, folder, example):
    changed = changes(folder)
    assert 1 <= len(changed) <= MOST_CHANGED
    new = {f"{folder}/{example}": (ROOT / "examples/runtime" / example).read_text()}
    for path, code in (changed | new).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(code)
    for path in changed:
        command = [
            *shlex.split(os.environ.get("CXX", "g++")),
            *("-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"),
            *("-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"),
            *(f"-I{tmp_path / 'src'}", f"-I{ROOT / 'src'}", f"-I{ROOT / 'include'}"),
            *(*mpi_flags(), str(tmp_path / path)),
        ]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
