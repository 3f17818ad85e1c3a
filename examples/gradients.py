"""A step of data-parallel training on GPUs: every rank has data of its own, all add up gradients.

    mpiexec -n 8 hopbine run python gradients.py [STEPS]

A layer of weights learns a linear map. In every step each rank predicts what it has drawn, and all
ranks average their gradients (64 KiB, MPI_Allreduce) where they are: in GPU memory with CuPy, else
in host memory with NumPy. Rank 0's weights are everybody's first (MPI_Bcast).
"""

import sys

import numpy as np
from mpi4py import MPI

try:
    import cupy as xp
except ImportError:
    xp = np

INPUTS, OUTPUTS, BATCH, RATE = 128, 128, 32, 0.2


def main() -> None:
    comm = MPI.COMM_WORLD
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    truth = np.random.default_rng(0).standard_normal((INPUTS, OUTPUTS), np.float32)
    drawn = np.random.default_rng(comm.rank + 1)

    weights = xp.zeros((INPUTS, OUTPUTS), xp.float32)
    comm.Bcast(weights, root=0)
    for _ in range(steps):
        batch = drawn.standard_normal((BATCH, INPUTS), np.float32)
        inputs, wanted = xp.asarray(batch), xp.asarray(batch @ truth)
        error = inputs @ weights - wanted
        gradients = inputs.T @ error
        comm.Allreduce(MPI.IN_PLACE, gradients, MPI.SUM)
        weights -= gradients * (RATE / (BATCH * comm.size))

    loss = comm.allreduce(float((error**2).mean())) / comm.size
    if comm.rank == 0:
        print(f"mean squared error {loss:.4f} after {steps} steps, by {xp.__name__}")


if __name__ == "__main__":
    main()
