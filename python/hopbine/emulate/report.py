"""What the links carried, for people, and as CSV and JSON."""

import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from ..notation.text import many
from ..notation.units import show_rate
from ..output.replaced import replaced
from ..output.tables import Column, Csv, Table
from .counted import Count
from .counters import Counters, Use
from .plan import Plan

#: How busy processors may be while links are in use; above, a rank that a message has come for
#: waits for a core.
BUSY = 0.8
#: Links that people are shown: those with the most bytes.
SHOWN = 16
#: The row of all links out of groups.
ALL_UP = "all up"


def out_of_groups(path: str | Path) -> dict[str, Any]:
    """The row of all links out of groups, from a file of --json. OSError, StopIteration."""
    links = json.loads(Path(path).read_text(encoding="utf-8"))["links"]
    return next(row for row in links if row["link"] == ALL_UP)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.0f} %"


COLUMNS = [
    Column("link", "link"),
    Column("rate", "rate", lambda rate: show_rate(rate / 8), right=True),
    Column("bytes", "bytes", lambda n: f"{n:,}", right=True),
    Column("packets", "packets", lambda n: f"{n:,}", right=True),
    Column("peak", "peak", _share, right=True),
    Column("payload", "without headers", lambda n: f"{n:,}", right=True),
    Column(
        "hopbine",
        "hopbine counts",
        lambda n: "-" if n is None else f"{n:,.0f}",
        right=True,
        raw=round,
    ),
    Column("ratio", "ratio", lambda r: "-" if r is None else f"{r:.3f}", right=True),
]


def _row(name: str, rate: float, uses: Sequence[Use], counted: float | None) -> dict[str, Any]:
    payload = sum(use.payload for use in uses)
    return {
        "link": name,
        "rate": rate,
        "bytes": sum(use.bytes for use in uses),
        "packets": sum(use.packets for use in uses),
        "peak": max(use.peak for use in uses),
        "payload": payload,
        "hopbine": counted,
        "ratio": payload / counted if counted else None,
    }


def rows_of(plan: Plan, uses: Sequence[Use], count: Count | None) -> list[dict[str, Any]]:
    """A row for each link, and on groups one of all links upwards."""
    whole = count if count and count.counted == count.calls else None

    def counted(of: Sequence[Use]) -> float | None:
        return sum(whole.of_link(u.link.group, u.link.into) for u in of) if whole else None

    rows = [_row(use.link.name, use.link.rate, [use], counted([use])) for use in uses]
    if plan.groups:
        up = [use for use in uses if use.link.group is not None]
        rows.append(_row(ALL_UP, sum(use.link.rate for use in up), up, counted(up)))
    return rows


def tell(
    plan: Plan, counters: Counters, count: Count | None, realtime: bool
) -> list[dict[str, Any]]:
    """Prints the table on standard error, for the program has standard output. Its rows.

    `realtime`: other work on the machine does not delay ranks.
    """
    rows = rows_of(plan, counters.uses, count)
    links = rows[: len(counters.uses)]
    busiest = max(links, key=lambda row: row["bytes"])
    shown = links
    if len(links) > SHOWN:
        shown = sorted(links, key=lambda row: -row["bytes"])[:SHOWN]
    columns = COLUMNS if count and count.calls else COLUMNS[:6]
    with redirect_stdout(sys.stderr):
        print()
        Table().table(columns, shown + rows[len(links) :])
        if len(shown) < len(links):
            print(f"and {len(links) - len(shown)} links with fewer bytes")
        if busiest["bytes"]:
            print(f"busiest link: {busiest['link']}, {busiest['bytes']:,} bytes")
        for line in (*_about_count(plan, count), *_about_processors(counters, realtime)):
            print(line)
    return rows


def _about_count(plan: Plan, count: Count | None) -> list[str]:
    """Where hopbine's count is of some of the calls, or of none."""
    if count is None or not count.calls:
        return []
    if plan.shape:
        return ["hopbine counts messages, not hops: on a torus its count is not of these links"]
    out = []
    if count.counted < count.calls:
        out = [f"hopbine's count is of {count.counted:,} of {many(count.calls, 'collective call')}"]
        out += [f"  {calls:,}: {why}" for why, calls in count.why.items()]
    return out


def _about_processors(counters: Counters, realtime: bool) -> list[str]:
    share = counters.processors.share
    if share is None:
        return ["no link was in use for long enough to say how busy the processors were"]
    others = counters.processors.others
    out = [
        f"processors while links were in use: {_share(share)} busy with the cluster, "
        f"{_share(others)} with other work"
    ]
    if share > BUSY or (not realtime and share + others > BUSY):
        out.append(
            "warning: the processors, not the network, may have decided the times: take a lower "
            "--rate or fewer hosts"
        )
    return out


def write(
    rows: Sequence[dict[str, Any]],
    counters: Counters,
    realtime: bool,
    csv: str | None,
    as_json: str | None,
) -> None:
    """--csv and --json; `realtime` as of `tell`. OSError."""
    if csv:
        with replaced(csv) as made, open(made, "w", encoding="utf-8", newline="") as file:
            Csv(file).table(COLUMNS, rows)
    if as_json:
        keyed = [c for c in COLUMNS if c.key]
        told = {
            "hopbine_emulate": 1,
            "seconds": counters.seconds,
            "realtime": realtime,
            "processors_busy": counters.processors.share,
            "links": [{c.key: c.value(row) for c in keyed} for row in rows],
        }
        with replaced(as_json) as made, open(made, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=1, allow_nan=False)
            file.write("\n")
