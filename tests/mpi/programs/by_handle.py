"""Sums by an MPI library that is opened and asked for its functions by its handle, as MPI.jl,
MPItrampoline and cffi do.

by_handle.py LIBRARY KIND: KIND has the handles of openmpi, mpich or abi (mpi.h of each).
"""

import ctypes
import sys

#: MPI_COMM_WORLD, MPI_DOUBLE, MPI_SUM: objects of the library, or numbers.
OBJECTS = ("ompi_mpi_comm_world", "ompi_mpi_double", "ompi_mpi_op_sum")
NUMBERS = {"mpich": (0x44000000, 0x4C00080B, 0x58000003), "abi": (0x101, 0x214, 0x21)}
CALLS, N = 20, 4096

name, kind = sys.argv[1:]
lib = ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
if kind == "openmpi":
    found = [ctypes.addressof(ctypes.c_char.in_dll(lib, symbol)) for symbol in OBJECTS]
    world, double, add = map(ctypes.c_void_p, found)
else:
    as_handle = ctypes.c_int if kind == "mpich" else ctypes.c_void_p
    world, double, add = map(as_handle, NUMBERS[kind])
lib.MPI_Init(None, None)
rank, size = ctypes.c_int(), ctypes.c_int()
lib.MPI_Comm_rank(world, ctypes.byref(rank))
lib.MPI_Comm_size(world, ctypes.byref(size))
mine = (ctypes.c_double * N)(*(rank.value + i for i in range(N)))
total = (ctypes.c_double * N)()
for _ in range(CALLS):
    lib.MPI_Allreduce(mine, total, N, double, add, world)
expected = size.value * (size.value - 1) / 2
right = all(total[i] == expected + size.value * i for i in range(N))
if rank.value == 0:
    print("right" if right else "wrong", size.value)
lib.MPI_Finalize()
