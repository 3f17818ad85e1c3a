"""hopbine run: runs a program with hopbine under its MPI collectives (put it before the program,
after the launcher)
"""

import argparse
import os
import re
import shutil
import sys
from pathlib import Path

from ..settings import check
from ._elf import out_of_reach
from ._rank import say, warn, world_rank, world_size


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.usage = "mpiexec -n N hopbine run [options] PROGRAM [arguments]"
    parser.description = (
        "Runs PROGRAM with hopbine preloaded; each rank goes through this command. Nothing "
        "about the program changes."
    )
    parser.add_argument(
        "--algorithm",
        metavar="RULES",
        help="e.g. allreduce=bine_large:segment=131072,bcast=mpi; 'mpi' is the MPI library's own "
        "(HOPBINE_ALGORITHM)",
    )
    parser.add_argument("--rules", metavar="FILE", help="JSON file of rules (HOPBINE_RULES)")
    parser.add_argument(
        "--stats",
        metavar="FILE",
        help="write what served which calls when the program ends (HOPBINE_STATS); read it with "
        "hopbine stats",
    )
    parser.add_argument(
        "--learn",
        metavar="FILE",
        help="begin with what earlier jobs have measured, and add what this one measures when the "
        "program ends; a file of rules, which may be edited (HOPBINE_LEARN)",
    )
    _add_reach(parser)
    _add_place(parser)
    parser.add_argument(
        "program",
        nargs=argparse.REMAINDER,
        type=str,
        metavar="PROGRAM",
        help="the program and its arguments",
    )


def _add_reach(parser: argparse.ArgumentParser) -> None:
    """Which ranks and calls are served."""
    parser.add_argument(
        "--renumber",
        action="store_true",
        help="treat ranks as numbered node by node, whatever their placement (HOPBINE_RENUMBER)",
    )
    parser.add_argument(
        "--everywhere",
        action="store_true",
        help="all ranks of the job run under hopbine; for launchers that do not tell it "
        "by PMIx or PMI (HOPBINE_EVERYWHERE)",
    )
    parser.add_argument(
        "--progress",
        choices=("auto", "thread"),
        help="what resumes nonblocking and persistent calls while the program computes: "
        "auto: the MPI library's progress (default); thread: a thread of hopbine's own too, which "
        "needs a spare core for each rank and MPI_THREAD_MULTIPLE (HOPBINE_PROGRESS)",
    )


def _add_place(parser: argparse.ArgumentParser) -> None:
    """Where the ranks are, and what follows from it."""
    parser.add_argument(
        "--system",
        metavar="MACHINE",
        help="which node is in which group: a machine's name, description or formula, see hopbine "
        "traffic (HOPBINE_SYSTEM); default: Slurm's topology where the node has it, else node "
        "names only",
    )
    parser.add_argument(
        "--choice",
        choices=("measure", "count", "table"),
        help="measure: the MPI library and the best candidates take turns in the first calls of "
        "a kind, then the fastest stays (default); "
        "count: what spares the links between these nodes and groups, by a model; "
        "table: by ranks and size only (HOPBINE_CHOICE)",
    )
    parser.add_argument(
        "--reproducible",
        action="store_true",
        help="choose by nothing but the job's shape, so that sums of floating-point numbers have "
        "the same bits in every run: the same as --choice count (HOPBINE_CHOICE)",
    )
    parser.add_argument(
        "--patience",
        metavar="F",
        help="how many times as long as the fastest a counted choice may take if it moves less "
        "between groups; default: 1.1 (HOPBINE_PATIENCE)",
    )
    parser.add_argument(
        "--shape",
        metavar="AxB",
        help="the torus that the ranks are on, the last dimension fastest, for algorithms asked "
        "for by name that follow it; "
        "default: that of a torus told by --system, where a communicator has a rank on each of "
        "its nodes in order; "
        "Cartesian communicators tell their own (HOPBINE_SHAPE)",
    )


def library_folder() -> Path:
    """HOPBINE_LIB, else the folder inside the package."""
    from .. import LIBRARY_FOLDER

    return Path(os.environ.get("HOPBINE_LIB") or LIBRARY_FOLDER)


def environment(args: argparse.Namespace) -> dict[str, str]:
    """The program's environment.

    ValueError and FileNotFoundError tell what is wrong before anything runs.
    """
    if args.reproducible and args.choice == "measure":
        raise ValueError("--reproducible does not go with --choice measure, which depends on times")
    env = os.environ | _given(args)
    check(env)
    if args.learn and env.get("HOPBINE_CHOICE") in ("count", "table"):
        raise ValueError("--learn needs --choice measure: otherwise nothing is measured")
    for name in ("HOPBINE_RULES", "HOPBINE_STATS", "HOPBINE_LEARN"):
        if env.get(name):
            env[name] = os.path.abspath(env[name])
    _check_choice(args, env)
    env.update(_place(env))
    if env.get("HOPBINE_NETWORK"):
        from .. import _core

        _core.check_network(env["HOPBINE_NETWORK"], "HOPBINE_NETWORK")
    if env.get("HOPBINE_PATIENCE"):
        from .. import _core

        _core.check_patience(env["HOPBINE_PATIENCE"], "HOPBINE_PATIENCE")
    if not world_rank():  # who writes them
        _check_output(env.get("HOPBINE_STATS"), "there will be no statistics")
        _check_output(env.get("HOPBINE_LEARN"), "what is learned will be lost")
    env["LD_PRELOAD"] = _preload(env.get("LD_PRELOAD", ""))
    # Who tells at its end that nothing was served: src/preload/silence.c.
    env["HOPBINE_PROGRAM"] = str(os.getpid())
    return env


def _given(args: argparse.Namespace) -> dict[str, str]:
    """The settings that are given as options, which go before those of the environment."""
    options = {
        "HOPBINE_ALGORITHM": args.algorithm,
        "HOPBINE_RULES": args.rules,
        "HOPBINE_STATS": args.stats,
        "HOPBINE_LEARN": args.learn,
        "HOPBINE_RENUMBER": "1" if args.renumber else None,
        "HOPBINE_EVERYWHERE": "1" if args.everywhere else None,
        "HOPBINE_PROGRESS": args.progress,
        "HOPBINE_SYSTEM": args.system,
        "HOPBINE_CHOICE": "count" if args.reproducible else args.choice,
        "HOPBINE_PATIENCE": args.patience,
        "HOPBINE_SHAPE": args.shape,
    }
    return {name: value for name, value in options.items() if value is not None}


def _check_choice(args: argparse.Namespace, env: dict[str, str]) -> None:
    """ValueError for algorithms, rules or a shape that the runtime would refuse."""
    algorithms, rules, shape = (
        env.get(f"HOPBINE_{name}") for name in ("ALGORITHM", "RULES", "SHAPE")
    )
    if algorithms or rules:
        from .. import _core

        if algorithms:
            _core.parse_algorithms(
                algorithms, "--algorithm" if args.algorithm else "HOPBINE_ALGORITHM"
            )
        if rules:
            _core.read_rules(rules)
    if shape:
        _check_shape(shape, "--shape" if args.shape else "HOPBINE_SHAPE")


def _preload(before: str) -> str:
    """LD_PRELOAD with the preload library. FileNotFoundError where it was not built.

    Behind what is there: a tool that counts MPI calls by PMPI then sees those that hopbine serves.
    """
    preload = library_folder() / "libhopbine_preload.so"
    if not preload.exists():
        raise FileNotFoundError(
            f"the preload library {preload} is missing: this hopbine was built without an MPI "
            "(CMake option HOPBINE_MPI), "
            "or HOPBINE_LIB points elsewhere"
        )
    others = [
        library for library in re.split("[: ]+", before) if library and library != str(preload)
    ]
    return ":".join([*others, str(preload)])


def _check_output(path: str | None, otherwise: str) -> None:
    """ValueError for a file that cannot be written.

    In a job it is a warning: the other ranks would wait for this one.
    """
    from ..text import check_writable

    if not path:
        return
    try:
        check_writable(path)
    except (ValueError, OSError) as error:
        if world_rank() is None:
            raise
        say(f"{otherwise}: {error}")


def _check_shape(text: str, source: str) -> None:
    """ValueError for what is no shape, and for one that no communicator of the job can have."""
    from math import prod

    from .. import _core

    holds, ranks = prod(_core.parse_shape(text, source)), world_size()
    if ranks and holds > ranks:
        raise ValueError(f"{source} {text} holds {holds} ranks, the job has {ranks}")
    if ranks and holds < ranks:
        warn(
            f"{source} {text} holds {holds} ranks, the job has {ranks}: it is used for "
            f"communicators of {holds} ranks only"
        )


def _place(env: dict[str, str]) -> dict[str, str]:
    """This node's group and the machine's links, for the runtime.

    What the environment says already stays.
    """
    out: dict[str, str] = {}
    if "HOPBINE_GROUP" not in env and (env.get("HOPBINE_SYSTEM") or env.get("SLURM_JOB_ID")):
        from ..machines import discover, group_of_this_host

        try:
            group, machine = group_of_this_host(env), discover(env)
        except (ValueError, OSError) as error:
            if env.get("HOPBINE_SYSTEM"):
                raise
            # Nobody asked for this file: the job runs without it, and says so.
            warn(f"Slurm's topology is not used: {error}")
            return out
        if group:
            out["HOPBINE_GROUP"] = group
        if machine and machine.network() and "HOPBINE_NETWORK" not in env:
            out["HOPBINE_NETWORK"] = machine.network()
        if machine and machine.shape and "HOPBINE_SHAPE" not in env:
            out["HOPBINE_SHAPE"] = "x".join(map(str, machine.shape))
    return out


def run(args: argparse.Namespace) -> int:
    """Becomes the program."""
    try:
        command = args.program[1:] if args.program[:1] == ["--"] else args.program
        if not command:
            raise ValueError("no program is given: mpiexec -n 4 hopbine run ./app")
        env = environment(args)
        program = shutil.which(command[0])
        if not program:
            raise FileNotFoundError(f"program '{command[0]}' is not there or not executable")
        if why := out_of_reach(program):
            warn(f"no collective will be served: {command[0]} {why}")
        sys.stdout.flush()
        os.execve(program, command, env)
    except (ValueError, OSError) as error:
        say(str(error))
        return 2
    return 0
