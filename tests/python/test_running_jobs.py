"""The running job, as PBS, LSF and Flux tell it; Slurm's is in test_allocations.py."""

import os
import re

import pytest
from described import written

from hopbine.allocations import running
from hopbine.machines import job_groups, load

# As in the manuals: a line for every rank (PBS), or for every slot (LSF).
NODEFILE = "cello1.site.org\ncello1.site.org\ncello3.site.org\n"
FLUX = """#!/bin/sh
case "$*" in
"job info f2k R") cat "$TOLD/R" ;;
"job taskmap f2k") cat "$TOLD/map" ;;
"resource R") cat "$TOLD/R" ;;
*) echo "flux: ERROR: $*: no such command" >&2; exit 1 ;;
esac
"""
R = '{"version":1,"execution":{"R_lite":[{"rank":"0,2"}],"nodelist":["cello[1,3]"]}}'


@pytest.fixture
def flux(tmp_path):
    """The variables of a task of Flux, with a command that answers as Flux's does."""
    command = tmp_path / "flux"
    command.write_text(FLUX)
    command.chmod(0o755)
    (tmp_path / "R").write_text(R)
    (tmp_path / "map").write_text('{"version":1,"map":[[0,1,2,1],[1,1,1,1]]}\n')
    return {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "TOLD": str(tmp_path),
        "FLUX_URI": "local:///run/flux/local",
        "FLUX_JOB_ID": "f2k",
    }


def pbs(tmp_path):
    return {"PBS_JOBID": "17.head", "PBS_NODEFILE": written(tmp_path, NODEFILE, "nodes")}


def lsf(tmp_path):
    return {"LSB_JOBID": "18", "LSB_DJOB_HOSTFILE": written(tmp_path, NODEFILE, "nodes")}


HOSTS = ("cello1", "cello1", "cello3")


def bare(job):
    return tuple(host.partition(".")[0] for host in job.hosts)


def test_files_and_variables_of_pbs_and_lsf(tmp_path):
    for environment in (
        pbs(tmp_path),
        lsf(tmp_path),
        {"LSB_JOBID": "18", "LSB_MCPU_HOSTS": "cello1 2 cello3 1"},
        {"LSB_JOBID": "18", "LSB_HOSTS": "cello1 cello1 cello3"},
    ):
        job = running(environment)
        assert bare(job) == HOSTS
        assert job.job == environment.get("PBS_JOBID", "18")
        assert job.source.split()[0] in environment


def test_flux_tells_by_its_command(tmp_path, flux):
    assert running(flux).hosts == HOSTS
    assert running(flux).source == "flux job info f2k R"
    (tmp_path / "map").write_text("[[0,2,1,2]]\n")  # cyclic, and without a version
    assert running(flux).hosts == ("cello1", "cello3", "cello1", "cello3")
    del flux["FLUX_JOB_ID"]  # an instance: every node once
    assert running(flux).hosts == ("cello1", "cello3")


def test_an_instance_of_flux_in_a_job_of_slurm(flux):
    slurm = {"SLURM_JOB_ID": "9", "SLURM_JOB_NODELIST": "cello[1-9]"}
    assert running(flux | slurm).hosts == HOSTS
    assert len(running(slurm).hosts) == 9


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("map", "[[0,3,1,1]]", "flux job taskmap printed '[[0,3,1,1]]', no map of 2 nodes"),
        ("map", "[[0,2,1,99999999]]", "more than 4,194,304 ranks"),
        ("R", "{}", "flux job info f2k R: is no resource set of Flux"),
    ],
)
def test_what_flux_answers_is_checked(tmp_path, flux, file, text, words):
    (tmp_path / file).write_text(text)
    with pytest.raises(ValueError, match=re.escape(words)):
        running(flux)


def test_jobs_that_cannot_be_read_say_which_variable(tmp_path, flux):
    with pytest.raises(ValueError, match=r"^PBS_NODEFILE: /none: there is no such file"):
        running({"PBS_NODEFILE": "/none"})
    with pytest.raises(ValueError, match=r"^LSB_DJOB_HOSTFILE: .*:2: 'slts=2' is no option"):
        running({"LSB_DJOB_HOSTFILE": written(tmp_path, "a\nb slts=2\n", "wrong")})
    with pytest.raises(ValueError, match=r"^LSB_MCPU_HOSTS: 'a:x' has no number"):
        running({"LSB_MCPU_HOSTS": "a:x"})
    with pytest.raises(ValueError, match="FLUX_URI is set, but flux job info f3 R fails: flux: E"):
        running(flux | {"FLUX_JOB_ID": "f3"})
    with pytest.raises(ValueError, match="none of SLURM_JOB_NODELIST, PBS_NODEFILE, LSB_DJOB"):
        running({})


def test_groups_of_the_job_are_those_of_every_scheduler(tmp_path, flux):
    """In the form that every rank finds its node in, with or without a domain."""
    machine = load(written(tmp_path, "cello1,x\ncello2,y\ncello3,y\n", "m.csv"))
    for environment in (pbs(tmp_path), lsf(tmp_path), flux):
        assert job_groups(machine, environment) == "x=cello1;y=cello3"
    assert job_groups(machine, {}) == "x=cello1;y=cello[2-3]"
