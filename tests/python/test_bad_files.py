"""Files that are wrong, in place of every file that a verb reads.

Missing ones, folders, empty and cut off ones, other bytes and other values: one line or an answer,
in no time, and no traceback.
"""

import json
import random
import tempfile
from pathlib import Path

import pytest
from test_bounds import attack, wrong

from hopbine.selection.file import Rule, write

ROOT = Path(__file__).parents[2]
STATISTICS = (ROOT / "examples/data/recorded.json").read_bytes()
MACHINE = (ROOT / "systems/lumi.toml").read_bytes()
SWITCHES = b"SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=t Switches=s[0-1]\n"
TREE = b"""- topology: default
  tree:
    switches:
      - switch: s0
        nodes: n[0-3]
      - switch: s1
        nodes: n[4-7]
      - switch: t
        children: s[0-1]
"""
CALIBRATION = (
    b'{"hopbine_calibration": 1, "parameters": '
    b'{"alpha": 1e-6, "beta": 1e-10, "gamma": 1e-10, "overhead": 1e-7}}'
)
MEASURED = b'{"hopbine_tuning": 1, "question": {"ranks": 2}}\n{"of": 3}\n'
TRAFFIC = ("traffic", "bcast", "--algorithms", "linear", "--sizes", "8", "--machine")
SIMULATE = ("simulate", "bcast", "--algorithms", "linear", "--sizes", "8")
TORUS = (*SIMULATE, "--topology", "torus:2x2", "--place")
ON_LUMI = ("--machine", "lumi", "--hosts", "random:4")
HOSTS = ("traffic", "bcast", "--algorithms", "linear", "--sizes", "8", "--hosts")


def rules(*those: Rule) -> bytes:
    """A file of rules."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "rules.json"
        write(made, those or [Rule("bcast", "linear"), Rule("allreduce", "ring")], "")
        return made.read_bytes()


#: Names, what a right file holds, and the words before and after the name of a wrong one.
READERS = {
    "stats": (STATISTICS, ("stats",), ()),
    "stats --all": (STATISTICS, ("stats", "--all"), ()),
    "predict": (STATISTICS, ("predict",), ON_LUMI),
    "jobs": (b"job,hosts\n1,n[0-3]\n2,n[2-7]\n", ("jobs",), ("--algorithms", "ring")),
    "report predict": (STATISTICS, ("report", "predict"), (*ON_LUMI, "-o", "out.html")),
    "select show": (rules(), ("select", "show"), ()),
    "select validate": (rules(), ("select", "validate"), ()),
    "select explain": (
        rules(),
        ("select", "explain", "bcast", "-p", "4", "--sizes", "8", "--rules"),
        (),
    ),
    "select export": (rules(), ("select", "export"), ("--for", "openmpi")),
    "select export --base": (
        b'{"collective=bcast": {"comm_type=intra": {}}}',
        ("select", "export", "rules", "--for", "mpich", "--base"),
        (),
    ),
    "toml": (MACHINE, TRAFFIC, ("--hosts", "contiguous:4")),
    "topology.conf": (SWITCHES, TRAFFIC, ("--hosts", "n[0-7]")),
    "topology.yaml": (TREE, TRAFFIC, ("--hosts", "n[0-7]")),
    "groups": (b"n0,a\nn1,a\nn2,b\n", TRAFFIC, ("--hosts", "n[0-2]")),
    "xnames": (b"n0: x1000c0s0b0n0\nn1: x1001c0s0b0n0\n", TRAFFIC, ("--hosts", "n0,n1")),
    "hosts": (b"n0\nn1\nn2\n", HOSTS, ()),
    "hosts by rank": (b"rank,host\n0,n0\n1,n1\n", HOSTS, ()),
    "hosts of statistics": (STATISTICS, HOSTS, ()),
    "calibration": (
        CALIBRATION,
        ("model", "bcast", "--ranks", "4", "--sizes", "8", "--k", "2", "--calibration"),
        (),
    ),
    "places": (b"0 1 2 3\n", TORUS, ()),
    "other jobs": (
        b"job,hosts\n1,nid[005000-005031]\n",
        (
            *(
                *SIMULATE,
                "--engine",
                "packet",
                "--machine",
                "lumi",
                "--hosts",
                "nid[006000-006003]",
            ),
            *("--background", "0.1", "--background-jobs"),
        ),
        (),
    ),
    "state": (
        MEASURED,
        ("tune", "bcast", "--sizes", "8", "--mpiexec", "/nonexistent/mpiexec", "--state"),
        (),
    ),
}
#: Readers that take a folder for the files in it.
FOLDERS = ("jobs", "other jobs")
#: In place of any value of a JSON file.
VALUES = (None, True, -1, 0, 1e999, 2**70, "", "\x1b[1m", [], {}, [[]], {"a": None})


def changed(tree, draw: random.Random):
    """The tree with one value in it changed or left out."""
    if isinstance(tree, dict | list) and tree and draw.random() < 0.85:
        made = dict(tree) if isinstance(tree, dict) else list(tree)
        key = draw.choice(list(made)) if isinstance(made, dict) else draw.randrange(len(made))
        if draw.random() < 0.15:
            del made[key]
        else:
            made[key] = changed(made[key], draw)
        return made
    return draw.choice(VALUES)


def variants(right: bytes, draw: random.Random) -> list[bytes]:
    """Wrong files, and some that happen to be right."""
    cut = [right[: draw.randrange(len(right))] for _ in range(8)]
    other = []
    for _ in range(8):
        made = bytearray(right)
        for _ in range(draw.choice((1, 1, 5))):
            made[draw.randrange(len(made))] = draw.randrange(256)
        other.append(bytes(made))
    lines = right.splitlines(True)
    twice = [b"".join([*lines[:at], lines[at], *lines[at:]]) for at in (0, len(lines) - 1)]
    fixed = [b"", b"\n\n", b"\0" * 64, b"\xff\xfe\x00", draw.randbytes(300), b"[]", b"{}", b"null"]
    fixed += [b"[" * 100_000, b"9" * 5000, b"x" * 100_000, b"\xef\xbb\xbf" + right]
    fixed += [right.decode().encode("utf-16"), right.replace(b"\n", b"\r\n")]
    try:
        tree = json.loads(right)
        fixed += [json.dumps(changed(tree, draw)).encode() for _ in range(24)]
    except ValueError:
        pass  # no JSON
    return cut + other + twice + fixed


@pytest.mark.parametrize("name", READERS)
def test_a_wrong_file_is_told_in_a_line(name, tmp_path):
    right, before, after = READERS[name]
    draw = random.Random(name)
    (tmp_path / "rules").write_bytes(rules(Rule("alltoall", "pairwise")))  # which MPICH has
    files = [tmp_path / "missing", tmp_path, Path("/proc/self/mem"), Path("/dev/null")]
    files += [tmp_path / ("x" * 300), tmp_path / "rules" / "below a file"]
    for n, content in enumerate(variants(right, draw)):
        files.append(tmp_path / f"{n}.dat")
        files[-1].write_bytes(content)
    cases = [[*before, str(file), *after] for file in files]
    must_fail = [i < 6 and name != "state" for i in range(len(cases))]
    must_fail[1] &= name not in FOLDERS
    told = attack(cases, tmp_path)
    problems = [
        f"{files[i].name}: {found}"
        for i, found in enumerate(map(wrong, cases, told, must_fail))
        if found
    ]
    assert not problems, f"{len(problems)} of {len(cases)}:\n" + "\n".join(problems[:40])


@pytest.mark.parametrize("name", [n for n in READERS if n not in ("state", "select export --base")])
def test_the_right_file_is_read(name, tmp_path):
    right, before, after = READERS[name]
    (tmp_path / "right").write_bytes(right)
    (told,) = attack([[*before, str(tmp_path / "right"), *after]], tmp_path)
    assert told["code"] in (0, 1), told["err"]
