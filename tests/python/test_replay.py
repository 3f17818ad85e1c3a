"""Exported schedules, replayed by an outside program, compute every collective."""

import csv
import io
from itertools import product

import pytest
from replay import replay

from hopbine import _core
from hopbine.cli.check import placements, shapes


@pytest.mark.parametrize(
    "record", _core.algorithms(), ids=lambda a: f"{a['collective']}-{a['name']}"
)
@pytest.mark.parametrize("p", [1, 2, 3, 6, 7, 8, 12, 13, 33])
def test_csv_rows_compute_the_collective(record, p):
    if not _core.fits(record["collective"], record["name"], p):
        with pytest.raises(ValueError, match=record["name"]):
            _core.schedule(_core.Problem(record["collective"], record["name"], p))
        return
    for root, (group, node), shape in product(
        {0, p // 2, p - 1} if _core.rooted(record["collective"]) else {0},
        placements(record, p),
        shapes(record, p),
    ):
        parts: list[str] = []
        problem = _core.Problem(
            record["collective"],
            record["name"],
            p,
            root=root,
            group=group,
            node=node,
            shape=shape,
        )
        _core.export(problem, "csv", parts.append)
        replay(
            record["collective"],
            p,
            root,
            csv.DictReader(io.StringIO("".join(parts))),
            _core.schedule(problem).parts,
        )
