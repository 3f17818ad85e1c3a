"""Hostfiles of launchers and schedulers: who is where, and what is said of those that do not."""

import re

import pytest
from described import written

from hopbine.allocations import FORMATS, read
from hopbine.allocations.formats import sniff
from hopbine.jobs.of_hosts import job_of_hosts
from hopbine.machines import load
from hopbine.notation.hostfile import COUNTS, OTHERS, listed

OPEN_MPI = """# first floor
tuba1  slots=2
tuba2 slots = 3 max_slots=8   // by hand
ann@tuba3

tuba4 cpu=1 port=2222
"""
HYDRA = "oboe-1:2 # near\noboe-2:1 binding=core user=ann\n\noboe-3\n"
RANKFILE = """# ranks by hand
rank 1=tuba2 slot=0:0-3
rank 0 = tuba1 slot=1
rank 2=ann@tuba2 slot=*
"""
FLUX = (
    '{"version": 1, "execution": {"R_lite": [{"rank": "0-1,4", "children": {"core": "0-3"}}],'
    ' "starttime": 0.0, "expiration": 0.0, "nodelist": ["harp[7-8]", "harp11"]}}'
)


def hosts_of(tmp_path, text, name="h"):
    (job,) = read(written(tmp_path, text, name))
    return list(job.hosts)


@pytest.mark.parametrize(
    ("format", "text", "hosts"),
    [
        ("hosts", OPEN_MPI, "tuba1 tuba1 tuba2 tuba2 tuba2 tuba3 tuba4"),
        ("hosts", OPEN_MPI.replace("\n", "\r\n"), "tuba1 tuba1 tuba2 tuba2 tuba2 tuba3 tuba4"),
        ("hosts", HYDRA, "oboe-1 oboe-1 oboe-2 oboe-3"),
        ("hosts", "n[1-2]:2,m\n", "n1 n1 n2 n2 m"),
        ("hosts", "n[1,3]:2\n", "n1 n1 n3 n3"),
        ("hosts", "a:2:mlx5_0\nb\n", "a a b"),  # MVAPICH names the adapter
        ("hosts", "lute1 2 lute2 1\n", "lute1 lute1 lute2"),  # LSB_MCPU_HOSTS
        ("hosts", "lute1 0,1,2 0 2\nlute1 3-5 1 2\nlute2 0,1 0 2\n", "lute1 lute1 lute2"),
        ("hosts", "2*lute1:1*lute2\n", "lute1 lute1 lute2"),  # bjobs -o exec_host
        ("hosts", "gong1.site.org\ngong1.site.org\ngong2.site.org\n", None),  # PBS_NODEFILE
        ("hosts", "gong1/0*2+gong2/4*1\n", "gong1 gong1 gong2"),  # exec_host of PBS Professional
        ("hosts", "gong1/0+gong1/1+gong2/0\n", "gong1 gong1 gong2"),  # and of Torque
        ("hosts", "gong1/0-1+gong2/0\n", "gong1 gong1 gong2"),
        ("hosts", "gong1 np=2\ngong2 np=1\n", "gong1 gong1 gong2"),
        ("hosts", "fife1*2\nfife2\n", "fife1 fife1 fife2"),  # SLURM_HOSTFILE
        ("hosts", "10.1.0.1 slots=2\nfe80::1:2\n", "10.1.0.1 10.1.0.1 fe80::1:2"),
        ("hosts", "7 8 12\n", "7 8 12"),  # numbers of hosts
        ("rankfile", RANKFILE, "tuba1 tuba2 tuba2"),
        ("rankfile", "1: fife2\n0: fife1\n", "fife1 fife2"),  # srun -l hostname
        ("flux", FLUX, "harp7 harp8 harp11"),
    ],
)
def test_who_is_where(tmp_path, format, text, hosts):
    assert sniff(text) == format
    assert hosts_of(tmp_path, text) == (hosts or text).split()
    assert format in FORMATS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a slots=0\n", [":1: 'slots=0' has no number of ranks from 1"]),
        ("b\na:x\n", [":2: 'a:x' has no number of ranks"]),
        ("a:*\n", [":1: 'a:*' does not say how many ranks", "write the number"]),
        ("a slts=4\n", [":1: 'slts=4' is no option of a host", "is slots meant?"]),
        ("slots=4\n", [":1: 'slots=4' has no host before it"]),
        ("^a\n", [":1: '^a' leaves a host out: write the hosts that remain"]),
        ("+n0 slots=2\n", [":1: '+n0' counts hosts of an allocation", "write its name"]),
        ("a:99999999\n", [":1: 'a:99999999' has no number of ranks"]),
        ("n[1-9]:999999\n", [":1: 'n[1-9]:999999' has more than 1,000,000 ranks"]),
        ("(a:ncpus=2)+(b:ncpus=2)\n", [":1: ", "is no host name", "allowed are HOST, HOST:RANKS"]),
        ("a/3-1\n", ["run backwards"]),
        (RANKFILE + "rank 2=tuba9\n", [":5: rank 2 is there twice (first in line 4)"]),
        (RANKFILE + "host 3=tuba9\n", [":5: 'host 3=tuba9' is not 'rank N=HOST slot=...'"]),
        (RANKFILE.replace("tuba1", "+n0"), [":3: '+n0' counts hosts", "write the host's name"]),
        (RANKFILE.replace("tuba1", "n[1-2]"), [":3: 'n[1-2]' is not one host"]),
        (FLUX.replace("harp11", "harp[11-12]"), ["nodelist has 4 hosts, its R_lite 3"]),
        (FLUX.replace("nodelist", "hosts"), ["has no nodelist", "flux job info ID R"]),
        (FLUX.replace('"0-1,4"', "3"), ["is no resource set of Flux"]),
    ],
)
def test_what_does_not_tell_is_refused(tmp_path, text, words):
    with pytest.raises(ValueError, match="^" + re.escape(str(tmp_path))) as error:
        hosts_of(tmp_path, text)
    assert all(word in str(error.value) for word in words), str(error.value)


@pytest.mark.parametrize("option", [*COUNTS, *OTHERS])
def test_every_option_is_read_in_both_spellings(option):
    for name in {option, option.replace("_", "-"), option.upper()}:
        assert listed(f"a {name}=3 b") == (["a"] * 3 if option in COUNTS else ["a"]) + ["b"]


MACHINE = "SwitchName=s1 Nodes=oak[1-4]\nSwitchName=s2 Nodes=oak[5-8]\n"


@pytest.mark.parametrize(
    ("hosts", "ranks"),
    [
        ("oak1:2,oak5:2", ["oak1", "oak1", "oak5", "oak5"]),
        ("oak3", ["oak3"]),
        ("oak3:2", ["oak3", "oak3"]),
        ("OAK1,Oak5.Site.Org", ["OAK1", "Oak5.Site.Org"]),
    ],
)
def test_hosts_of_the_command_line(tmp_path, hosts, ranks):
    job = job_of_hosts(hosts, load(written(tmp_path, MACHINE)))
    assert list(job.hosts) == ranks
    assert job.places.group == [0 if "1" in host or "3" in host else 1 for host in ranks]


def test_a_name_that_is_no_host_and_no_file(tmp_path):
    machine = load(written(tmp_path, MACHINE))
    with pytest.raises(ValueError, match="there is no such file, and host 'elm1' is not one of"):
        job_of_hosts("elm1", machine)
    with pytest.raises(FileNotFoundError, match="no such file; is contiguous meant"):
        job_of_hosts("contiguou:4", machine)
    (tmp_path / "oak1").write_text("oak7\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert job_of_hosts("oak1", machine).hosts == ("oak7",)


def test_domains_of_the_description_and_of_the_hosts(tmp_path):
    """The first label counts where it is unique."""
    text = "a.east.org,x\na.west.org,y\nb.east.org,y\n"
    machine = load(written(tmp_path, text, "m.csv"))
    assert machine.place(["b", "B.EAST.ORG", "A.west.org"]).group == [1, 1, 1]
    for host in ("a", "b.west.org", "a.south.org"):
        with pytest.raises(ValueError, match=f"host '{host}' is not one of"):
            machine.place([host])
    short = load(written(tmp_path, "a,x\nb,y\n", "s.csv"))
    assert short.place(["a", "a.east.org"]).node == [0, 0]
    with pytest.raises(ValueError, match=r"'a.east.org' and 'a.west.org' would both be 'a'"):
        short.place(["a.east.org", "a.west.org"])
