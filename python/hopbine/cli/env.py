"""hopbine env: prints the settings of a job for the shell, with the groups of its nodes: eval
"$(hopbine env --system MACHINE)" once, and no rank reads the machine's description
"""

import argparse
import os
import shlex
import sys

from .. import _core
from ..core.settings import SETTINGS
from ..errors import UsageError
from . import run as launcher

#: What holds for one node only.
_OF_A_NODE = ("HOPBINE_GROUP", "HOPBINE_NODE")


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb, for its page of the reference."""
    parser.usage = "hopbine env [options of hopbine run]"
    parser.description = (
        "Validates the settings of a job, and prints them for the shell. Called inside a job of "
        "Slurm, PBS, LSF or Flux, it knows the job's nodes; elsewhere it prints the groups of all "
        "nodes of the machine."
    )
    launcher.add_options(parser)


def place(settings: dict[str, str], _of_all: bool) -> tuple[dict[str, str], str, bool]:
    """The groups of all nodes and the machine's links, for the launcher."""
    out, complaint, _ = launcher.place(settings, of_all=True)
    return out, complaint, bool(complaint)


def main(words: list[str]) -> int:
    """Prints what a shell has to read."""
    before = dict(os.environ)
    for name in ("HOPBINE_GROUPS", "HOPBINE_GROUP"):  # what an earlier call has exported
        os.environ.pop(name, None)
    launch = _core.prepare_run(
        [os.fsencode(word) for word in (*words, "true")],
        os.fsencode(launcher.library_folder()),
        place,
    )
    if len(launch.command) > 1:
        raise UsageError("hopbine env takes options only; hopbine run starts programs")
    for line in launch.messages:
        print(line, file=sys.stderr)
    if launch.refused:
        return 2
    after = {os.fsdecode(name): os.fsdecode(value) for name, value in launch.environment.items()}
    if launch.help:
        parser = argparse.ArgumentParser(prog="hopbine env")
        configure(parser)
        parser.print_help()
        return 0
    for name in SETTINGS:
        if name in after and name not in _OF_A_NODE and after[name] != before.get(name):
            print(f"export {name}={shlex.quote(after[name])}")
    return 0
