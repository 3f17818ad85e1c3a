"""Collectives of a Python program on a fake device's memory, through mpi4py.

    hopbine run --gpu MODE python tensors.py     HOPBINE_TEST_DEVICE: a library of tests/device/fake

Tensors tell where they are as CuPy's and Numba's arrays do (__cuda_array_interface__), as others by
DLPack, or as PyTorch's by both. Results are compared with those of NumPy's arrays. Prints
"N passed, M failed".
"""

import ctypes
import os
import sys
from itertools import product

import numpy as np
from mpi4py import MPI

device = ctypes.CDLL(os.environ["HOPBINE_TEST_DEVICE"])
for name in ("fake_alloc", "fake_twin"):
    getattr(device, name).restype = ctypes.c_void_p


class Memory:
    """Memory of the device, and what it holds."""

    def __init__(self, values):
        self.at = device.fake_alloc(ctypes.c_size_t(values.nbytes), 0)
        twin = device.fake_twin(ctypes.c_void_p(self.at))
        here = (ctypes.c_char * values.nbytes).from_address(twin)
        self.values = np.frombuffer(here, values.dtype)
        self.values[...] = values


class OfArrayInterface(Memory):
    @property
    def __cuda_array_interface__(self):
        shape, kind = self.values.shape, self.values.dtype.str
        return {"shape": shape, "typestr": kind, "data": (self.at, False), "version": 3}


class Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class Kind(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class DlTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("kind", Kind),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class ManagedTensor(ctypes.Structure):
    _fields_ = (("tensor", DlTensor), ("context", ctypes.c_void_p), ("deleter", Deleter))


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
on_cuda = Device(2, 0)
keeps = Deleter(lambda tensor: None)  # the owner frees it


class OfDlPack(Memory):
    def __dlpack_device__(self):
        return on_cuda.kind, on_cuda.number

    def __dlpack__(self, stream=None):
        code = {"i": 0, "u": 1, "f": 2}[self.values.dtype.kind]
        kind = Kind(code, 8 * self.values.itemsize, 1)
        shape = (ctypes.c_int64 * 1)(self.values.size)
        tensor = DlTensor(self.at, on_cuda, 1, kind, shape, None, 0)
        self.lent = ManagedTensor(tensor, None, keeps), shape
        return new_capsule(ctypes.addressof(self.lent[0]), b"dltensor", None)


class OfBoth(OfDlPack, OfArrayInterface):
    pass


def nonblocking(comm, send, recv):
    comm.Iallreduce(send, recv).Wait()


def in_place(comm, send, recv):
    comm.Bcast(send, root=comm.size - 1)
    comm.Allreduce(MPI.IN_PLACE, send)


#: Calls of a send and a receive buffer, with the blocks of each.
CALLS = {
    "allreduce": (lambda comm, send, recv: comm.Allreduce(send, recv, MPI.MAX), 1, 1),
    "in place": (in_place, 1, 1),
    "nonblocking": (nonblocking, 1, 1),
    "allgather": (lambda comm, send, recv: comm.Allgather(send, recv), 1, 0),
    "reduce_scatter": (lambda comm, send, recv: comm.Reduce_scatter_block(send, recv), 0, 1),
    "alltoall": (lambda comm, send, recv: comm.Alltoall(send, recv), 0, 0),
    "scan": (lambda comm, send, recv: comm.Scan(send, recv), 1, 1),
}


def same(comm, call, n, dtype, sender, receiver):
    """Whether a call of blocks of n elements has the result of the same call of NumPy's arrays."""
    work, sent, received = CALLS[call]
    send = (np.arange(n * (sent or comm.size)) * 7 % 31 + comm.rank).astype(dtype)
    recv = np.full(n * (received or comm.size), 99, dtype)
    there, back = sender(send), receiver(recv)
    work(comm, send, recv)
    work(comm, there, back)
    right = np.array_equal(there.values, send) and np.array_equal(back.values, recv)
    if not right:
        print(f"rank {comm.rank}: {call} of {n} {dtype} differs", file=sys.stderr)
    return comm.allreduce(right, MPI.LAND)


def main():
    comm = MPI.COMM_WORLD
    tensors = (OfArrayInterface, OfDlPack, OfBoth)
    sizes, kinds = (1, 999, 70000), ("i8", "f4", "f8")
    cases = product(CALLS, zip(sizes, kinds, strict=True), zip(tensors, tensors[::-1], strict=True))
    found = [same(comm, call, *of, *both) for call, of, both in cases]
    if comm.rank == 0:
        print(f"{found.count(True)} passed, {found.count(False)} failed")
    sys.exit(not all(found))


if __name__ == "__main__":
    main()
