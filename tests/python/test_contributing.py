"""The algorithm that CONTRIBUTING.md shows is compiled as it stands there, and proved."""

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
extern Algorithm NAME;
}

int main() {
    const hopbine::Algorithm& a = hopbine::registered::NAME;
    int proved = 0;
    for (int p = 1; p <= 9; ++p)
        for (int root = 0; root < (hopbine::rooted(a.collective) ? p : 1); ++root) {
            if (!hopbine::fits(a, p)) continue;
            const hopbine::Problem q = hopbine::resolve(a, {a.collective, p, root});
            const hopbine::Verdict verdict = hopbine::check(a, q);
            if (!verdict.ok) {
                std::printf("p = %d, root %d: %s\\n", p, root, verdict.why.c_str());
                return 1;
            }
            ++proved;
        }
    std::printf("%d proved\\n", proved);
}
"""


def example() -> tuple[str, str]:
    """The file's name without its suffix, and what is in it."""
    (code,) = re.findall(r"^```cpp\n(.*?)^```", (ROOT / "CONTRIBUTING.md").read_text(), re.M | re.S)
    path = re.match(r"// (src/algorithms/(\w+)/(\w+)\.cpp)\n", code)
    assert path, "the example does not begin with the name of its file"
    assert not (ROOT / path[1]).exists(), f"{path[1]} is there already"
    return f"{path[2]}_{path[3]}", code


def answer(name: str, code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Compiles the algorithm with a program that checks it, and runs that."""
    where = os.environ.get("HOPBINE_TEST_CORE", "")
    built = [where] if where else [b for b in BUILT if (ROOT / b / "libhopbine_core.a").exists()]
    assert built, "libhopbine_core.a is not built: scripts/setup test"
    (folder / f"{name}.cpp").write_text(code)
    (folder / "main.cpp").write_text(MAIN.replace("NAME", name))
    command = [
        *shlex.split(os.environ.get("CXX", "g++")),
        *("-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'src'}"),
        *BUILT.get(built[0], []),
        *(str(folder / f"{name}.cpp"), str(folder / "main.cpp")),
        *(str(ROOT / built[0] / "libhopbine_core.a"), "-pthread", "-o", str(folder / "proof")),
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return subprocess.run([folder / "proof"], capture_output=True, text=True, check=False)


def test_the_algorithm_of_contributing_is_proved(tmp_path):
    said = answer(*example(), tmp_path)
    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stdout == "45 proved\n"  # every root of 1 to 9 ranks


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("q.root)", "0)", "root 1"),
        ("Claim{q.p - 1,", "Claim{q.p,", "claim"),
    ],
)
def test_a_broken_one_is_refuted(tmp_path, right, wrong, why):
    name, code = example()
    assert code.count(right) == 1
    said = answer(name, code.replace(right, wrong), tmp_path)
    assert said.returncode == 1
    assert why in said.stdout
