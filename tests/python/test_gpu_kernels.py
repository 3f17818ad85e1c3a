"""The kernels of a node's GPUs, as nvcc compiles them: what no fake device shows."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "src/device/kernels"
NVCC = shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
#: Registers of a multiprocessor.
REGISTERS = 65536

pytestmark = pytest.mark.skipif(not NVCC, reason="nvcc is not here")


def compiled(folder, element, *flags):
    """What the compiler says and writes of the kernels of an element."""
    out = folder / f"{element}.out"
    words = [
        NVCC,
        "-O3",
        "-arch=sm_90",
        "-allow-unsupported-compiler",
        f"-DHOPBINE_ELEMENT={element}",
    ]
    done = subprocess.run(
        [*words, *flags, "-x", "cu", str(KERNELS / "reductions.cu"), "-o", str(out)],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr, out


@pytest.mark.parametrize("element", ["i8", "f32", "i64"])
def test_a_block_of_a_node_kernel_has_registers_for_all_its_threads(tmp_path, element):
    """With more, the kernel does not start: 8-bit sums of 8 ranks once took 156."""
    said, _ = compiled(tmp_path, element, "-cubin", "-Xptxas", "-v")
    threads = int(re.search(r"HOPBINE_NODE_THREADS = (\d+)", (KERNELS / "node.h").read_text())[1])
    used = re.findall(r"entry function '(\w+)'.*?Used (\d+) registers", said, re.S)
    of_node = {name: int(n) for name, n in used if name.endswith("_node")}
    assert len(of_node) > 4
    assert {name for name, n in of_node.items() if n * threads > REGISTERS} == set()


def test_a_flag_is_not_read_back(tmp_path):
    """From the host's memory that takes 15 us: of an assignment as an expression nvcc does it."""
    _, out = compiled(tmp_path, "f32", "-ptx")
    assembly = out.read_text()
    stored = re.findall(r"st\.volatile\.global\.u32\s+(\[\S+\]), \S+;\n(.*)\n", assembly)
    assert stored
    assert [after for at, after in stored if "ld.volatile" in after and at in after] == []
