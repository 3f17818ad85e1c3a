"""Rules of other MPI libraries, as hopbine's."""

import json

import pytest
from rule_cases import run

from hopbine.bench.library import OPENMPI
from hopbine.errors import UsageError
from hopbine.selection import read_openmpi
from hopbine.selection.counterparts import SAME, ours
from hopbine.selection.file import Rule, read
from hopbine.selection.imported import import_rules
from hopbine.selection.mpich import SIZE, tuning
from hopbine.selection.openmpi import NUMBERS, classic, version6
from hopbine.selection.plan import plan
from hopbine.selection.ucc import tune_string

#: Every algorithm that a library has, for ranges of ranks and bytes; then what no rule asks for.
RANGES = [((0, 8), (0, 4096)), ((0, 8), (4097, None)), ((9, None), (0, None))]


def every_rule(family):
    """A rule for each counterpart of a library, on as many ranges as there are."""
    for collective, pairs in SAME[family].items():
        for at, (key, name) in enumerate(pairs.items()):
            if collective.endswith("_block") or ours(family, collective, name) is None:
                continue
            algorithm, parameters = ours(family, collective, name)
            if algorithm != key.partition(":")[0]:
                continue  # another name of the same tree
            ranks, size = RANGES[at % len(RANGES)]
            yield Rule(collective, algorithm, parameters, ranks=ranks, bytes=size)


def one_per_range(rules):
    """The first rule of every collective and range."""
    kept = {}
    for rule in rules:
        kept.setdefault((rule.collective, rule.ranks, rule.bytes), rule)
    return list(kept.values())


def answers(rules, collective, ranks, size):
    """What the first rule asks for; 'mpi' without one."""
    for rule in rules:
        if rule.collective == collective and all(
            low <= x and (high is None or x <= high)
            for x, (low, high) in ((ranks, rule.ranks), (size, rule.bytes))
        ):
            return rule.asks
    return "mpi"


WRITERS = {
    "openmpi": lambda rules, _: classic(plan("openmpi", rules, "it"), "note"),
    "openmpi6": lambda rules, _: version6(plan("openmpi", rules, "it"), "note"),
    "ucc": lambda rules, _: tune_string(plan("ucc", rules, "it")),
    "mpich": lambda rules, base: tuning(plan("mpich", rules, "it"), base),
}


@pytest.fixture
def base(tmp_path):
    """Rules built into MPICH."""
    own = {
        f"collective={c}": {"comm_type=intra": {f"algorithm=MPIR_{c}_intra_own": {}}} for c in SIZE
    }
    path = tmp_path / "generic.json"
    path.write_text(json.dumps(own))
    return str(path)


@pytest.mark.parametrize("family", WRITERS)
def test_what_was_exported_is_imported(tmp_path, base, family):
    """Every counterpart comes back, for all ranks and bytes."""
    rules = one_per_range(every_rule(family.removesuffix("6")))
    if family == "mpich":
        rules = [rule for rule in rules if rule.collective in SIZE]
    assert len({rule.asks for rule in rules}) > 4
    path = tmp_path / "theirs"
    path.write_text(WRITERS[family](rules, base))
    back = import_rules(str(path), family, base if family == "mpich" else None)
    assert not [line for line in back.left_out if "_block" not in line]
    for collective in {rule.collective for rule in rules}:
        for ranks in (2, 8, 9, 64):
            for size in (0, 4096, 4097, 1 << 20):
                wanted = answers(rules, collective, ranks, size)
                assert answers(back.rules, collective, ranks, size) == wanted


def test_every_algorithm_of_open_mpi_is_read_or_told(tmp_path):
    """One rule after the other; what hopbine lacks is Open MPI's own decision, and told."""
    for collective, number in NUMBERS.items():
        for name, alg in OPENMPI[collective].items():
            path = tmp_path / "rules"
            path.write_text(f"1\n{number}\n1\n4\n1\n0 {alg} 0 0\n")
            told = import_rules(str(path), "openmpi")
            (rule,) = told.rules
            assert rule.ranks == rule.bytes == (0, None)
            assert (rule.algorithm == "mpi") == bool(told.left_out), (collective, name)


def test_the_second_version_of_the_text_has_a_further_column(tmp_path):
    path = tmp_path / "rules"
    path.write_text("rule-file-version-2\n1 # collectives\n3\n1\n0\n2\n0 3 0 0 0\n1024 2 0 0 4\n")
    told = import_rules(str(path), "openmpi").rules
    assert [(r.bytes, r.asks) for r in told] == [
        ((0, 1023), "bruck:k=2"),
        ((1024, None), "pairwise"),
    ]


def test_places_and_segments(tmp_path):
    path = tmp_path / "rules.json"
    rule = {"msg_size_min": 10, "msg_size_max": "INF", "alg": "ring", "seg_size": 4096}
    piece = {"comm_size_min": 4, "comm_rank_distribution": "one-per-node", "rules": [rule]}
    path.write_text(json.dumps({"collectives": {"allreduce": [piece]}}))
    told = import_rules(str(path), "openmpi6")
    assert told.rules == [
        Rule("allreduce", "ring", ranks=(4, None), bytes=(10, None), ranks_per_node=(1, 1))
    ]
    assert told.left_out[0].endswith("segments of 4096 bytes are not taken over")


def test_scores_of_ucc_are_in_order_and_other_memory_is_passed_over(tmp_path):
    path = tmp_path / "tune"
    path.write_text(
        "allgather:0-4k:5:@ring#allgather,bcast:@batched:0-inf:[2-8,16-32]:10#alltoall:cuda:@bruck"
        "#alltoall:@pairwise:0#allgather:64K-inf:inf:@sparbit"
    )
    told = import_rules(str(path), "ucc")
    assert [(r.collective, r.asks, r.ranks, r.bytes) for r in told.rules] == [
        ("allgather", "sparbit", (0, None), (65536, None)),
        ("allgather", "mpi", (2, 8), (0, None)),
        ("allgather", "mpi", (16, 32), (0, None)),
        ("bcast", "mpi", (2, 8), (0, None)),
        ("bcast", "mpi", (16, 32), (0, None)),
        ("allgather", "ring", (0, None), (0, 4096)),
    ]
    assert "allgather batched: hopbine has no such algorithm" in told.left_out[0]


UCC_CONF = """# a site's
UCC_CL_BASIC_TLS=^sharp,nccl
UCC_TL_UCP_TUNE=allreduce:0-4k:@0#reduce_scatter:@ring:inf#fanin:@knomial
[vendor=amd model=rome team_size=8 ppn=1 nnodes=8]
UCC_TL_UCP_ALLREDUCE_KN_RADIX=0-1k:host:8,1k-inf:host:2
UCC_TL_UCP_ALLREDUCE_SRA_KN_RADIX=4
UCC_TL_UCP_TUNE=allreduce:0-8k:@0#allreduce:8k-inf:@1
"""


def test_a_configuration_of_ucc_has_numbers_sections_and_radixes(tmp_path):
    """As UCC ships it: a section holds for the teams of its heading, before what holds for all."""
    path = tmp_path / "ucc.conf"
    path.write_text(UCC_CONF)
    told = import_rules(str(path), "ucc")
    eight = {"ranks": (8, 8), "nodes": (8, 8), "ranks_per_node": (1, 1)}
    few, many = ({"k": 8}, {"k": 2})
    assert told.rules == [
        Rule("allreduce", "recursive_multiplying", few, bytes=(0, 1024), **eight),
        Rule("allreduce", "recursive_multiplying", many, bytes=(1024, 8191), **eight),
        Rule("allreduce", "recursive_multiplying_large", {"k": 4}, bytes=(8192, None), **eight),
        Rule("allreduce", "recursive_multiplying", {"k": 4}, bytes=(0, 4096)),
        Rule("reduce_scatter", "ring"),
    ]
    remark = "allreduce: holds for vendor=amd model=rome only, which no rule can ask"
    assert told.left_out == [
        f"{path}:7: part 1: {remark}",
        f"{path}:7: part 2: {remark}",
        f"{path}: fanin: no rule of hopbine's is about it",
    ]


def test_collectives_and_algorithms_of_later_open_mpi(tmp_path):
    """What export writes nothing for is read, or told; JSON has Open MPI's spellings."""
    path = tmp_path / "rules"
    other = "1\n0\n1\n0 1 0 0\n"
    alltoallv, allreduce = "4\n1\n0\n2\n0 2 0 0\n99 1 0 0\n", "2\n1\n0\n1\n0 7 0 0\n"
    path.write_text(f"4\n1\n{other}{alltoallv}14\n{other}{allreduce}")
    told = import_rules(str(path), "openmpi")
    asked = {"alltoallv": "pairwise", "scan": "chain", "allreduce": "mpi"}
    assert told.rules == [Rule(*pair) for pair in asked.items()]
    assert told.left_out[0] == f"{path}: allgatherv: no rule of hopbine's is about it"
    assert "allreduce allgather_reduce: hopbine has no such algorithm" in told.left_out[1]
    names = {"bcast": "split_binary_tree", "alltoall": "modified_bruck", "gatherv": "default"}
    spelled = {c: [{"rules": [{"alg": name}]}] for c, name in names.items()}
    path.write_text(json.dumps({"rule_file_version": 3, "collectives": spelled}))
    for source in ("openmpi", "openmpi6"):
        told = import_rules(str(path), source)
        assert [rule.asks for rule in told.rules] == ["split_binary", "bruck:k=2"]


@pytest.mark.parametrize(
    ("source", "text", "says"),
    [
        ("openmpi", "1\n99\n", ":2: collective 99 is none of 0 allgather, 1 allgatherv, 2 "),
        ("openmpi", "1\n2\n1\n0\n1\n0 9 0 0\n", ":6: allreduce has no algorithm 9: 0 its own"),
        ("openmpi", "1\n2\n1\n0\n1\n0 x 0 0\n", ":6: 'x' is not a column, a whole number from 0"),
        ("openmpi", "1\n2\n1\n0\n2\n0 1 0 0\n0 1 0 0\n", ":7: size of message 0 does not follow 0"),
        ("openmpi", "1\n2\n1\n0\n", ": ends where the number of sizes of messages should be"),
        ("openmpi", "0\n7\n", ":2: '7' follows the last rule"),
        ("openmpi", "rule-file-version-9\n0\n", ":1: version 9 is none of 1, 2"),
        ("openmpi6", "[", ": is not JSON: "),
        ("openmpi6", '{"collectives": {"bcst": []}}', "'bcst' is none of allgather, allgatherv"),
        (
            "openmpi6",
            '{"collectives": {"bcast": [{"rules": [{"alg": 3, "msg_size_max": -1}]}]}}',
            "bcast[0].rules[0]: msg_size_max -1 is not a whole number from 0 on",
        ),
        ("ucc", "allgather:0-4q:@ring", ": part 1: '4q' is not a number such as 4096, 64K or inf"),
        ("ucc", "allgater:@ring", ": part 1: 'allgater' is no collective (allgather, "),
        ("mpich", "{}", ": is not MPICH's generic tuning file: it lacks branches for bcast"),
    ],
)
def test_errors_name_the_place_and_what_is_allowed(tmp_path, source, text, says):
    path = tmp_path / "theirs"
    path.write_text(text)
    with pytest.raises(UsageError) as error:
        import_rules(str(path), source)
    assert says in str(error.value)
    assert str(path) in str(error.value)


def test_a_branch_of_mpich_that_is_not_understood_is_named(tmp_path, base):
    tree = json.loads((tmp_path / "generic.json").read_text())
    tree["collective=bcast"]["comm_type=intra"] = {"comm_size<=4": {"colour=red": {}}}
    path = tmp_path / "theirs"
    path.write_text(json.dumps(tree))
    with pytest.raises(UsageError, match="bcast, comm_type=intra, comm_size<=4, colour=red: asks"):
        import_rules(str(path), "mpich", base)


def test_mpich_decides_where_it_asks_what_no_rule_can(tmp_path):
    """A file may have some collectives only; compositions are names of the library's own."""
    binomial = {"algorithm=MPIR_Bcast_intra_binomial": {}}
    ring = {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}
    by_rank = {"per_proc_msg_size<=65536": binomial, "per_proc_msg_size=any": ring}
    by_size = {"avg_msg_size<=64": ring, "avg_msg_size=any": by_rank}
    bcast = {"comm_size<8": binomial, "comm_size=any": by_size}
    composed = {"composition=MPIDI_Reduce_intra_composition_beta": {}}
    path = tmp_path / "theirs"
    tree = {"collective=bcast": bcast, "collective=reduce": composed}
    path.write_text(json.dumps({c: {"comm_type=intra": below} for c, below in tree.items()}))
    told = import_rules(str(path), "mpich")
    assert [(r.asks, r.ranks, r.bytes) for r in told.rules] == [
        ("binomial_halving", (0, 7), (0, None)),
        ("scatter_ring", (8, None), (0, 64)),
        ("mpi", (8, None), (65, None)),
        ("mpi", (0, None), (0, None)),
    ]
    assert "asks for per_proc_msg_size<=65536, which no rule can; MPICH decides" in told.left_out[0]
    assert "reduce MPIDI_Reduce_intra_composition_beta: hopbine has no such" in told.left_out[1]
    path.write_text("{")
    with pytest.raises(UsageError, match=f"^{path}: is neither a library nor JSON: .*line 1"):
        import_rules(str(path), "mpich")


def test_the_verb_writes_a_file_that_the_runtime_takes(tmp_path, capsys):
    path, out = tmp_path / "theirs", tmp_path / "ours.json"
    path.write_text("1\n6\n1\n0\n2\n0 3 0 0\n8192 6 0 0\n")
    code, told, err = run(capsys, "import", path, "--from", "openmpi", "-o", out)
    assert (code, told) == (0, "")
    assert f"left out: {path}:7: barrier tree: hopbine has no such algorithm" in err
    assert err.endswith("hopbine: 2 rules read\n")
    assert [rule.asks for rule in read(out)] == ["recursive_doubling", "mpi"]
    assert read_openmpi.classic(str(path))[1].algorithm == "tree"
    code, told, _ = run(capsys, "import", path, "--from", "openmpi")
    assert told == out.read_text()


def test_pipelines_are_read_and_their_segments_told(tmp_path):
    path = tmp_path / "rules"
    path.write_text("1\n7\n1\n0\n2\n0 5 0 0\n8192 4 0 1024\n")
    told = import_rules(str(path), "openmpi")
    assert [rule.asks for rule in told.rules] == ["kary", "split_binary"]
    assert told.left_out == [
        f"{path}:7: bcast split_binary: segments of 1024 bytes are not taken over"
    ]


def test_names_elsewhere_are_of_algorithms_and_found(capsys):
    from hopbine.cli import main
    from hopbine.selection.counterparts import READ

    for family, table in READ.items():
        for collective, pairs in table.items():
            for key, theirs in pairs.items():
                assert ours(family, collective, theirs)[0] == key.partition(":")[0]
    assert main(["list", "bcast", "--name", "pipeline", "--format", "csv"]) == 0
    told = capsys.readouterr().out
    assert "Open MPI pipeline" in told
    assert "bcast,chain," in told
    assert "bcast,linear," not in told
    assert main(["list", "--name", "no such"]) == 2
    assert "no algorithm is called 'no such', here or elsewhere" in capsys.readouterr().err
