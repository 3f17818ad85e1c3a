"""hopbine select: show, validate, explain."""

import json

from rule_cases import run

from hopbine.selection.file import Rule, write


def test_show_validate_explain(capsys, tmp_path):
    path = tmp_path / "r.json"
    write(
        path,
        [
            Rule("bcast", "linear", bytes=(0, 9)),
            Rule("bcast", "bine_small", bytes=(10, None), nodes=(2, None)),
            Rule("bcast", "linear", bytes=(5, 9)),
            Rule("allgather", "bine_permute", ranks=(5, 7)),
            Rule("allgather", "ring", ranks=(2, 4)),
            Rule("allgather", "mpi", ranks=(4, 9)),
        ],
        "",
    )
    code, out, _ = run(capsys, "show", path)
    assert code == 0
    assert len(out.splitlines()) == 7
    assert "bine_small" in out
    assert "10.." in out
    code, out, _ = run(capsys, "validate", path)
    assert code == 1
    assert f"{path}:5: bcast linear repeats the rule in line 3" in out
    assert f"{path}:6: allgather bine_permute serves none of 5..7 ranks" in out
    assert f"{path}:8" not in out
    assert "bcast: no rule for bytes 10.., nodes 1: hopbine chooses by itself" in out
    code, out, _ = run(capsys, "validate", path, "--format", "json")
    rows = [(r["line"], r["algorithm"], r["odd"].partition(" ")[0]) for r in json.loads(out)]
    assert code == 1
    assert rows[:2] == [(5, "linear", "repeats"), (6, "bine_permute", "serves")]
    assert {(line, odd) for line, _, odd in rows[2:]} == {(None, "no")}
    code, out, _ = run(
        capsys,
        "explain",
        "bcast",
        "--rules",
        path,
        "-p",
        8,
        "--ranks-per-node",
        4,
        "--sizes",
        "8:64:8",
    )
    assert code == 0
    assert "8 B: linear, line 3" in out
    assert "64 B: bine_small, line 4\n  passed over: line 3, linear: bytes 64 outside 0..9" in out
    code, out, _ = run(capsys, "explain", "allgather", "--rules", path, "-p", 6, "--sizes", "8")
    assert (
        "mpi; line 6 answers with bine_permute, but allgather bine_permute serves p power of "
        "two, not p = 6"
    ) in out
    code, out, _ = run(capsys, "explain", "gather", "--rules", path, "-p", 6, "--sizes", "8")
    assert "8 B: no rule answers: measured in the job, at first by counting" in out


def test_a_rule_covered_by_several_is_found(capsys, tmp_path):
    path = tmp_path / "r.json"
    write(
        path,
        [
            Rule("bcast", "linear", bytes=(0, 9)),
            Rule("bcast", "knomial", bytes=(10, 20)),
            Rule("bcast", "bine_small", bytes=(5, 15)),
        ],
        "",
    )
    code, out, _ = run(capsys, "validate", path)
    assert code == 1
    assert "r.json:5: bcast bine_small never answers" in out
