"""The environment in which the launcher of each MPI library starts ranks on the cluster's hosts.

Launchers read variables for all that their options say, so that a program's command line is the
same as on a real cluster. A launcher starts its daemons with a command like ssh, which hands on
this environment (src/emulate/enter.c).
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .. import LIBRARY_FOLDER
from ..machines import Link as LinkClass
from ..machines import Machine, job_groups
from .build import FOLDER, TEMPORARY
from .plan import DEVICE, LAUNCHERS, LINKS, Plan, host_name, sizes_text

#: What batch systems tell launchers, which would ask them for nodes.
BATCH = ("SLURM", "PBS_", "LSB_", "LSF_", "FLUX_", "COBALT_", "PE_HOSTFILE", "HOPBINE_NODE")
#: Latencies without any delay, as benchmarks/emulated_choice.py describes the network.
_HOST_LATENCY, _SWITCH_LATENCY = 50e-6, 100e-6
#: Microseconds after which a rank that waits looks again, where shared memory wakes nobody.
_SHARED_WAIT = 50
#: Larger than any message: a rendezvous's replies would queue behind data, and exchanges of more
#: than 64 KiB take up to 1.8 times as long.
_EAGER = str(8 << 20)


def machine(plan: Plan) -> Machine:
    """The cluster as hopbine has machines."""
    links = {
        "node": LinkClass(plan.rate / 8, _HOST_LATENCY),
        "local": LinkClass(None, _SWITCH_LATENCY + plan.delay.inside),
        "global": LinkClass(None, _SWITCH_LATENCY + plan.delay.between, plan.taper),
    }
    hosts = {host_name(host): g for host, g in enumerate(plan.group)}
    return Machine(plan.name, "fat tree", list(plan.groups), hosts, links, source="hopbine emulate")


def own_settings(plan: Plan, environment: Mapping[str, str]) -> dict[str, str]:
    """What `hopbine run` is to know without options, unless the user has told it."""
    known = machine(plan)
    told = (
        {"HOPBINE_SHAPE": "x".join(map(str, plan.shape))}
        if plan.shape
        else {"HOPBINE_GROUPS": job_groups(known, {})} | known.settings()
    )
    if "HOPBINE_SYSTEM" in environment:
        told = {}
    told |= {
        "HOPBINE_STATS": f"{FOLDER}/stats.%p.json",
        # What is learned here holds on no other network.
        "HOPBINE_LEARN": f"{FOLDER}/learned.json",
    }
    return {name: value for name, value in told.items() if name not in environment}


def host_file(hosts: Iterable[int], slots: int, path: Path) -> Path:
    """A list of hosts for Open MPI; the one of MPICH is beside it."""
    names = [host_name(host) for host in hosts]
    path.write_text("".join(f"{name} slots={slots}\n" for name in names))
    path.with_suffix(".mpich").write_text("".join(f"{name}:{slots}\n" for name in names))
    return path


def open_mpi(hosts: Path, slots: int, enter: Path) -> dict[str, str]:
    """Variables of Open MPI: of ranks and of the launcher of version 4, and of that of 5."""
    ranks = {
        "pml": "ob1",
        "btl": "tcp,self" + (",vader" if slots > 1 else ""),
        "btl_tcp_if_include": LINKS,
        "btl_tcp_progress_thread": "0",
        "btl_tcp_sndbuf": "0",
        "btl_tcp_rcvbuf": "0",
        "btl_tcp_eager_limit": _EAGER,
        "btl_tcp_rndv_eager_limit": _EAGER,
        "btl_tcp_max_send_size": _EAGER,
        "btl_base_warn_component_unused": "0",
        "mpi_yield_when_idle": "1",
        "plm": "rsh",
        "plm_rsh_agent": str(enter),
        "plm_rsh_no_tree_spawn": "1",
        "plm_rsh_num_concurrent": "64",
        "oob_tcp_if_include": LAUNCHERS,
        "hwloc_base_binding_policy": "none",
        "orte_default_hostfile": str(hosts),
    }
    launcher = {
        "plm": "ssh",
        "plm_ssh_agent": str(enter),
        "plm_ssh_no_tree_spawn": "1",
        "plm_ssh_num_concurrent": "64",
        "prte_if_include": LAUNCHERS,
        "hwloc_default_binding_policy": "none",
        "prte_default_hostfile": str(hosts),
    }
    return (
        {f"OMPI_MCA_{key}": value for key, value in ranks.items()}
        | {f"PRTE_MCA_{key}": value for key, value in launcher.items()}
        | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    )


def mpich(hosts: Path, slots: int, enter: Path, forwards: bool) -> dict[str, str]:
    """Variables of MPICH, of its launcher and of UCX and libfabric below it.

    Ranks of one host would spin through shared memory, which starves all others: they yield, and
    take collectives that send messages there, for MPICH 4's own wait without yielding. UCX takes no
    device whose address other devices have the ways to, as where hosts forward.
    """
    shared = {
        "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
        "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "64",
        **{
            f"MPIR_CVAR_{collective}_POSIX_INTRA_ALGORITHM": "mpir"
            for collective in ("ALLREDUCE", "BARRIER", "BCAST", "REDUCE")
        },
    }
    fabric = {"MPIR_CVAR_CH4_NETMOD": "ofi"} if forwards else {}
    return (
        fabric
        | (shared if slots > 1 else {})
        | {
            "HYDRA_LAUNCHER": "ssh",
            "HYDRA_LAUNCHER_EXEC": str(enter),
            "HYDRA_HOST_FILE": str(hosts.with_suffix(".mpich")),
            "UCX_TLS": "tcp,self" + (",sm" if slots > 1 else ""),
            "UCX_NET_DEVICES": DEVICE,
            "UCX_RNDV_THRESH": "inf",
            "UCX_WARN_UNUSED_ENV_VARS": "n",
            "FI_PROVIDER": "tcp",
            "FI_TCP_IFACE": DEVICE,
            "MPIR_CVAR_POLLS_BEFORE_YIELD": "1",
            "MPIR_CVAR_ENABLE_HEAVY_YIELD": "1",  # of MPICH 4, which does not yield otherwise
        }
    )


def idle(environment: Mapping[str, str], slots: int, realtime: bool) -> dict[str, str]:
    """Variables of src/emulate/idle.c, which every program of the job loads."""
    loaded = [str(LIBRARY_FOLDER / "libhopbine_idle.so"), environment.get("LD_PRELOAD", "")]
    out = {"LD_PRELOAD": ":".join(filter(None, loaded)), "IDLE_REALTIME": str(int(realtime))}
    return out | ({"IDLE_WAIT_US": str(_SHARED_WAIT)} if slots > 1 else {})


def environment_of(
    plan: Plan,
    given: Mapping[str, str],
    hosts: Sequence[int],
    number: int,
    slots: int,
    realtime: bool,
) -> dict[str, str]:
    """The environment of a job on some hosts, of `given`."""
    file = host_file(hosts, slots, FOLDER / f"hosts-{number}")
    enter = FOLDER / "enter"  # a name without blanks, which launchers take for its end
    if not enter.exists():
        enter.symlink_to(LIBRARY_FOLDER / "hopbine-enter")
    kept = {name: value for name, value in given.items() if not name.startswith(BATCH)}
    return (
        kept
        | {"TMPDIR": str(TEMPORARY)}
        | open_mpi(file, slots, enter)
        | mpich(file, slots, enter, bool(plan.shape))
        | idle(given, slots, realtime)
        | own_settings(plan, given)
    )


def about(plan: Plan) -> str:
    """The cluster in a line."""
    from ..notation.text import many
    from ..notation.units import show_rate, show_time

    out = f"{many(plan.hosts, 'host')}, {show_rate(plan.rate / 8)} each"
    if plan.shape:
        out += f" link, torus {'x'.join(map(str, plan.shape))}"
    else:
        sizes = [plan.group.count(g) for g in range(len(plan.groups))]
        out += f", groups {sizes_text(sizes)}, {show_rate(plan.links[0].rate / 8)} between groups"
        out += f" (taper {plan.taper:g})"
    if plan.delayed:
        shown = [show_time(seconds) for seconds in plan.classes[: 1 if plan.shape else 2]]
        out += f", delay {', '.join(shown)}"
    return out
