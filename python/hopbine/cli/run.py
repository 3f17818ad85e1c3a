"""hopbine run: runs a program with hopbine under its MPI collectives (put it before the program, after the launcher)"""

import argparse
import os
import re
import shutil
import sys
from pathlib import Path


def configure(parser) -> None:
    """Arguments of the verb."""
    parser.usage = "mpiexec -n N hopbine run [options] PROGRAM [arguments]"
    parser.description = "Runs PROGRAM with hopbine preloaded; each rank goes through this command. Nothing about the program changes."
    parser.add_argument("--algorithm", metavar="RULES", help="e.g. allreduce=bine_large:segment=131072,bcast=mpi; 'mpi' is the MPI library's own "
                        "(HOPBINE_ALGORITHM)")
    parser.add_argument("--rules", metavar="FILE", help="JSON file of rules (HOPBINE_RULES)")
    parser.add_argument("--stats", metavar="FILE",
                        help="write what served which calls when the program ends (HOPBINE_STATS); read it with hopbine stats")
    parser.add_argument("--renumber", action="store_true", help="treat ranks as numbered node by node, whatever their placement (HOPBINE_RENUMBER)")
    parser.add_argument("--persistent", action="store_true", help="serve MPI_Alltoallv_init too; what was started then goes on only while the program "
                        "waits for requests or tests them, see docs/alltoallv.md (HOPBINE_PERSISTENT)")
    parser.add_argument("--system", metavar="MACHINE", help="which node is in which group: a machine's name, description or formula, see hopbine "
                        "traffic (HOPBINE_SYSTEM); default: Slurm's topology where the node has it, else node names only")
    parser.add_argument("--choice", choices=("count", "table"),
                        help="count: take by itself what spares the links between these nodes and groups (default); "
                        "table: by ranks and size only (HOPBINE_CHOICE)")
    parser.add_argument("--shape", metavar="AxB",
                        help="the torus that the ranks are on, the last dimension fastest, for algorithms asked for by name that follow it; "
                        "default: that of a torus told by --system, where a communicator has a rank on each of its nodes in order; "
                        "Cartesian communicators tell their own (HOPBINE_SHAPE)")
    parser.add_argument("program", nargs=argparse.REMAINDER, metavar="PROGRAM", help="the program and its arguments")


def library_folder() -> Path:
    """HOPBINE_LIB, else the folder inside the package."""
    from .. import LIBRARY_FOLDER

    return Path(os.environ.get("HOPBINE_LIB") or LIBRARY_FOLDER)


def _speaks() -> bool:
    """One rank tells of an error; the others would only repeat it."""
    for name in ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"):
        if name in os.environ:
            return os.environ[name] == "0"
    return True


def environment(args) -> dict[str, str]:
    """The program's environment. ValueError and FileNotFoundError tell what is wrong before anything runs."""
    env = dict(os.environ)
    given = {"HOPBINE_ALGORITHM": args.algorithm, "HOPBINE_RULES": args.rules, "HOPBINE_STATS": args.stats,
             "HOPBINE_RENUMBER": "1" if args.renumber else None, "HOPBINE_PERSISTENT": "1" if args.persistent else None, "HOPBINE_SYSTEM": args.system, "HOPBINE_CHOICE": args.choice,
             "HOPBINE_SHAPE": args.shape}
    env.update({k: v for k, v in given.items() if v is not None})
    for name in ("HOPBINE_RULES", "HOPBINE_STATS"):
        if env.get(name):
            env[name] = os.path.abspath(env[name])
    if env.get("HOPBINE_ALGORITHM") or env.get("HOPBINE_RULES"):
        from .. import _core

        if env.get("HOPBINE_ALGORITHM"):
            _core.parse_algorithms(env["HOPBINE_ALGORITHM"], "--algorithm" if args.algorithm else "HOPBINE_ALGORITHM")
        if env.get("HOPBINE_RULES"):
            _core.read_rules(env["HOPBINE_RULES"])
    env.update(_place(env))
    if env.get("HOPBINE_CHOICE", "count") not in ("", "count", "table"):
        raise ValueError(f"HOPBINE_CHOICE is '{env['HOPBINE_CHOICE']}', not count or table")
    if env.get("HOPBINE_SHAPE"):
        from ._common import parse_shape

        parse_shape(env["HOPBINE_SHAPE"], "--shape" if args.shape else "HOPBINE_SHAPE")
    if env.get("HOPBINE_NETWORK"):
        from .. import _core

        _core.check_network(env["HOPBINE_NETWORK"], "HOPBINE_NETWORK")
    if env.get("HOPBINE_STATS") and not os.path.isdir(os.path.dirname(env["HOPBINE_STATS"])):
        raise FileNotFoundError(f"--stats {env['HOPBINE_STATS']}: its folder does not exist")
    preload = library_folder() / "libhopbine_preload.so"
    if not preload.exists():
        raise FileNotFoundError(f"the preload library {preload} is missing: this hopbine was built without an MPI (CMake option HOPBINE_MPI), "
                                "or HOPBINE_LIB points elsewhere")
    # Behind what is there: a tool that counts MPI calls by PMPI then sees those that hopbine serves.
    before = [library for library in re.split("[: ]+", env.get("LD_PRELOAD", "")) if library and library != str(preload)]
    env["LD_PRELOAD"] = ":".join([*before, str(preload)])
    return env


def _place(env: dict[str, str]) -> dict[str, str]:
    """This node's group and the machine's links, for the runtime; what the environment says already stays."""
    out = {}
    if "HOPBINE_GROUP" not in env and (env.get("HOPBINE_SYSTEM") or env.get("SLURM_JOB_ID")):
        from ..machines import discover, group_of_this_host

        try:
            group, machine = group_of_this_host(env), discover(env)
        except (ValueError, OSError) as error:
            if env.get("HOPBINE_SYSTEM"):
                raise
            # Nobody asked for this file: the job runs without it, and says so.
            if _speaks():
                print(f"hopbine: Slurm's topology is not used: {error}", file=sys.stderr)
            return out
        if group:
            out["HOPBINE_GROUP"] = group
        if machine and machine.network() and "HOPBINE_NETWORK" not in env:
            out["HOPBINE_NETWORK"] = machine.network()
        if machine and machine.shape and "HOPBINE_SHAPE" not in env:
            out["HOPBINE_SHAPE"] = "x".join(map(str, machine.shape))
    return out


def run(args) -> int:
    """Becomes the program."""
    try:
        command = args.program[1:] if args.program[:1] == ["--"] else args.program
        if not command:
            raise ValueError("no program is given: mpiexec -n 4 hopbine run ./app")
        env = environment(args)
        program = shutil.which(command[0])
        if not program:
            raise FileNotFoundError(f"program '{command[0]}' is not there or not executable")
        sys.stdout.flush()
        os.execve(program, command, env)
    except (ValueError, OSError) as error:
        if _speaks():
            print(f"hopbine: {error}", file=sys.stderr)
        return 2
    return 0
