"""Messages that the MPI library's own collectives send, and those of a schedule.

They are counted by the library (Open MPI's pml_monitoring) or below it (UCX under MPICH).
"""

import re
import subprocess
from collections import Counter
from pathlib import Path

from hopbine import _core

#: Makes MPICH use the network for every message, and its own collectives instead of the device's
#: compositions of them.
MPICH_PLAIN = {
    "MPIR_CVAR_NOLOCAL": "1",
    "MPIR_CVAR_CH4_NETMOD": "ucx",
    "MPIR_CVAR_DEVICE_COLLECTIVES": "none",
}


def scheduled(
    collective: str, algorithm: str, ranks: int, size: int, parameters: dict[str, int] | None = None
) -> Counter:
    """Counts (sender, receiver, "messages" or "bytes") of a hopbine schedule.

    `size` is in bytes: of the vector, or of a block times the ranks.
    """
    walk = _core.schedule(_core.Problem(collective, algorithm, ranks, parameters=parameters or {}))
    block = size // (ranks if collective == "alltoall" else _core.blocks(collective, ranks))
    out = Counter()
    for rank in range(ranks):
        for step in range(walk.steps):
            for way, _, _, peer, runs in walk.moves(rank, step):
                if way == "send" and peer != rank:
                    out[rank, peer, "messages"] += 1
                    out[rank, peer, "bytes"] += (
                        sum(high - low for low, high in runs) * block // walk.parts
                    )
    return +out


def by_rank(pairs: Counter) -> Counter:
    """The counts without the receivers, as MPICH's are counted."""
    out = Counter()
    for (rank, _, what), n in pairs.items():
        out[rank, None, what] += n
    return out


def shim(folder: Path) -> Path:
    """Compiles the library that counts over UCX."""
    source, made = Path(__file__).parent / "programs" / "ucp_sends.c", folder / "ucp_sends.so"
    if not made.exists():
        subprocess.run(
            ["cc", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", str(made), str(source), "-ldl"],
            check=True,
        )
    return made


def counted(
    mpi,
    program: str,
    ranks: int,
    calls: list[str],
    env: dict[str, str],
    folder: Path,
    whose: str = "I",
) -> Counter:
    """Counts everything that a run sends.

    Open MPI: the library's own messages (whose = I) or the program's (E). MPICH: all of them.
    """
    out, prefix = Counter(), folder / "sent"
    for old in folder.glob("sent.*"):
        old.unlink()
    if mpi.is_openmpi:
        env = env | {
            "OMPI_MCA_pml_monitoring_enable": "2",
            "OMPI_MCA_pml_monitoring_enable_output": "3",
            "OMPI_MCA_pml_monitoring_filename": str(prefix),
        }
    else:
        env = env | MPICH_PLAIN | {"UCP_SENDS": str(prefix), "LD_PRELOAD": str(shim(folder))}
    done = mpi.run(ranks, program, *calls, env=env, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    for rank in range(ranks):
        if not mpi.is_openmpi:
            messages, size = map(int, Path(f"{prefix}.{rank}").read_text().split())
            out += Counter({(rank, None, "messages"): messages, (rank, None, "bytes"): size})
            continue
        for peer, size, messages in re.findall(
            rf"^{whose}\t{rank}\t(\d+)\t(\d+) bytes\t(\d+) msgs sent",
            Path(f"{prefix}.{rank}.prof").read_text(),
            re.M,
        ):
            if int(peer) != rank:
                out += Counter(
                    {
                        (rank, int(peer), "messages"): int(messages),
                        (rank, int(peer), "bytes"): int(size),
                    }
                )
    return out


def sent(
    mpi, program: str, ranks: int, calls: list[str], env: dict[str, str], folder: Path
) -> Counter:
    """Counts the messages of the calls, without those of MPI_Init and MPI_Finalize.

    The latter follow the rules, too.
    """
    out = counted(mpi, program, ranks, calls, env, folder)
    out.subtract(counted(mpi, program, ranks, [], env, folder))
    return Counter({key: n for key, n in out.items() if n})
