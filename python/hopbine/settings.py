"""Every HOPBINE_ variable: what it is for, what it may be.

`hopbine info` prints them, `hopbine run` checks them.
"""

import difflib
from collections.abc import Mapping

from .text import short

PREFIX = "HOPBINE_"
#: Name -> what it is for, its default.
SETTINGS = {
    "HOPBINE_ALGORITHM": ("algorithms asked for by name", ""),
    "HOPBINE_RULES": ("file of rules", ""),
    "HOPBINE_STATS": ("file for statistics", ""),
    "HOPBINE_LEARN": ("file of what jobs have measured, read and written", ""),
    "HOPBINE_RENUMBER": ("1: treat ranks as numbered node by node", "0"),
    "HOPBINE_EVERYWHERE": (
        "1: all ranks of the job run under hopbine, where the launcher cannot tell",
        "0",
    ),
    "HOPBINE_PROGRESS": (
        "what resumes nonblocking and persistent calls; auto: the MPI library's progress; "
        "thread: a thread of hopbine's own too, for ranks with spare cores",
        "auto",
    ),
    "HOPBINE_CHOICE": (
        "measure: the library and counted candidates take turns in the first calls; "
        "count: choose by counting traffic; table: by ranks and size",
        "measure",
    ),
    "HOPBINE_PATIENCE": (
        "how much longer a counted choice may take to spare the links between groups, 1 to 100",
        "1.1",
    ),
    "HOPBINE_SYSTEM": (
        "the machine: name, description or formula",
        "Slurm's topology, else node names only",
    ),
    "HOPBINE_GROUP": ("this node's group", "what the machine's description says"),
    "HOPBINE_NODE": ("this node's name", "what MPI_Get_processor_name says"),
    "HOPBINE_SHAPE": (
        "the torus that the ranks are on",
        "a Cartesian communicator's, else one dimension",
    ),
    "HOPBINE_NETWORK": ("what links carry", "what the machine's description says"),
    "HOPBINE_LIB": ("folder of the preload library", "inside the package"),
    "HOPBINE_MPIEXEC": ("launcher of hopbine bench", "mpiexec"),
}
#: What `hopbine run` itself tells the preload library, what hopbine's own tests read, and what
#: package managers set of every package.
INTERNAL = (
    "HOPBINE_PROGRAM",
    "HOPBINE_TEST_",
    "HOPBINE_ATTACK_",
    "HOPBINE_DRAWN",
    "HOPBINE_ROOT",
    "HOPBINE_DIR",
    "HOPBINE_HOME",
    "HOPBINE_VERSION",
)
#: The words that a setting may be; empty is the default.
WORDS = {
    "HOPBINE_RENUMBER": ("0", "1"),
    "HOPBINE_EVERYWHERE": ("0", "1"),
    "HOPBINE_PROGRESS": ("auto", "thread"),
    "HOPBINE_CHOICE": ("measure", "count", "table"),
}


def check(environment: Mapping[str, str]) -> None:
    """ValueError for a name that nothing reads, and for a value that its setting cannot be."""
    for name in environment:
        if name.startswith(PREFIX) and name not in SETTINGS and not name.startswith(INTERNAL):
            near = difflib.get_close_matches(name[:60], SETTINGS, n=1, cutoff=0.6)
            raise ValueError(
                f"{short(name)} is set, but hopbine has no such setting"
                + (f"; is {near[0]} meant?" if near else " (hopbine info lists them); unset it")
            )
        if name in SETTINGS and any("\ud800" <= c <= "\udfff" for c in environment[name]):
            raise ValueError(f"{name} is not UTF-8 text")
    for name, allowed in WORDS.items():
        if environment.get(name) and environment[name] not in allowed:
            words = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
            raise ValueError(f"{name} is '{short(environment[name])}', not {words}")
