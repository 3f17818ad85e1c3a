"""Rules in the forms that other MPI libraries read."""

import json

import pytest
from rule_cases import REGISTRY, run

from hopbine.bench.library import MPICH, OPENMPI
from hopbine.selection.coordinates import coordinates
from hopbine.selection.counterparts import SAME
from hopbine.selection.file import Rule, write
from hopbine.selection.mpich import SIZE, tuning
from hopbine.selection.openmpi import NUMBERS, classic, version6
from hopbine.selection.plan import plan

RULES = [
    Rule("allreduce", "recursive_doubling", ranks=(3, 8), bytes=(0, 4096)),
    Rule("allreduce", "ring", ranks=(3, None)),
    Rule("bcast", "bine_small"),
    Rule("reduce_scatter", "recursive_halving", bytes=(512, 1023)),
]


def test_counterparts_are_algorithms_of_both_sides():
    ours = {(a["collective"], a["name"]) for a in REGISTRY}
    for family, table in SAME.items():
        for collective, pairs in table.items():
            assert {
                (collective.removesuffix("_block"), key.partition(":")[0]) for key in pairs
            } <= ours
            if family != "ucc":
                assert set(pairs.values()) <= set(
                    (OPENMPI if family == "openmpi" else MPICH)[collective]
                )
    assert set(SAME["openmpi"]) == set(NUMBERS)


def test_open_mpi_is_told_from_zero_on():
    """Its reader takes the first size of communicator for smaller ones as well.

    It wants the first size of message to be 0.
    """
    numbers = [
        line.split("#")[0].split()
        for line in classic(plan("openmpi", RULES, "it"), "note").splitlines()
    ]
    assert [" ".join(n) for n in numbers if n] == [
        "3",
        "2",
        "3",
        "0",
        "1",
        "0 0 0 0",
        "3",
        "2",
        "0 3 0 0",
        "4097 4 0 0",
        "9",
        "1",
        "0 4 0 0",
        "12",
        "1",
        "0",
        "3",
        "0 0 0 0",
        "512 2 0 0",
        "1024 0 0 0",
        "13",
        "1",
        "0",
        "3",
        "0 0 0 0",
        "512 3 0 0",
        "1024 0 0 0",
    ]


def test_open_mpi_6_is_told_ranges():
    told = json.loads(version6(plan("openmpi", RULES, "it"), "note"))
    assert (told["rule_file_version"], told["module"]) == (3, "tuned")
    assert set(told["collectives"]) == {"allreduce", "reduce_scatter", "reduce_scatter_block"}
    first, second = told["collectives"]["allreduce"]
    assert (
        first["comm_size_min"],
        first["comm_size_max"],
        second["comm_size_min"],
        "comm_size_max" in second,
    ) == (3, 8, 9, False)
    assert [(r["msg_size_min"], r.get("msg_size_max"), r["alg"]) for r in first["rules"]] == [
        (0, 4096, 3),
        (4097, None, 4),
    ]


def test_mpich_keeps_its_own_rules_where_none_speaks(tmp_path):
    own = {
        f"collective={c}": {
            "comm_type=intra": {"algorithm=own": {}},
            "comm_type=inter": {"algorithm=inter": {}},
        }
        for c in (*SIZE, "barrier")
    }
    base = tmp_path / "generic.json"
    base.write_text(json.dumps(own))
    made = json.loads(tuning(plan("mpich", RULES, "it"), str(base)))
    intra = made["collective=allreduce"]["comm_type=intra"]
    assert list(intra) == ["comm_size<=2", "comm_size<=8", "comm_size=any"]
    assert intra["comm_size<=2"] == intra["comm_size=any"] == {"algorithm=own": {}}
    assert intra["comm_size<=8"] == {
        "avg_msg_size<=4096": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}},
        "avg_msg_size=any": {"algorithm=own": {}},
    }
    inner = made["collective=reduce_scatter_block"]["comm_type=intra"]["total_msg_size<=1023"]
    assert inner == {
        "is_commutative=yes": {"algorithm=MPIR_Reduce_scatter_block_intra_recursive_halving": {}},
        "is_commutative=no": {"algorithm=own": {}},
    }
    assert made["collective=bcast"] == own["collective=bcast"]
    assert made["collective=barrier"] == own["collective=barrier"]
    assert all(branch["comm_type=inter"] == {"algorithm=inter": {}} for branch in made.values())


def test_mpichs_branches_carry_the_radix(tmp_path):
    own = {f"collective={c}": {"comm_type=intra": {"algorithm=own": {}}} for c in SIZE}
    base = tmp_path / "generic.json"
    base.write_text(json.dumps(own))
    rules = [
        Rule("alltoall", "bruck", {"k": 4}, bytes=(0, 99)),
        Rule("alltoall", "bruck", {"k": 2}),
        Rule("bcast", "hierarchical_small"),
    ]
    made = plan("mpich", rules, "it")
    assert [rule for rule, _ in made.left_out] == rules[2:]
    branch = json.loads(tuning(made, str(base)))["collective=alltoall"]["comm_type=intra"]
    small, large = (branch[f"total_msg_size{end}"] for end in ("<=99", "=any"))
    assert small["is_sendbuf_inplace=no"] == {"algorithm=MPIR_Alltoall_intra_k_brucks": {"k=4": {}}}
    assert large["is_sendbuf_inplace=no"] == {"algorithm=MPIR_Alltoall_intra_brucks": {}}
    told = plan("mpich", rules, "it", coordinates=True)
    assert not told.left_out
    assert "tree_type=topology_aware" in tuning(told, str(base))


def test_a_library_without_the_algorithm_decides_by_itself(tmp_path):
    base = tmp_path / "libmpich.so"
    tree = {f"collective={c}": {"comm_type=intra": {"algorithm=MPIR_own": {}}} for c in SIZE}
    base.write_bytes(b"\x7fELF" + json.dumps(tree).replace(" ", "").encode() + b"\0")
    made = plan("mpich", [Rule("alltoall", "bruck", {"k": 4})], "it")
    branch = json.loads(tuning(made, str(base)))["collective=alltoall"]["comm_type=intra"]
    assert branch == {"algorithm=MPIR_own": {}}
    ((_, why),) = made.left_out
    assert "has no MPIR_Alltoall_intra_k_brucks" in why


def test_coordinates_are_group_switch_and_port():
    assert coordinates([7, 7, 2, 7], [0, 0, 1, 5]).splitlines()[1:] == [
        "0: 7 7 0",
        "1: 7 7 0",
        "2: 2 2 0",
        "3: 7 7 1",
    ]


def test_coordinates_come_from_the_hosts(tmp_path, capsys):
    """The verb writes both files, and refuses what does not go together."""
    write(tmp_path / "r.json", [Rule("bcast", "hierarchical_small")], "test")
    own = {f"collective={c}": {"comm_type=intra": {"algorithm=own": {}}} for c in SIZE}
    (tmp_path / "base.json").write_text(json.dumps(own))
    out, places = tmp_path / "out.json", tmp_path / "places"
    common = ["export", tmp_path / "r.json", "-o", out]
    hosts = ["--machine", "dragonfly:groups=2,nodes=2", "--hosts", "contiguous:4"]
    told = [*common, "--for", "mpich", "--base", tmp_path / "base.json"]
    code, _, err = run(capsys, *told, "--coordinates", places, *hosts)
    assert (code, len(places.read_text().splitlines())) == (0, 5)
    assert f"MPIR_CVAR_COORDINATES_FILE={places}" in err
    code, _, err = run(capsys, *told, *hosts)
    assert (code, "--coordinates" in err) == (2, True)
    code, _, err = run(capsys, *common, "--for", "openmpi", "--coordinates", places)
    assert (code, "is for mpich" in err) == (2, True)


@pytest.fixture
def path(tmp_path):
    write(tmp_path / "r.json", RULES, "test")
    return tmp_path / "r.json"


@pytest.mark.parametrize(
    ("target", "needle"),
    [("openmpi", "4097 4 0 0  # ring"), ("openmpi6", '"rule_file_version": 3'), ("ucc", None)],
)
def test_export_names_and_counts_what_is_left_out(capsys, path, target, needle):
    code, out, err = run(capsys, "export", path, "--for", target)
    assert f"left out: {path}:5 bcast bine_small: " in err
    if needle is None:
        assert code == 2
        assert out == ""
        assert "no rule asks for an algorithm that this library has; nothing is written" in err
    else:
        assert code == 0
        assert needle in out
        assert "3 of 4 rules written, 1 left out" in err
        assert "--mca coll_tuned_use_dynamic_rules 1" in err


def test_two_radixes_cannot_be_told(capsys, tmp_path):
    path = tmp_path / "r.json"
    write(
        path,
        [
            Rule("bcast", "knomial", {"k": 8}, ranks=(2, 9)),
            Rule("bcast", "knomial", {"k": 3}, ranks=(10, None)),
        ],
        "",
    )
    code, out, err = run(capsys, "export", path, "--for", "ucc")
    assert (code, out) == (0, "bcast:0-inf:host:[2-9]:inf:@knomial\n")
    assert (
        "r.json:4 bcast knomial:k=3: UCC knows one UCC_TL_UCP_BCAST_KN_RADIX, and 8 was first"
        in err
    )
    assert "UCC_TL_UCP_BCAST_KN_RADIX=8" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--for", "mpich"], "needs --base"),
        (["--for", "ucc", "--base", "x"], "--base is for mpich"),
        (["--for", "mpich", "--base", "/bin/sh"], "no MPICH library"),
        (["--for", "openmpi", "-o", "/nowhere/x"], "its folder does not exist"),
    ],
)
def test_export_refuses(capsys, path, arguments, says):
    code, out, err = run(capsys, "export", path, *arguments)
    assert code == 2
    assert says in err
    assert out == ""
