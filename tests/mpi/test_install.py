"""What cmake --install makes: a program is compiled with it and runs under its command.

The prefix is moved before: nothing in it may name where it was. HOPBINE_TEST_TREE is a build tree;
by default that of the Python package, else that of the tests.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import EXAMPLES, PROGRAMS

from hopbine.cli import VERBS

ROOT = Path(__file__).parents[2]
VERSION = (ROOT / "VERSION").read_text().strip()
PROJECT = """cmake_minimum_required(VERSION 3.21)
project(user LANGUAGES C)
find_package(hopbine {version} REQUIRED)
add_executable(user {source})
target_link_libraries(user PRIVATE hopbine::{library})
"""


def call(*command, **how) -> str:
    """Standard output of a command that succeeds."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **how)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def build_tree() -> Path:
    tree = Path(os.environ.get("HOPBINE_TEST_TREE") or ROOT / "build/python")
    assert (tree / "CMakeCache.txt").exists(), f"no build tree at {tree}: scripts/setup makes one"
    return tree


@pytest.fixture(scope="session")
def prefix(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("install")
    call("cmake", "--install", build_tree(), "--component", "prefix", "--prefix", folder / "first")
    return (folder / "first").rename(folder / "moved")


def by_pkg_config(mpi, prefix, folder, source, package="hopbine") -> Path:
    env = os.environ | {"PKG_CONFIG_PATH": str(next(prefix.glob("lib*/pkgconfig")))}
    flags = call("pkg-config", "--cflags", "--libs", package, env=env).split()
    call(mpi.mpicc, "-Wall", "-Werror", "-o", folder / "user", source, *flags)
    return folder / "user"


def by_find_package(mpi, prefix, folder, source, library="hopbine") -> Path:
    (folder / "CMakeLists.txt").write_text(
        PROJECT.format(version=VERSION.rpartition(".")[0], source=source, library=library)
    )
    told = [f"-DCMAKE_C_COMPILER={mpi.mpicc}", f"-DCMAKE_PREFIX_PATH={prefix}"]
    call("cmake", "-S", folder, "-B", folder / "build", *told)
    call("cmake", "--build", folder / "build")
    return folder / "build/user"


@pytest.mark.parametrize("compiled", [by_pkg_config, by_find_package])
def test_a_program_is_compiled_and_served(mpi, prefix, tmp_path, compiled):
    program = compiled(mpi, prefix, tmp_path, PROGRAMS / "installed.c")
    stats = tmp_path / "stats.json"
    options = ["--algorithm", "allreduce=ring", "--stats", str(stats)]
    env = {"PYTHONPATH": "", "HOPBINE_LIB": ""}
    done = mpi.run(2, str(prefix / "bin/hopbine"), "run", *options, str(program), env=env)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "sum 1 of 2, 4 steps\n"
    rows = json.loads(stats.read_text())["rows"]
    assert [(r["collective"], r["served_by"], r["algorithm"]) for r in rows] == [
        ("allreduce", "hopbine", "ring")
    ]


def test_the_example_of_the_c_api(prefix, tmp_path):
    env = os.environ | {"PKG_CONFIG_PATH": str(next(prefix.glob("lib*/pkgconfig")))}
    flags = call("pkg-config", "--cflags", "--libs", "hopbine", env=env).split()
    call("cc", "-Wall", "-Werror", "-o", tmp_path / "schedule", EXAMPLES / "schedule.c", *flags)
    told = call(tmp_path / "schedule", "allreduce", "bine_large", "8", "3").splitlines()
    assert told[-1] == "allreduce bine_large is right for 8 ranks"
    assert {line.split(":")[0] for line in told[:-1]} == {f"step {i}" for i in range(6)}
    assert sum("send to" in line for line in told) == 6
    wrong = [tmp_path / "schedule", "allreduce", "bine_lrge", "8", "3"]
    done = subprocess.run(wrong, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


#: Calls only functions that hopbine has too.
LEAST = """#include <mpi.h>
int main(int argc, char **argv) {
    int one = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != 2;
}
"""


@pytest.mark.parametrize(
    ("compiled", "name"), [(by_pkg_config, "hopbine-mpi"), (by_find_package, "mpi")]
)
def test_a_program_that_is_linked_with_hopbine_keeps_its_mpi_library(
    mpi, prefix, tmp_path, compiled, name
):
    """Linkers that drop libraries as not needed would drop it."""
    (tmp_path / "least.c").write_text(LEAST)
    program = compiled(mpi, prefix, tmp_path, tmp_path / "least.c", name)
    done = mpi.run(2, str(program), env={"HOPBINE_SUMMARY": "always"})
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("hopbine: served none of 1 collective calls: "), done.stderr


def test_errors_are_those_of_the_python_command(prefix):
    words = ["run", "--algorithm", "bcast=rong", "true"]
    commands = [[str(prefix / "bin/hopbine")], [sys.executable, "-m", "hopbine"]]
    installed, python = (
        subprocess.run([*command, *words], capture_output=True, text=True) for command in commands
    )
    assert installed.returncode == python.returncode == 2
    assert "--algorithm: 'bcast=rong': unknown algorithm 'rong'" in installed.stderr
    assert installed.stderr == python.stderr


def test_a_machine_is_known_to_the_installed_command(prefix):
    """Its description is read by the Python commands in the prefix."""
    command = [str(prefix / "bin/hopbine"), "run", "--system", "leonardo", "env"]
    env = os.environ | {"PYTHONPATH": "", "HOPBINE_NODE": "lrdn0001", "PMI_RANK": "0"}
    assert "HOPBINE_GROUP=group 1\n" in call(*command, env=env)


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory) -> Path:
    """The Debian package, unpacked elsewhere than in /usr."""
    folder = tmp_path_factory.mktemp("deb")
    if not (shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps")):
        pytest.skip("dpkg-dev is not installed: no package can be made")
    made = call(ROOT / "packaging/debian/make-deb", build_tree(), folder).strip()
    assert "libstdc++6" in call("dpkg-deb", "-f", made, "Depends")
    call("dpkg-deb", "-x", made, folder / "root")
    return folder / "root/usr"


def test_the_debian_package_runs_a_program(mpi, build, unpacked, tmp_path):
    command = [str(unpacked / "bin/hopbine"), "run", "--algorithm", "allreduce=ring"]
    stats = tmp_path / "stats.json"
    done = mpi.run(2, *command, "--stats", str(stats), build(mpi, "sums"), env={"HOPBINE_LIB": ""})
    assert done.returncode == 0, done.stderr
    rows = json.loads(stats.read_text())["rows"]
    assert ("allreduce", "ring") in {(r["collective"], r["algorithm"]) for r in rows}


@pytest.fixture
def defaults(prefix):
    """The file of defaults in the prefix."""
    file = prefix / "etc/hopbine.conf"
    file.parent.mkdir(exist_ok=True)
    yield file
    file.unlink()


def environment_under(prefix, *options, **env) -> list[str]:
    """Lines of the environment of a program under hopbine run."""
    command = [prefix / "bin/hopbine", "run", *options, "env"]
    return call(*command, env=os.environ | env).splitlines()


def test_defaults_for_all_give_way_to_the_environment_and_options(prefix, defaults):
    defaults.write_text("# for everyone\n\nHOPBINE_CHOICE = count\nHOPBINE_PATIENCE=2\n")
    assert {"HOPBINE_CHOICE=count", "HOPBINE_PATIENCE=2"} <= set(environment_under(prefix))
    assert "HOPBINE_CHOICE=table" in environment_under(prefix, HOPBINE_CHOICE="table")
    given = environment_under(prefix, "--choice", "measure", HOPBINE_CHOICE="table")
    assert {"HOPBINE_CHOICE=measure", "HOPBINE_PATIENCE=2"} <= set(given)
    assert "HOPBINE_CHOICE=" in environment_under(prefix, HOPBINE_CHOICE="")


def test_info_tells_which_values_are_from_the_defaults(prefix, defaults):
    defaults.write_text("HOPBINE_CHOICE=count\nHOPBINE_PATIENCE=2\n")
    command = [prefix / "bin/hopbine", "info", "--format", "csv"]
    told = call(*command, env=os.environ | {"PYTHONPATH": "", "HOPBINE_PATIENCE": "3"})
    assert f"setting,HOPBINE_CHOICE,count,{defaults}," in told
    assert "setting,HOPBINE_PATIENCE,3,environment," in told
    assert "setting,HOPBINE_GPU,auto,default," in told


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("HOPBINE_CHOICE=best", "HOPBINE_CHOICE is 'best', not measure, count or table"),
        ("HOPBINE_CHOISE=count", "is HOPBINE_CHOICE meant?"),
        ("HOPBINE_ALGORITHM=bcast=rong", "unknown algorithm 'rong'"),
        ("HOPBINE_PATIENCE=0", "HOPBINE_PATIENCE: '0' is not a number from 1 to 100"),
        ("PATH=/tmp", "'PATH=/tmp' is not NAME=VALUE of a setting"),
        ("export\033", "'export\\x1b' is not NAME=VALUE of a setting"),
        ("HOPBINE_CHOICE=", "HOPBINE_CHOICE is empty"),
        ("HOPBINE_RENUMBER=0", "HOPBINE_RENUMBER is set a second time"),
    ],
)
def test_errors_of_defaults_name_file_and_line(prefix, defaults, line, says):
    defaults.write_text(f"HOPBINE_RENUMBER=1\n{line}\n")
    done = subprocess.run([prefix / "bin/hopbine", "run", "env"], capture_output=True, text=True)
    assert done.returncode == 2, done.stdout
    assert done.stderr.startswith(f"hopbine: {defaults}:2: "), done.stderr
    assert says in done.stderr


def test_the_manual_has_a_page_for_every_verb(prefix):
    """man finds them by the folder of the command."""
    if not shutil.which("man"):
        pytest.skip("man is not installed: its pages cannot be shown")
    path = f"{prefix}/bin:/usr/bin:/bin"
    env = {"PATH": path, "MANWIDTH": "80", "MAN_DISABLE_SECCOMP": "1", "LC_ALL": "C.UTF-8"}
    for verb in VERBS:
        where = call("man", "-w", f"hopbine-{verb}", env=env).strip()
        assert Path(where) == prefix / f"share/man/man1/hopbine-{verb}.1"
    shown = call("man", "--warnings", "hopbine-traffic", env=env)
    assert re.search(r"^ +hopbine +traffic +\[-h\] +\[--machine +M\]", shown, re.M)
    assert re.search(r"^ +--ranks-per-node N$", shown, re.M)


def test_completion_is_where_shells_look(prefix):
    share, source = prefix / "share", ROOT / "packaging/share"
    for path in source.rglob("*"):
        if path.is_file():
            assert (share / path.relative_to(source)).read_text() == path.read_text()
    assert (share / "bash-completion/completions/hopbine").exists()
    assert (share / "zsh/site-functions/_hopbine").exists()
    assert (share / "fish/vendor_completions.d/hopbine.fish").exists()


def module_tool() -> tuple[str, str]:
    """The command of Lmod or Environment Modules, which reads Tcl's files only, and its shell."""
    for pattern, shell in (("share/lmod/**/libexec/lmod", "bash"), ("lib/**/modulecmd.tcl", "sh")):
        if found := next(Path("/usr").glob(pattern), None):
            return str(found), shell
    pytest.skip("neither Lmod nor Environment Modules are installed")


@pytest.mark.parametrize("named", ["", "leonardo"])
@pytest.mark.parametrize("ending", ["", ".lua"])
def test_module_files_name_the_prefix(prefix, tmp_path, ending, named):
    """And the machine for everyone, where CMake was told one: then the line is no comment."""
    tool, shell = module_tool()
    if ending and not tool.endswith("lmod"):
        pytest.skip("Lmod is not installed")
    folder = tmp_path / "share/modulefiles/hopbine"
    folder.mkdir(parents=True)
    for name in ("bin", "lib", "share/man"):
        (tmp_path / name).mkdir()
    text = (prefix / f"share/modulefiles/hopbine/{VERSION}{ending}").read_text()
    assert re.search(r"^(#|--) setenv.*HOPBINE_SYSTEM", text, re.M)
    text = re.sub(r"^(#|--) setenv", "setenv", text, flags=re.M) if named else text
    (folder / f"{VERSION}{ending}").write_text(text)
    env = os.environ | {"MODULEPATH": str(folder.parent), "PATH": "/usr/bin:/bin"}
    told = call(tool, shell, "load", f"hopbine/{VERSION}", env=env)
    assert f"{tmp_path}/bin:" in told
    assert re.search(rf"{tmp_path}/lib\S*/pkgconfig", told)
    assert bool(re.search('HOPBINE_SYSTEM="?leonardo', told)) == bool(named)
