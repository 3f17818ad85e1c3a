"""The MPI libraries of tests/mpi, and the programs of this folder compiled with them."""

import importlib.util
import sys
from pathlib import Path

import pytest

_source = Path(__file__).parents[1] / "mpi" / "conftest.py"
_spec = importlib.util.spec_from_file_location("mpi_conftest", _source)
mpi_conftest = importlib.util.module_from_spec(_spec)
sys.modules["mpi_conftest"] = mpi_conftest
_spec.loader.exec_module(mpi_conftest)
pytest_generate_tests = mpi_conftest.pytest_generate_tests

import programs  # noqa: E402  (beside this file; it needs mpi_conftest)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """compiled(mpi, name) -> path of a program of this folder."""
    made: dict[tuple[str, str], str] = {}

    def of(mpi, name: str) -> str:
        if (mpi.name, name) not in made:
            made[mpi.name, name] = programs.build(
                mpi, name, tmp_path_factory.mktemp(f"{mpi.name}-{name}")
            )
        return made[mpi.name, name]

    return of


@pytest.fixture(scope="session")
def algorithms(tmp_path_factory):
    """Writes hopbine's algorithms to a file for `attack --algorithms`."""
    return programs.write_algorithms(tmp_path_factory.mktemp("algorithms") / "algorithms")
