# make run    builds hopbine and runs MPI programs with and without it
# make test   all tests
# make check ALGORITHM="bcast bine_large"   proves an algorithm, or all of a collective
# make attack SEEDS=1..100   drawn calls of these seeds on every MPI, for as long as it takes
# make lint   formats, types, spelling and widths of all sources
# make docs   the documentation as a site, in build/site/html
# make bench  the figures of docs/performance.md
# make install PREFIX=DIR   command, libraries and headers, with the MPI libraries on PATH
# make help   these lines
#
# MPI=system uses the system's MPI (MPICC, MPIEXEC) instead of installing Open MPI and MPICH below
# this folder.
.PHONY: run check attack test lint docs bench install help clean

run:
	@scripts/setup run
	@.venv/bin/python scripts/main_job.py

check:
	@scripts/setup run
	@.venv/bin/hopbine check $(ALGORITHM) -p 1..64

attack:
	@scripts/setup test
	@scripts/attack $(SEEDS)

test:
	@scripts/setup test
	@scripts/test

lint:
	@scripts/setup test
	@scripts/lint

docs:
	@scripts/site

bench:
	@scripts/setup run
	@scripts/bench

install:
	@[ -n "$(PREFIX)" ] || { echo "make install PREFIX=DIR" >&2; exit 2; }
	PATH="$$PATH:$(CURDIR)/.venv/bin" cmake -S . -B build/install -DCMAKE_INSTALL_PREFIX="$(PREFIX)"
	PATH="$$PATH:$(CURDIR)/.venv/bin" cmake --build build/install --parallel
	PATH="$$PATH:$(CURDIR)/.venv/bin" cmake --install build/install

help:
	@sed -n 's/^# \{0,1\}//p' Makefile

clean:
	rm -rf build .venv .mpi .lint .site
