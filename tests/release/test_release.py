"""Every file of a release works where nothing else of hopbine is; tests/mpi/test_wheel.py has more
of the wheel."""

import hashlib
import json
import re
import subprocess
import tarfile

import pytest
from conftest import EMPTY, ROOT, call

VERSION = (ROOT / "VERSION").read_text().strip()
SERVED = ("--algorithm", "allreduce=ring", "--stats")


def digest(file) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def served(stats) -> set[tuple[str, str]]:
    """Collectives and what served them."""
    return {(r["collective"], r["algorithm"]) for r in json.loads(stats.read_text())["rows"]}


def test_the_sums_are_of_all_files(release):
    assert call("env", "-C", release, "sha256sum", "--strict", "-c", "SHA256SUMS")
    listed = {line.split()[1] for line in (release / "SHA256SUMS").read_text().splitlines()}
    assert listed == {file.name for file in release.iterdir()} - {"SHA256SUMS"}


def test_the_bill_has_the_files_and_what_is_linked_in(release):
    bill = json.loads((release / f"hopbine-{VERSION}.cdx.json").read_text())
    assert bill["metadata"]["component"]["version"] == VERSION
    hashes = {c["name"]: c["hashes"][0]["content"] for c in bill["components"] if "hashes" in c}
    made = [*release.glob("*.whl"), *release.glob("*.tar.gz")]
    assert len(made) == 3
    assert hashes == {file.name: digest(file) for file in made}
    assert {"libstdc++", "glibc", "nanobind", "polars"} < {c["name"] for c in bill["components"]}


def test_the_sources_are_the_commit(release):
    with tarfile.open(release / f"hopbine-{VERSION}.tar.gz") as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(tracked.stdout.splitlines()) - inside == set()


@pytest.mark.parametrize("name", [f"hopbine-{VERSION}-foss-2024a.eb", "recipe.yaml"])
def test_recipes_name_the_sources(release, name):
    recipe = (release / name).read_text()
    assert re.search(rf"^ *version *[=:] *'?{VERSION}'?$", recipe, re.M)
    assert digest(release / f"hopbine-{VERSION}.tar.gz") in recipe
    assert "@" not in recipe


def test_the_runtimes_alone_serve(mpi, unpacked, tmp_path):
    """Ranks find no Python, nor anything else."""
    stats = tmp_path / "stats.json"
    alone = ["/usr/bin/env", "PATH=/nowhere", unpacked / "bin/hopbine", "run", *SERVED, stats]
    assert mpi.run(*alone) == mpi.run()
    assert ("allreduce", "ring") in served(stats)


def test_the_runtimes_alone_catch_what_they_throw(mpi, unpacked):
    """They have the C++ library and what unwinds the stack inside them, and no other is loaded."""
    preload = f"LD_PRELOAD={unpacked}/lib/hopbine/libhopbine_preload.so"
    both = ["/bin/sh", "-c", 'exec "$0" "$@" 2>&1']  # standard error too
    said = mpi.run(*both, "/usr/bin/env", preload, "HOPBINE_PATIENCE=long")
    (line,) = [one for one in said.splitlines() if "HOPBINE_PATIENCE" in one]
    assert line.endswith("'long' is not a number from 1 to 100; the MPI library serves all calls.")
    assert said.replace(f"{line}\n", "") == mpi.run()


def test_the_runtimes_alone_have_no_python_and_say_so(unpacked):
    assert [path for path in unpacked.rglob("*") if path.suffix == ".py"] == []
    command = [unpacked / "bin/hopbine", "list"]
    done = subprocess.run(command, capture_output=True, text=True, env=EMPTY)
    assert done.returncode == 2
    assert "pip install hopbine" in done.stderr


def test_the_wheel_serves(mpi, installed, tmp_path):
    stats = tmp_path / "stats.json"
    assert mpi.run(installed / "hopbine", "run", *SERVED, stats) == mpi.run()
    assert ("allreduce", "ring") in served(stats)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("--version", VERSION),
        ("check -p 1..8", " 0 failed"),
        ("traffic allreduce --machine leonardo --hosts fragmented:64:seed=1", "bine"),
    ],
)
def test_the_wheels_commands(installed, line, says):
    assert says in call(installed / "hopbine", *line.split())
