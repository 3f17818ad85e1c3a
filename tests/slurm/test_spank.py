"""The plug-in of Slurm: srun --hopbine, from an installed prefix, on a real Slurm."""

from pathlib import Path

import pytest
from environments import common, of_hopbine, show, shown, tasks
from test_steps import ran, stats_of

GROUPS = "s0=n[0-2];s1=n[3-4];s2=n5"


def test_srun_serves_a_program(cluster, plugged, program):
    with plugged():
        done = cluster.call(
            *("srun", "-Q", "--mpi=pmi2", "-N", 6, "-n", 6, "--hopbine=table", program),
            HOPBINE_STATS="spank.json",
            HOPBINE_ALGORITHM="allreduce=bine_large",
        )
    ran(done, 6)
    stats = stats_of(cluster, "spank.json")
    assert (stats["nodes"], stats["groups"]) == (cluster.nodes, cluster.groups)
    assert {r["algorithm"] for r in stats["rows"] if r["collective"] == "allreduce"} == {
        "bine_large"
    }


def test_tasks_have_the_environment_of_hopbine_run(cluster, plugged, prefix):
    """Each reports by itself whether it was served, as behind `srun hopbine run`."""
    with plugged():
        with_option = tasks(cluster, 6, "--hopbine=count")
    script = f"{prefix}/bin/hopbine run --choice count srun -N 6 -n 6 {show('before')}"
    done = cluster.call("salloc", "-Q", "-N", 6, "-n", 6, "sh", "-c", script)
    assert done.returncode == 0, done.stderr
    for ours, its in zip(with_option, shown(cluster, "before"), strict=True):
        mine, theirs = of_hopbine(ours), of_hopbine(its)
        assert mine.pop("HOPBINE_PROGRAM") != theirs.pop("HOPBINE_PROGRAM") == "0"
        assert mine == theirs
        assert mine["HOPBINE_GROUPS"] == GROUPS
    assert len({env["HOPBINE_PROGRAM"] for env in with_option}) == 6


def test_without_the_option_nothing_changes(cluster, plugged):
    plain = tasks(cluster, 3)
    with plugged("deny=python*"):
        without, off = tasks(cluster, 3), tasks(cluster, 3, "--hopbine=off")
    assert list(map(common, plain)) == list(map(common, without)) == list(map(common, off))
    assert len(common(plain[0])) > 20
    assert not any(map(of_hopbine, plain))


def test_the_option_adds_hopbines_variables_only(cluster, plugged):
    plain = tasks(cluster, 2)
    with plugged():
        with_option = tasks(cluster, 2, "--hopbine")
    for before, after in zip(map(common, plain), map(common, with_option), strict=True):
        assert after == before | of_hopbine(after)


def test_the_command_is_asked_once(cluster, plugged, prefix, tmp_path):
    """Not by every rank, nor by the two components of a heterogeneous step."""
    calls = tmp_path / "calls"
    command = tmp_path / "hopbine"
    command.write_text(f'#!/bin/sh\necho >>{calls}\nexec {prefix}/bin/hopbine "$@"\n')
    command.chmod(0o755)
    with plugged(f"command={command}"):
        assert len(tasks(cluster, 6, "--hopbine")) == 6
        assert calls.read_text() == "\n"
        components = ("-N", 1, "-n", 1, "-w", "n5", ":", "-N", 2, "-n", 2, "-w", "n[0,3]")
        script = f"srun --het-group=0,1 --hopbine {show('het')}"
        done = cluster.call("salloc", "-Q", *components, "sh", "-c", script)
    assert done.returncode == 0, done.stderr
    groups = [env["HOPBINE_GROUPS"] for env in shown(cluster, "het")]
    assert groups == ["s2=n5;s0=n0;s1=n3"] * 3
    assert calls.read_text() == "\n\n"


def test_components_that_srun_itself_allocates_are_refused(cluster, plugged):
    """Not half of them served: srun has copied the second's environment before it has nodes."""
    step = ("srun", "-Q", "-N", 1, "{}", "echo", "started", ":", "-N", 1, "{}", "echo", "started")

    def call(option: str):
        return cluster.call(*(option if word == "{}" else word for word in step))

    with plugged():
        done = call("--hopbine")
    assert (done.returncode != 0, done.stdout) == (True, "")
    assert "--hopbine: srun A : B needs an allocation, of salloc or sbatch\n" in done.stderr
    with plugged("default=count"):
        done = call("--exclusive=user")
    assert (done.returncode, done.stdout) == (0, "started\nstarted\n"), done.stderr


@pytest.mark.parametrize("export", ["ALL", "NONE", "HOME"])
def test_what_srun_exports_does_not_matter(cluster, plugged, export):
    with plugged():
        for env in tasks(cluster, 2, "--hopbine=count", f"--export={export}"):
            assert env["HOPBINE_GROUPS"] == "s1=n[3-4]"
            assert Path(env["LD_PRELOAD"]).exists()
            assert not [name for name in env if name.startswith("SLURM_HOPBINE")]


def test_a_batch_script(cluster, plugged):
    """The script stays as it is; each srun in it asks, for the nodes of the job."""
    script = cluster.folder / "batch.sh"
    script.write_text(
        "#!/bin/sh\n#SBATCH --hopbine=count\n#SBATCH -N 4 -n 4 -w n[2-5]\n"
        f"{show('batch')}\nsrun {show('all')}\nsrun -N 1 -n 1 {show('one')}\n"
        f"srun -N 1 -n 1 --hopbine=off {show('off')}\n"
    )
    with plugged():
        done = cluster.call("sbatch", "-o", "batch.err", script)
        assert done.returncode == 0, done.stderr
        cluster.wait_for_jobs()
    assert (cluster.folder / "batch.err").read_text() == ""
    batch, all_nodes, one, off = (shown(cluster, n) for n in ("batch", "all", "one", "off"))
    assert not of_hopbine(batch[0])
    assert not of_hopbine(off[0])
    assert [env["HOPBINE_GROUPS"] for env in all_nodes + one] == ["s0=n2;s1=n[3-4];s2=n5"] * 5
    assert {env["HOPBINE_CHOICE"] for env in all_nodes + one} == {"count"}


@pytest.mark.parametrize("command", [("srun",), ("salloc",), ("sbatch", "--wrap")])
def test_a_wrong_choice_ends_the_job_at_submission(cluster, plugged, command):
    before = cluster.call("sacct", "-c", "-n").stdout
    with plugged():
        done = cluster.call(*command[:1], "--hopbine=fast", *command[1:], "true")
    assert done.returncode != 0
    assert "--hopbine is 'fast', not measure, count, table or off\n" in done.stderr
    assert "Submitted" not in done.stdout
    cluster.wait_for_jobs()
    assert cluster.call("sacct", "-c", "-n").stdout == before


def test_a_wrong_setting_ends_the_step(cluster, plugged):
    """The message is that of hopbine run, and no task starts."""
    with plugged():
        wrong = cluster.call("srun", "-Q", "--hopbine", "echo", "started", HOPBINE_BUGDET="1")
    assert wrong.returncode != 0
    assert "started" not in wrong.stdout
    assert (
        "HOPBINE_BUGDET is set, but hopbine has no such setting; is HOPBINE_BUDGET" in wrong.stderr
    )
    assert "--hopbine is refused" in wrong.stderr
