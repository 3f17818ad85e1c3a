"""A plugin of pytest that records on which MPI libraries which tests ran, for scripts/support.

PYTEST_ADDOPTS="-p record_runs" loads it where this folder is in PYTHONPATH. HOPBINE_TEST_RUNS is
the file that a line of JSON is added to for each library of HOPBINE_TEST_MPIS, at the end.
"""

import json
import os
import platform
import re
import subprocess
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

#: Tests of tools are recorded one by one.
OF_TOOLS = ("test_tools.py", "test_beside.py")
#: The name of the library whose programs have the ABI of the standard, and of its fixture.
ABI = "abi"
#: Prints the C library's version in a line, then the MPI library's.
VERSION = """
#include <gnu/libc-version.h>
#include <mpi.h>
#include <stdio.h>
int main(void) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    return printf("%s\\n%s\\n", gnu_get_libc_version(), text) < 0;
}
"""


def compiler_of(mpicc: str) -> str:
    """The compiler of a wrapper and its version, as it defines them."""
    macros = subprocess.run(
        [mpicc, "-dM", "-E", "-x", "c", "/dev/null"], capture_output=True, text=True, check=True
    )
    (version,) = re.findall(r'^#define __VERSION__ "(.*)"$', macros.stdout, re.M)
    return version if "__clang__" in macros.stdout else f"GCC {version}"


def machine_of(mpicc: str) -> str:
    """What a wrapper compiles for, such as x86_64; and that it is not this machine."""
    target = subprocess.run([mpicc, "-dumpmachine"], capture_output=True, text=True, check=True)
    machine = target.stdout.partition("-")[0]
    return machine if machine == platform.machine() else f"{machine} under emulation"


def library_versions(mpicc: str, folder: Path) -> tuple[str, str]:
    """What the C library and MPI_Get_library_version say, each in one line."""
    source, program = folder / "version.c", folder / "version"
    source.write_text(VERSION)
    subprocess.run([mpicc, "-o", program, source], check=True, capture_output=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    libc, mpi, *_ = done.stdout.splitlines()
    return f"glibc {libc}", " ".join(mpi.partition(",")[0].replace("Version:", "").split())


class Runs:
    """Outcomes of the tests of each MPI library, by file."""

    def __init__(self) -> None:
        self.files: dict[str, dict[str, Counter[str]]] = {}
        self.tools: dict[str, dict[str, str]] = {}
        self.library: dict[str, str] = {}  # by test

    def pytest_collection_modifyitems(self, items) -> None:
        """Which library a test is of: its parameter `mpi`."""
        for item in items:
            mpi = getattr(item, "callspec", None) and item.callspec.params.get("mpi")
            if mpi is not None:
                self.library[item.nodeid] = getattr(mpi, "name", None) or mpi[0]
            elif ABI in getattr(item, "fixturenames", ()):
                self.library[item.nodeid] = ABI

    def pytest_runtest_logreport(self, report) -> None:
        """One outcome for a test: what its call says, or why there was none."""
        name = self.library.get(report.nodeid)
        if name is None or (report.when != "call" and report.outcome == "passed"):
            return
        file, _, test = report.nodeid.partition("[")[0].partition("::")
        self.files.setdefault(name, {}).setdefault(file, Counter())[report.outcome] += 1
        if file.endswith(OF_TOOLS):
            self.tools.setdefault(name, {})[test] = report.outcome

    def pytest_sessionfinish(self, session) -> None:
        """Adds the lines."""
        libraries = [e.split("=") for e in os.environ["HOPBINE_TEST_MPIS"].split(";") if e]
        folder = Path(os.environ["HOPBINE_TEST_RUNS"]).parent
        folder.mkdir(parents=True, exist_ok=True)
        for name, mpicc, _ in libraries:
            if name not in self.files:
                continue
            libc, library = library_versions(mpicc, folder)
            line = {
                "mpi": f"{library}, MPI-5 ABI" if name == ABI else library,
                "compiler": compiler_of(mpicc),
                "machine": machine_of(mpicc),
                "libc": libc,
                "on": f"{datetime.now(UTC):%Y-%m-%d}",
                "files": self.files[name],
                "ranks": os.environ.get("HOPBINE_TEST_RANKS", "1 2 3 4 5 7 8"),
                "tools": self.tools.get(name, {}),
            }
            with open(os.environ["HOPBINE_TEST_RUNS"], "a") as file:
                file.write(json.dumps(line) + "\n")


def pytest_configure(config) -> None:
    """In the process that starts the others, where tests run in several."""
    if os.environ.get("HOPBINE_TEST_MPIS") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Runs())
