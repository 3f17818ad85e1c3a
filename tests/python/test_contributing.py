"""The algorithms that CONTRIBUTING.md shows are compiled as they stand there, and proved."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: What `make test` has built by now, and what else programs with it need.
BUILT = {
    "build/python": [],
    "build/dev": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
}
MAIN = """
#include <cstdio>

#include "verify/check.hpp"

namespace hopbine::registered {
extern Algorithm bcast_relay, reduce_relay;
}

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

int main() {
    using namespace hopbine::registered;
    return prove(bcast_relay) && prove(reduce_relay) ? 0 : 1;
}
"""


def examples() -> dict[str, str]:
    """What is in each file, by its path."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    found = {}
    for code in re.findall(r"^```cpp\n(.*?)^```", text, re.M | re.S):
        path = re.match(r"// (src/algorithms/\w+/\w+\.cpp)\n", code)
        assert path, "an example does not begin with the name of its file"
        assert not (ROOT / path[1]).exists(), f"{path[1]} is there already"
        found[path[1]] = code
    return found


def answer(sources: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Compiles the algorithms with a program that checks them, and runs that."""
    where = os.environ.get("HOPBINE_TEST_CORE", "")
    built = [where] if where else [b for b in BUILT if (ROOT / b / "libhopbine_core.a").exists()]
    assert built, "libhopbine_core.a is not built: scripts/setup test"
    files = [folder / "main.cpp"]
    files[0].write_text(MAIN)
    for path, code in sources.items():
        files.append(folder / path.replace("/", "_"))
        files[-1].write_text(code)
    command = [
        *shlex.split(os.environ.get("CXX", "g++")),
        *("-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'src'}"),
        *BUILT.get(built[0], []),
        *map(str, files),
        *(str(ROOT / built[0] / "libhopbine_core.a"), "-pthread", "-o", str(folder / "proof")),
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return subprocess.run([folder / "proof"], capture_output=True, text=True, check=False)


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
