"""Allocations: every format, what generators promise, and what bad input says."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopbine.allocations import BadJob, generate, read, running
from hopbine.machines import load
from hopbine.notation.hosts import expand

SCONTROL = """JobId=11 JobName=a b
   JobState=RUNNING Reason=None
   ReqNodeList=(null) ExcNodeList=(null)
   NodeList=nid[001-002,010]
   BatchHost=nid001 NumNodes=3
JobId=12 JobName=waits
   JobState=PENDING
   NodeList=
JobId=13
   NodeList=nid[1
"""
SQUEUE = """             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
               101       gpu  my job      ann  R       1:00      2 nid[001-002]
               102       gpu     wait     ann PD       0:00      4 (Resources)
"""


def one(tmp_path, text, **kw):
    path = tmp_path / "f"
    path.write_text(text)
    return list(read(str(path), **kw))


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("nid[001-002,010]\n", ["nid001", "nid002", "nid010"]),
        ("b\na\n# c\na\n", ["b", "a", "a"]),
        ("rank,host\n1,b\n0,a\n", ["a", "b"]),
        ("0,a\n1,a\n", ["a", "a"]),
        ("MPI_Rank,allocation,xname\n0,n1,x1\n1,n0,x0\n", ["n1", "n0"]),
        ("JOBID NODELIST\n7 n[1-2]\n", ["n1", "n2"]),
        ("JobID|JobName|NodeList\n7|a b|n[1-2]\n7.0|s|n1\n", ["n1", "n2"]),
        ("job,nodes,node_ids\n5,3,7-8 12\n", ["7", "8", "12"]),
        ('job,hosts\n5,"n[3,1]"\n', ["n3", "n1"]),
        ("0,17\n1,18\n", ["17", "18"]),
        ("101 n[1-2]\n", ["n1", "n2"]),
        ("  101 gpu  my job ann R n[1-2]\n", ["n1", "n2"]),
        ('{"hopbine_stats": 1, "nodes": ["b", "a"], "rows": []}', ["b", "a"]),
    ],
)
def test_formats_are_told_from_the_text(tmp_path, text, hosts):
    assert [list(job.hosts) for job in one(tmp_path, text)] == [hosts]


def test_scontrol_and_squeue_pass_over_what_waits(tmp_path):
    first, bad = one(tmp_path, SCONTROL)
    assert (first.job, first.hosts) == ("11", ("nid001", "nid002", "nid010"))
    assert isinstance(bad, BadJob)
    assert bad.source.endswith(":10")
    assert "brackets" in bad.why
    assert [(j.job, j.hosts) for j in one(tmp_path, SQUEUE)] == [("101", ("nid001", "nid002"))]


def test_scontrol_must_agree_with_itself(tmp_path):
    (bad,) = one(tmp_path, "JobId=1 JobState=RUNNING\n NodeList=n[1-3]\n NumNodes=4 NumCPUs=8\n")
    assert bad.why == "NumNodes is 4, its NodeList has 3"


@pytest.mark.parametrize(
    "text",
    [
        SQUEUE
        + (
            "               103       gpu     wait     ann PD       0:00      4 "
            "(ReqNodeNotAvail, UnavailableNodes:nid001)\n"
        ),
        SQUEUE
        + (
            "               103       gpu     wait     ann PD       0:00      4 (Nodes "
            "required for job are DOWN (or DRAINED), or reserved)\n"
        ),
        SQUEUE
        + (
            "               103       gpu     wait     ann PD       0:00      4 "
            "(ReqNodeNotAvail, Un\n"
        ),
        SQUEUE + "               103       gpu (my job) ann PD       0:00      4 (BeginTime)\n",
        (
            "JOBID NODELIST(REASON) PARTITION\n101 nid[001-002] gpu\n"
            "103 (ReqNodeNotAvail, UnavailableNodes:nid001) gpu\n104 (ReqNodeNotAvail, Un gpu\n"
        ),
        (
            "JOBID|REASON|NODELIST\n101|None|nid[001-002]\n"
            "103|ReqNodeNotAvail, UnavailableNodes:nid001|\n"
        ),
        (
            "JOBID ST REASON NODELIST\n101 R None nid[001-002]\n"
            "103 PD launch failed requeued held\n104 PD ReqNodeNotAvail, UnavailableNodes:nid001\n"
        ),
        (
            "JOBID REASON NODELIST\n101 None nid[001-002]\n"
            "104 ReqNodeNotAvail, UnavailableNodes:nid001\n"
        ),
        (
            "JOBID NODELIST REASON\n101 nid[001-002] None\n"
            "104 ReqNodeNotAvail, UnavailableNodes:nid001\n"
        ),
        "102 gpu wait ann PD 0:00 4 (ReqNodeNotAvail, UnavailableNodes:nid001)\n"
        "103 gpu wait ann PD 0:00 4 (ReqNodeNotAvail, Un\n101 gpu job ann R 1:00 2 nid[001-002]\n",
        "103 gpu wait ann PD 0:00 4 (ReqNodeNotAvail, Un\n101 gpu job ann R 1:00 2 nid[001-002]\n",
    ],
)
def test_reasons_with_blanks_are_no_hosts(tmp_path, text):
    assert [(j.job, j.hosts) for j in one(tmp_path, text)] == [("101", ("nid001", "nid002"))]


@pytest.mark.parametrize(
    "name", ["my (job", "(my job", "my job (2)", "PD", "a PD b", "my job (2 of 3)"]
)
def test_names_of_jobs_are_no_reasons(tmp_path, name):
    assert [j.hosts for j in one(tmp_path, f"{SQUEUE}104 gpu {name} ann R 1:00 2 nid3\n")] == [
        ("nid001", "nid002"),
        ("nid3",),
    ]
    assert [j.hosts for j in one(tmp_path, f"104 gpu {name} ann R 1:00 2 nid3\n")] == [("nid3",)]


def test_a_reason_that_cannot_be_told_from_hosts_is_refused(tmp_path):
    good, bad = one(
        tmp_path,
        "JOBID NAME REASON NODELIST\n1 my job None n1\n2 job launch failed requeued held\n",
    )
    assert good.hosts == ("n1",)
    assert isinstance(bad, BadJob)
    assert bad.source.endswith(":3")
    assert "has 6 words for 4 columns" in bad.why
    assert "squeue -o '%i|%r|%N'" in bad.why


def test_jobs_need_names(tmp_path):
    bad, good = one(tmp_path, "job,hosts\n ,n1\nb,n2\n")
    assert isinstance(bad, BadJob)
    assert bad.source.endswith("f:2")
    assert "name of the job is empty" in bad.why
    assert good.job == "b"


@pytest.mark.parametrize("text", ["n[1-5]!n3", "n[1-5]&n3", "n[1-5]^n3", "n[1,3],m1!m2"])
def test_set_operations_are_not_slurms_syntax(text):
    with pytest.raises(
        ValueError, match=r"has a '[!&^]', which is ClusterShell's syntax, not Slurm's"
    ):
        expand(text)
    assert expand("n[1-2]m[3-4]-x") == ["n1m3-x", "n1m4-x", "n2m3-x", "n2m4-x"]


def test_no_jobs_are_no_error(tmp_path):
    assert one(tmp_path, "No jobs in the system\n", format="scontrol") == []


def test_long_lists_are_lists(tmp_path):
    names = [f"somehost{n:04d}" for n in range(2000)]
    assert next(iter(read(",".join(names)))).hosts == tuple(names)
    (job,) = one(tmp_path, 'job,hosts\n1,"' + " ".join(names * 10) + '"\n')
    assert len(job.hosts) == 20000


@pytest.mark.parametrize(
    ("format", "text", "words"),
    [
        ("squeue", "a,b\n", ":1: is no table of squeue"),
        ("jobs", "a,b\n", ":1: has no columns job"),
        ("ranks", "\u00b2,a\n0,b\n0,c\n", "twice"),
        (
            "scontrol",
            "n1\nn2\n",
            "f: is no output of scontrol show job: it has no JobId= and begins 'n1'",
        ),
        ("scontrol", "JOBID NODELIST\n1 n1\n", "begins 'JOBID NODELIST'"),
    ],
)
def test_a_format_that_the_file_has_not(tmp_path, format, text, words):
    with pytest.raises(ValueError, match=words):
        one(tmp_path, text, format=format)


def test_ranks_per_node_and_lists_as_arguments():
    assert [j.hosts for j in read("a[1-2],b", 2)] == [("a1", "a1", "a2", "a2", "b", "b")]


def test_a_folder_goes_on_after_a_bad_file(tmp_path):
    (tmp_path / "1").write_text("a\nb\n")
    (tmp_path / "2").write_bytes(b"\xfe\xff")
    (tmp_path / "3").write_text("c[1\n")
    (tmp_path / "4").write_text("")
    good, *bad = sorted(read(str(tmp_path)), key=lambda j: j.job)
    assert (good.job, good.hosts) == ("1", ("a", "b"))
    assert len(bad) == 3
    assert all(isinstance(b, BadJob) and b.why for b in bad)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rank,host\n0,a\n0,b\n", ":3: rank 0 is there twice (first in line 2)"),
        ("0,a\n2,b\n", "rank 1 is missing, though rank 2 is there"),
        ("rank,host\n", "lists no ranks"),
        ("rank,host\n0\n", ":2: '0' is not RANK,HOST"),
        ("n[1-\n", ":1: brackets"),
        ("a\nn[3-1]\n", ":2: the range 3-1 runs backwards"),
        ("a\nn[1-9999999]\n", ":2: 'n[1-9999999]' stands for 9,999,999"),
        (",".join(f"a{n}-[1-900000]" for n in range(3)), "stands for 2,700,000"),
        ("# nothing\n", "lists no hosts"),
        ("a\n%%\n", ":2: '%%' is no host name"),
        ("", "is empty"),
        ("a\0b", ":1: holds a zero byte"),
        ("{}", "is no statistics file"),
    ],
)
def test_bad_files_say_where_and_why(tmp_path, text, words):
    with pytest.raises(ValueError, match=re.escape(words)) as error:
        one(tmp_path, text)
    assert str(tmp_path / "f") in str(error.value)


def test_paths_that_are_no_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        list(read(str(tmp_path / "none")))
    with pytest.raises(ValueError, match="holds no files"):
        list(read(str(tmp_path)))
    with pytest.raises(ValueError, match="format 'x' is not one of hosts"):
        list(read("a,b", format="x"))


def test_the_running_job():
    env = {"SLURM_JOB_ID": "9", "SLURM_JOB_NODELIST": "n[1-3]", "SLURM_TASKS_PER_NODE": "2(x2),1"}
    assert running(env).hosts == ("n1", "n1", "n2", "n2", "n3")
    with pytest.raises(ValueError, match="no job of a scheduler"):
        running({})
    with pytest.raises(ValueError, match="not like"):
        running(env | {"SLURM_TASKS_PER_NODE": "99999999999"})
    with pytest.raises(ValueError, match="does not tell of the 3 nodes"):
        running(env | {"SLURM_TASKS_PER_NODE": "2"})


def test_the_components_of_a_heterogeneous_job():
    """salloc tells the components only, a step of theirs all nodes too."""
    env = {
        "SLURM_JOB_ID": "9",
        "SLURM_JOB_NODELIST_HET_GROUP_0": "n7",
        "SLURM_TASKS_PER_NODE_HET_GROUP_0": "2",
        "SLURM_JOB_NODELIST_HET_GROUP_1": "n[1-2]",
        "SLURM_TASKS_PER_NODE_HET_GROUP_1": "1(x2)",
    }
    assert running(env).hosts == ("n7", "n7", "n1", "n2")
    assert running(env | {"SLURM_JOB_NODELIST": "n[1-2,7]"}).hosts == ("n7", "n7", "n1", "n2")


@given(
    st.sampled_from(["contiguous", "random", "fragmented"]), st.integers(1, 60), st.integers(0, 99)
)
def test_generators_keep_their_promise(kind, n, seed):
    machine = load("dragonfly:groups=6,nodes=10")
    spec = f"{kind}:{n}:seed={seed}"
    hosts = generate(spec, machine).hosts
    assert hosts == generate(spec, machine).hosts
    assert len(set(hosts)) == n
    at = [list(machine.hosts).index(h) for h in hosts]
    assert at == sorted(at)
    assert kind != "contiguous" or at[-1] - at[0] == n - 1


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("random:0", "not 0"),
        ("random:61", "has 60 nodes"),
        ("random:x", "is not KIND:NODES"),
        ("random:4:busy=0.5", "options are seed"),
        ("random:4:seed=1:seed=2", "each once"),
        ("random:4:seed=1.7", "N a whole number"),
        ("fragmented:4:busy=1", "below 1"),
    ],
)
def test_bad_generators(spec, words):
    with pytest.raises(ValueError, match=words):
        generate(spec, load("dragonfly:groups=6,nodes=10"))


@given(st.lists(st.integers(0, 999), min_size=1, max_size=20))
def test_lists_keep_their_order(numbers):
    assert expand(f"n[{','.join(f'{n:03d}' for n in numbers)}]") == [f"n{n:03d}" for n in numbers]


def test_the_line_below_sacct_s_header_shows_the_columns(tmp_path):
    """So empty cells are seen, steps of jobs are known, and the line itself is no job."""
    text = (
        "JobID             State        NodeList \n"
        "------------ ---------- --------------- \n"
        "2                              n[2-3,5] \n"
        "3             CANCELLED          (null) \n"
        "4.batch       COMPLETED              n1 \n"
        "5             COMPLETED       n[1,3,5,7+\n"
    )
    path = tmp_path / "sacct.txt"
    path.write_text(text)
    good, cut_off = read(str(path))
    assert (good.job, good.hosts) == ("2", ("n2", "n3", "n5"))
    assert cut_off.job == "5"
    assert "do not match" in cut_off.why
