"""hopbine: MPI collectives that keep bytes off the scarce links."""

from pathlib import Path

#: Where the preload library, the runtimes and the benchmark programs lie.
LIBRARY_FOLDER = Path(__file__).resolve().parent / "lib"
