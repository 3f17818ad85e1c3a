"""One job of the benchmark: without hopbine, or under `hopbine run` with what it begins with."""

import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rivals_job import end_job
from rivals_library import Library
from rivals_network import Network, empty_cache

from hopbine.notation.units import parse_time

#: What Open MPI's launcher says when it gave up before it started a rank; it happens now and then
#: on a busy machine.
NEVER_STARTED = "PMIx server's listener thread failed to start"
TRIES = 3
#: The gain in hopbine's closing line.
GAIN = re.compile(r"^hopbine: .* spent: (faster|slower) by ([\d.e+]+ [mu]?s)\b", re.MULTILINE)


@dataclass(frozen=True)
class Told:
    """What a job told: seconds and KiB by name, and the checksum of its answers.

    `gain`: seconds that hopbine's closing line says were gained; None without that line.
    """

    times: dict[str, float]
    memory: dict[str, float]
    checksum: str
    gain: float | None = None


def read_told(text: str, seconds: float, said: str = "") -> Told:
    """The lines of a program whose job took `seconds` and `said` this on standard error.

    ValueError without a checksum.
    """
    times, memory, checksum = {"job": seconds}, {}, ""
    for line in text.splitlines():
        match line.split():
            case ["time", name, value]:
                times[name] = float(value)
            case ["memory", name, value]:
                memory[name] = float(value)
            case ["checksum", digits]:
                checksum = digits
    if not checksum:
        raise ValueError(f"no checksum in: {text[-500:]}")
    closing = GAIN.search(said)
    gain = None
    if closing:
        gain = (1 if closing[1] == "faster" else -1) * parse_time(closing[2])
    return Told(times, memory, checksum, gain)


class Beginning:
    """What jobs under hopbine know when they begin (`learn`).

    none: nothing, and nothing is kept. fresh: hopbine's default with an empty cache. Else a file
    that an earlier job has learned, of which every job has a copy.
    """

    def __init__(self, learn: str, folder: Path):
        self.learn, self.folder = learn, folder

    def settings(self) -> dict[str, str]:
        """hopbine's settings of the next job. OSError when the file cannot be copied."""
        if self.learn == "none":
            return {"HOPBINE_LEARN": "none"}
        if self.learn == "fresh":
            return empty_cache(self.folder)
        own = Path(tempfile.mkdtemp(dir=self.folder))
        shutil.copy(self.learn, own / "learned.json")
        return {"HOPBINE_LEARN": str(own / "learned.json")}


class Jobs:
    """Jobs of one library on one network, with the hopbine of this command."""

    def __init__(self, network: Network, library: Library, hopbine: str, limit: float):
        self.network, self.library, self.hopbine, self.limit = network, library, hopbine, limit

    def run(self, command: list[str], own: dict[str, str] | None) -> Told:
        """One job; with hopbine's settings `own`, or without hopbine.

        RuntimeError when it fails or takes longer than the limit.
        """
        ranks = command
        if own is not None:
            ranks = [self.hopbine, "run", *self.network.hopbine_options(), *command]
            own = {"HOPBINE_SUMMARY": "always"} | own
        return self._try(ranks, own or {}, TRIES)

    def _try(self, ranks: list[str], own: dict[str, str], tries: int) -> Told:
        begin = time.monotonic()
        job = self.network.launch(self.library, own, ranks, self.limit)
        try:
            text = job.communicate(timeout=self.limit)[0]
        except subprocess.TimeoutExpired:
            end_job(job)
            raise RuntimeError(f"{' '.join(ranks)}: no end within {self.limit:g} s") from None
        seconds, said = time.monotonic() - begin, self.network.said()
        if tries > 1 and NEVER_STARTED in text + said:
            return self._try(ranks, own, tries - 1)
        if job.returncode:
            raise RuntimeError(
                f"{' '.join(ranks)} ended with {job.returncode}: {text[-500:]}{said[-1500:]}"
            )
        try:
            return read_told(text, seconds, said)
        except ValueError as error:
            raise RuntimeError(f"{' '.join(ranks)}: {error}") from None
