"""hopbine run: runs a program with hopbine under its MPI collectives (put it before the program,
after the launcher)

The installed command does this without Python (src/launcher). Python has the same code, for
`python -m hopbine run` and where the description of a machine has to be read.
"""

import argparse
import os
import sys
from collections.abc import Collection
from pathlib import Path

from .. import _core
from ..core.settings import SETTINGS
from ..errors import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb, for its page of the reference: main() hands them to the launcher."""
    parser.usage = "mpiexec -n N hopbine run [options] PROGRAM [arguments]"
    parser.description = _core.run_summary
    add_options(parser)
    parser.add_argument(
        "program",
        nargs=argparse.REMAINDER,
        type=str,
        metavar="PROGRAM",
        help="the program and its arguments",
    )


def add_options(parser: argparse._ActionsContainer, without: Collection[str] = ()) -> None:
    """The launcher's options, `without` some."""
    for option in _core.run_options():
        name, metavar = option["name"], option["metavar"]
        if name in without:
            continue
        about = f"{option['meaning']} ({option['setting']})".replace("%", "%%")
        if metavar is None:
            parser.add_argument(name, action="store_true", help=about)
        elif metavar:
            parser.add_argument(name, metavar=metavar, help=about)
        else:
            parser.add_argument(name, choices=SETTINGS[option["setting"]].allowed, help=about)


def library_folder() -> Path:
    """HOPBINE_LIB, else the folder inside the package."""
    from .. import LIBRARY_FOLDER

    return Path(os.environ.get("HOPBINE_LIB") or LIBRARY_FOLDER)


def place(settings: dict[str, str], of_all: bool) -> tuple[dict[str, str], str, bool]:
    """This node's group, or those of all nodes of the job, and the machine's links.

    For the launcher: with a complaint, and whether that is fatal.
    """
    from ..machines import discover, group_of_this_host, job_groups

    environment = os.environ | settings
    out: dict[str, str] = {}
    try:
        machine = discover(environment)
        if of_all and machine:
            out["HOPBINE_GROUPS"] = job_groups(machine, environment)
        elif not of_all and (group := group_of_this_host(environment)):
            out["HOPBINE_GROUP"] = group
    except (UsageError, OSError) as error:
        if environment.get("HOPBINE_SYSTEM"):
            return {}, str(error), True
        # Nobody asked for this file: the job runs without it, and says so.
        return {}, f"Slurm's topology is not used: {error}", False
    return out | (machine.settings() if machine else {}), "", False


def main(words: list[str]) -> int:
    """Becomes the program that the words after `hopbine run` name."""
    launch = _core.prepare_run(
        [os.fsencode(word) for word in words], os.fsencode(library_folder()), place
    )
    for line in launch.messages:
        sys.stderr.write(f"{line}\n")  # in one piece: all ranks write to the same terminal
    if launch.refused:
        return 2
    if launch.help:
        print(_core.run_help(), end="")
        return 0
    sys.stdout.flush()
    sys.stderr.flush()
    print(_core.become(launch), file=sys.stderr)
    return 2
