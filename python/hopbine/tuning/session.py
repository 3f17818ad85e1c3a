"""One launch of hopbine-bench that is asked for samples, round after round."""

import csv
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..bench.launch import BenchError
from ..errors import MissingFile
from ..model.parameters import Parameters
from .race import Answer, Request


class Lost(BenchError):
    """The launch has ended or says nothing any more: `what`, in short.

    `trying`: the algorithm whose first call it was in, if it was in one.
    """

    def __init__(self, what: str, more: str = "", trying: str | None = None):
        super().__init__(what + more)
        self.what, self.trying = what, trying


@dataclass(frozen=True)
class Hello:
    """What the ranks say of themselves. `group` is "-" where nothing is known."""

    library: str
    nodes: tuple[str, ...]
    groups: tuple[str, ...]

    @property
    def placed(self) -> bool:
        """Is there anything that an algorithm can follow?

        Several nodes with several ranks on one, or several groups.
        """
        nodes = len(set(self.nodes))
        return 1 < nodes < len(self.nodes) or len(set(self.groups)) > 1


class Session:
    """A running launch; to be closed, or used as a context."""

    def __init__(self, command: Sequence[str], environment: dict[str, str], silence: float):
        """Starts it and waits for all ranks.

        `silence`: seconds without a word after which it is given up. Lost, MissingFile.
        """
        self.command, self.silence = list(command), silence
        self._errors = tempfile.TemporaryFile("w+")
        try:
            # A group of its own: an interrupt at the terminal is for us, who keep the state, not
            # for the launcher.
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise MissingFile(f"'{command[0]}' cannot be started: {error.strerror}") from None
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self.hello = self._introduction()
        except BaseException:
            self.close(kill=True)
            raise

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(kill=kind is not None)

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def _line(self, trying: str | None = None) -> str:
        try:
            line = self._lines.get(timeout=self.silence)
        except queue.Empty:
            raise Lost(
                f"no word within {self.silence:g} s (--timeout)",
                f" from: {' '.join(self.command)}{self._said()}",
                trying,
            ) from None
        if line is None:
            code = self._process.wait()
            raise Lost(
                f"the launch ended with {code}", f": {' '.join(self.command)}{self._said()}", trying
            )
        return line

    def _said(self) -> str:
        self._errors.seek(0)
        text = self._errors.read().strip()
        return f":\n{text[-2000:]}" if text else ""

    def _introduction(self) -> Hello:
        library, places = "", {}
        while (line := self._line()) != "# ready":
            word, _, rest = line.removeprefix("# ").partition(" ")
            if word == "library":
                library = rest
            elif word == "place":
                rank, node, group = rest.split()
                places[int(rank)] = (node, group)
        ordered = [places[r] for r in range(len(places))]
        return Hello(library, tuple(n for n, _ in ordered), tuple(g for _, g in ordered))

    def _ask(self, line: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it has ended: reading tells how

    def probe(self) -> Parameters:
        """What messages cost between these ranks, roughly."""
        self._ask("probe")
        found: list[float] = []
        while (line := self._line()) != "# done":
            if line.startswith("# probe "):
                found = [float(word) for word in line.split()[2:]]
        if not found:
            raise Lost(f"no answer to 'probe' from: {' '.join(self.command)}")
        alpha, beta, gamma, overhead = found
        return Parameters(alpha, beta, gamma, overhead)

    def bytes(self, collective: str, size: int) -> int:
        """The bytes that are timed when `size` are asked for.

        Whole elements, at least one for each block.
        """
        return self._time(collective, size, Request("size", 0, ()))[0]

    def ask(self, collective: str, size: int, request: Request) -> Answer:
        """Takes the samples. Lost."""
        return self._time(collective, size, request)[1]

    def _time(self, collective: str, size: int, request: Request) -> tuple[int, Answer]:
        self._ask(
            f"time {collective} {size} {request.repetitions} "
            f"{','.join(request.algorithms) or 'mpi'}"
        )
        samples: dict[str, list[float]] = {}
        refused: dict[str, str] = {}
        served: dict[str, str] = {}
        size, trying = 0, None
        began = tried = time.monotonic()
        while (line := self._line(trying)) != "# done":
            word, _, rest = line.removeprefix("# ").partition(" ")
            if not line.startswith("# "):
                _, algorithm, _, _, repetition, _, seconds, correct, _ = next(csv.reader([line]))
                samples.setdefault(algorithm, [0.0] * request.repetitions)[int(repetition)] = float(
                    seconds
                )
                if correct != "1":
                    refused[algorithm] = "its result is wrong"
            elif word == "bytes":
                size = int(rest)
            elif word == "trying":
                trying = rest
            elif word == "served":
                algorithm, _, served[algorithm] = rest.partition(" ")
            elif word == "refused":
                algorithm, _, refused[algorithm] = rest.partition(" ")
            if word in ("served", "refused"):
                tried, trying = time.monotonic(), None
            elif word == "error":
                raise BenchError(f"hopbine-bench: {rest}")
        return size, Answer(
            request,
            {a: s for a, s in samples.items() if a not in refused},
            refused,
            time.monotonic() - began,
            tried - began,
            served,
        )

    def close(self, kill: bool = False) -> None:
        """Ends the launch: by asking it to, or at once."""
        assert self._process.stdin
        try:
            self._process.stdin.write("end\n")
            self._process.stdin.close()
        except OSError:
            pass
        for step in ([] if kill else [None]) + [signal.SIGTERM, signal.SIGKILL]:
            if step and self._process.poll() is None:
                os.killpg(self._process.pid, step)
            try:
                self._process.wait(timeout=5 if step else self.silence)
                break
            except subprocess.TimeoutExpired:
                continue
        self._errors.close()
