"""As much of CuPy as examples/gradients.py needs, on a fake device (tests/device/fake).

Arrays are in memory that the CPU cannot touch; NumPy computes on the device's own mapping of it.
HOPBINE_TEST_DEVICE: the device's library.
"""

import ctypes
import os

import numpy as np

float32 = np.float32
_device = ctypes.CDLL(os.environ["HOPBINE_TEST_DEVICE"])
for _name in ("fake_alloc", "fake_twin"):
    getattr(_device, _name).restype = ctypes.c_void_p


class ndarray:
    """An array, which tells where it is as CuPy's do."""

    def __init__(self, values):
        values = np.array(values, order="C")
        bytes_ = max(values.nbytes, 1)
        self._at = _device.fake_alloc(ctypes.c_size_t(bytes_), 0)
        here = (ctypes.c_char * bytes_).from_address(_device.fake_twin(ctypes.c_void_p(self._at)))
        self._host = np.frombuffer(here, values.dtype, values.size).reshape(values.shape)
        self._host[...] = values

    @property
    def __cuda_array_interface__(self):
        shape, kind = self._host.shape, self._host.dtype.str
        return {"shape": shape, "typestr": kind, "data": (self._at, False), "version": 3}

    @property
    def T(self):
        return ndarray(self._host.T)

    def __matmul__(self, other):
        return ndarray(self._host @ other._host)

    def __sub__(self, other):
        return ndarray(self._host - other._host)

    def __isub__(self, other):
        self._host -= other._host
        return self

    def __mul__(self, number):
        return ndarray(self._host * np.float32(number))

    def __pow__(self, number):
        return ndarray(self._host**number)

    def mean(self):
        return ndarray(self._host.mean())

    def __float__(self):
        return float(self._host)


def asarray(values):
    return ndarray(values)


def zeros(shape, dtype):
    return ndarray(np.zeros(shape, dtype))
