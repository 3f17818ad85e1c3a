# Not run: Spack was not at hand; read by Python with stand-ins for Spack's names only. For a
# repository of packages: packages/hopbine/package.py
# ruff: noqa: F403, F405
from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage  # since Spack 1.0
except ImportError:
    from spack.package import CMakePackage


class Hopbine(CMakePackage):
    """MPI collectives that keep bytes off the scarce links, under unmodified programs."""

    license("Apache-2.0")
    version("develop", branch="main")  # spack install hopbine@develop with spack develop --path .
    variant("python", default=True, description="The Python commands")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("mpi")
    with when("+python"):
        extends("python")
        depends_on("python@3.11:", type=("build", "run"))
        depends_on("py-nanobind@2.4:", type="build")
        depends_on("py-polars@1:", type="run")
        depends_on("py-numpy@1.26:", type="run")
        depends_on("py-clustershell@1.9:", type="run")
        depends_on("py-rich@13:", type="run")

    def cmake_args(self):
        mpi = self.spec["mpi"]
        family = "openmpi" if mpi.name == "openmpi" else "mpich"
        return [
            self.define("HOPBINE_MPI", f"{family}={mpi.mpicc}"),
            self.define_from_variant("HOPBINE_PYTHON", "python"),
        ]

    def test_run(self):
        """the command starts a program"""
        which(self.prefix.bin.hopbine)("run", "true")
