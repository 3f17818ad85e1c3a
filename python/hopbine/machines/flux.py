"""Flux's jobs: the resource set R (RFC 20) has the nodes, the task map (RFC 34) who is where."""

import json
import subprocess
from collections.abc import Mapping
from typing import Any

from ..errors import UsageError
from ..notation.hosts import MOST_RANKS, expand
from ..notation.text import short

#: Longer than a broker takes to answer.
_SECONDS = 30


def looks_like(text: str) -> bool:
    """Whether it is JSON of a resource set."""
    return text.lstrip().startswith("{") and '"R_lite"' in text


def nodes(text: str, source: str) -> list[str]:
    """The hosts of a resource set, in the order of their ranks.

    `flux resource R`, `flux job info ID R`. UsageError.
    """
    try:
        data: Any = json.loads(text)
        data = data.get("all", data)  # flux resource list --include answers a set of sets
        execution = data["execution"]
        listed = execution["nodelist"]
        ranks = sum(len(_ids(one["rank"])) for one in execution["R_lite"])
        hosts = [host for part in listed for host in expand(part)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, UsageError):
            raise UsageError(f"{source}: {error}") from None
        why = "has no nodelist" if error.args == ("nodelist",) else "is no resource set of Flux"
        raise UsageError(
            f"{source}: {why} (execution with R_lite and nodelist, RFC 20); flux resource R and "
            "flux job info ID R print one"
        ) from None
    if len(hosts) != ranks or not hosts:
        raise UsageError(f"{source}: its nodelist has {len(hosts):,} hosts, its R_lite {ranks:,}")
    return hosts


def _ids(text: str) -> list[str]:
    """The numbers of '0-3,7' (RFC 22)."""
    return expand(f"[{text.strip('[]')}]")


def tasks(text: str, hosts: list[str]) -> list[str]:
    """The host of each task by a map [[node, nodes, tasks of each, times], ...]. UsageError."""
    try:
        blocks: Any = json.loads(text)
        blocks = blocks["map"] if isinstance(blocks, dict) else blocks
        if sum(count * each * times for _, count, each, times in blocks) > MOST_RANKS:
            raise UsageError(f"flux job taskmap tells of more than {MOST_RANKS:,} ranks")
        return [
            hosts[node]
            for first, count, each, times in blocks
            for _ in range(times)
            for node in range(first, first + count)
            for _ in range(each)
        ]
    except (ValueError, TypeError, KeyError, IndexError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(
            f"flux job taskmap printed '{short(text.strip())}', no map of {len(hosts)} nodes as "
            "[[0,2,4,1]] (RFC 34)"
        ) from None


def running(environment: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
    """The host of each task of this job, and what told it; None outside of Flux's jobs.

    In a task it is the job's own map; in an instance, as flux batch and alloc start one, every node
    once. UsageError.
    """
    if not environment.get("FLUX_URI"):
        return None
    name = environment.get("FLUX_JOB_ID")
    command = ["flux", "job", "info", name, "R"] if name else ["flux", "resource", "R"]
    hosts = nodes(_answer(command, environment), " ".join(command))
    if name:
        hosts = tasks(_answer(["flux", "job", "taskmap", name], environment), hosts)
    return tuple(hosts), " ".join(command)


def _answer(command: list[str], environment: Mapping[str, str]) -> str:
    """What a command of Flux prints. UsageError when it fails."""
    try:
        done = subprocess.run(
            command, env=dict(environment), capture_output=True, text=True, timeout=_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"FLUX_URI is set, but {' '.join(command)} fails: {error}") from None
    if done.returncode:
        raise UsageError(
            f"FLUX_URI is set, but {' '.join(command)} fails: {short(done.stderr.strip())}"
        )
    return done.stdout
