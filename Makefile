# make run    builds hopbine and runs MPI programs with and without it
# make test   all tests
# make bench  the figures of docs/performance.md
# make help   these lines
#
# MPI=system uses the system's MPI (MPICC, MPIEXEC) instead of installing Open MPI and MPICH below this folder.
.PHONY: run test bench help clean

run:
	@scripts/setup run
	@.venv/bin/python scripts/main_job.py

test:
	@scripts/setup test
	@scripts/test

bench:
	@scripts/setup run
	@scripts/bench

help:
	@sed -n 's/^# \{0,1\}//p' Makefile

clean:
	rm -rf build .venv .mpi
