"""The report of a comparison: a JSON file to keep, or to send to whoever asked for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from math import inf
from pathlib import Path
from typing import Any

from .. import _core
from ..output.replaced import replaced
from . import place
from .commands import AGAIN, HOPBINE, STOCK
from .figures import JOB
from .session import Session
from .verdict import Result, result

#: Version of the file's layout.
SCHEMA = 1
#: How a comparison may have ended.
RUNNING, FINISHED, INTERRUPTED, FAILED = "running", "finished", "interrupted", "failed"


def results(session: Session) -> list[Result]:
    """Results of all figures, over complete turns; none where there is no such turn."""
    plan = session.plan
    rates = {JOB: False} | {f.name: f.rate for f in plan.figures}
    out = []
    for name, rate in rates.items():
        stock, own, again = (session.column(kind, name) for kind in (STOCK, HOPBINE, AGAIN))
        if stock:
            out.append(result(name, stock, own, again, plan.confidence, rate))
    return out


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    """An interval without an end has none in JSON either."""
    return {key: None if value == inf else value for key, value in row.items()}


def collective_seconds(statistics: dict[str, Any]) -> float:
    """What the slowest ranks spent in blocking collectives, of the job with statistics."""
    rows: Sequence[dict[str, Any]] = statistics["rows"]
    return sum(
        float(row["seconds"])
        for row in rows
        if row["comm_size"] > 1 and row.get("form", "blocking") == "blocking"
    )


class Report:
    """The file, which is written anew after every turn: a batch system may end everything."""

    def __init__(self, path: Path, session: Session, environment: dict[str, str]) -> None:
        self.path, self.session = path, session
        self._began = datetime.now().astimezone().isoformat(timespec="seconds")
        self._place = place.about(environment)
        self._launcher = place.launcher(session.plan.commands.given[0])

    def write(self, state: str, failure: str | None = None) -> None:
        """All that is known so far."""
        with replaced(self.path) as made:
            content = self.content(state, failure)
            made.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n")

    def content(self, state: str, failure: str | None) -> dict[str, Any]:
        """What the file has."""
        session, told = self.session, self.session.statistics
        return {
            "hopbine_compare": SCHEMA,
            "hopbine": _core.version,
            "state": state,
            "failure": failure,
            "began": self._began,
            "commands": {
                "stock": session.plan.commands.stock(),
                "hopbine": session.plan.commands.hopbine(),
            },
            "settings": self._settings(),
            "place": self._place,
            "launcher": self._launcher,
            "mpi": told["mpi"] if told else None,
            "ranks": told["ranks"] if told else None,
            "results": [_finite(asdict(one)) for one in results(session)],
            "jobs": [asdict(job) for job in session.jobs],
            "lines_missing": session.lines.missing(),
            "statistics": told,
        }

    def _settings(self) -> dict[str, Any]:
        """How it was compared."""
        plan = self.session.plan
        return {
            "pairs": plan.pairs,
            "warm_up": plan.warm_up,
            "seed": plan.seed,
            "confidence": plan.confidence,
            "timeout": plan.limit,
            "fresh": plan.fresh,
            "input": plan.given,
            "prepare": plan.prepare,
            "figures": [
                {"name": f.name, "pattern": f.pattern.pattern, "rate": f.rate} for f in plan.figures
            ],
        }


def free_name(path: Path) -> Path:
    """The path, or the first NAME-2, NAME-3 and so on that is free: no report is lost."""
    number, out = 1, path
    while out.exists():
        number += 1
        out = path.with_stem(f"{path.stem}-{number}")
    return out
