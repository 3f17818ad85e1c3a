"""What a tuning has measured so far, on disk.

JSON: a line for the question and one for each answer.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..model.parameters import Parameters
from ..notation.text import read_bytes
from .race import Answer, Request


class OtherQuestion(UsageError):
    """The file answers another question than the one asked."""


class State:
    """Answers by size class, kept as they come."""

    def __init__(self, path: str, question: dict[str, Any], fresh: bool = False):
        """Goes on from `path` where it answers the same question.

        Starts anew where there is none, or with `fresh`. UsageError.
        """
        self.path = path
        self.answers: dict[tuple[str, int], list[Answer]] = {}
        self.banned: dict[str, dict[str, str]] = {}
        self.parameters: Parameters | None = None
        old = Path(path)
        text = "" if fresh or not old.exists() else read_bytes(path).decode(errors="replace")
        if not text.strip():
            Path(path).write_text(json.dumps({"hopbine_tuning": 1, "question": question}) + "\n")
        else:
            self._read(text, json.loads(json.dumps(question)))
        self._file = open(path, "a")

    def _read(self, text: str, question: dict[str, Any]) -> None:
        lines = text.split("\n")
        whole = lines[:-1]  # the last one may have been cut off by the end of the program
        try:
            first = json.loads(whole[0]) if whole else {}
            old = first["question"] if first.get("hopbine_tuning") == 1 else None
            entries = [json.loads(line) for line in whole[1:]]
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
            raise UsageError(
                f"{self.path} is no state of hopbine tune ({error}); give another --state, or "
                "--fresh to replace it"
            ) from None
        if old is None:
            raise UsageError(
                f"{self.path} is no state of hopbine tune; give another --state, or --fresh to "
                "replace it"
            )
        if old != question:
            said = "; ".join(
                _difference(key, old.get(key), question.get(key))
                for key in sorted(old.keys() | question.keys())
                if old.get(key) != question.get(key)
            )
            raise OtherQuestion(
                f"{self.path} is of another tuning: {said}. Give another --state, or --fresh to "
                "start anew"
            )
        try:
            for entry in entries:
                self._count(entry)
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise UsageError(
                f"{self.path} has an answer that is none ({error}); give another --state, or "
                "--fresh to replace it"
            ) from None
        if lines[-1]:
            with open(self.path, "w") as out:
                out.write("\n".join(whole) + "\n")

    def _count(self, entry: dict[str, Any]) -> None:
        if "parameters" in entry:
            self.parameters = Parameters(**entry["parameters"])
        elif "banned" in entry:
            self.banned.setdefault(entry["collective"], {})[entry["banned"]] = entry["why"]
        else:
            request = Request(entry["phase"], entry["repetitions"], tuple(entry["algorithms"]))
            answer = Answer(
                request, entry["samples"], entry["refused"], entry["wall"], entry["trials"]
            )
            self.answers.setdefault((entry["collective"], entry["bytes"]), []).append(answer)

    def _add(self, entry: dict[str, Any]) -> None:
        self._count(entry)
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def keep(self, collective: str, size: int, answer: Answer) -> None:
        """Writes an answer down."""
        where = {"collective": collective, "bytes": size}
        self._add(
            where
            | {
                "samples": answer.samples,
                "refused": answer.refused,
                "wall": answer.wall,
                "trials": answer.trials,
            }
            | asdict(answer.request)
        )

    def ban(self, collective: str, algorithm: str, why: str) -> None:
        """This algorithm brought a launch down: it is not tried again."""
        self._add({"collective": collective, "banned": algorithm, "why": why})

    def keep_parameters(self, parameters: Parameters) -> None:
        """What the model prunes with, so that it prunes the same when the tuning goes on."""
        self._add({"parameters": asdict(parameters)})

    def close(self) -> None:
        """Nothing more is kept."""
        self._file.close()


def _difference(key: str, old: object, new: object) -> str:
    if isinstance(old, list) and isinstance(new, list):
        gone, come = [x for x in old if x not in new], [x for x in new if x not in old]
        return f"{key}: " + (
            ", ".join([*(f"-{x}" for x in gone), *(f"+{x}" for x in come)]) or "another order"
        )
    if isinstance(old, dict) and isinstance(new, dict):
        return "; ".join(
            _difference(f"{key} {k}", old.get(k, []), new.get(k, []))
            for k in sorted(old.keys() | new.keys())
            if old.get(k) != new.get(k)
        )
    return f"{key}: {old}, now {new}"
