"""What is too large is refused before anything of its size is made."""

import pytest

from hopbine import _core
from hopbine.cli import main

HUGE = "torus:4096x4096"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["simulate", "allreduce", "--topology", HUGE], "16,777,216 ranks on torus:4096x4096: up"),
        (
            ["simulate", "allreduce", "--topology", HUGE, "-n", "10000000"],
            "10,000,000 ranks on torus:4096x4096: up to 1,048,576 are simulated; fewer with -n",
        ),
        (
            ["simulate", "allreduce", "--topology", HUGE, "--ranks-per-node", "4", "--cards", "2"],
            "33,554,432 ranks on torus:4096x4096: up to",
        ),
        (
            ["simulate", "bcast", "--topology", HUGE, "-n", "10000000", "--place", "random"],
            "10,000,000 ranks on",
        ),
        (
            ["simulate", "alltoall", "--topology", "torus:512x512", "--engine", "step"],
            "blocks: up to 4,294,967,296 are simulated",
        ),
        (
            [
                *("model", "allgather", "--ranks", "20000000", "--simulate", HUGE),
                *("--alpha", "1us", "--beta", "1GB/s"),
            ],
            "20000000 is outside 1..1048576",
        ),
        (
            ["draw", "--topology", HUGE, "-o", "x.svg"],
            "torus:4096x4096 has 16777216 nodes, too many for a picture (at most 1200 nodes and",
        ),
    ],
)
def test_a_network_is_not_made_for_what_is_refused(capsys, monkeypatch, words, why):
    def made(text: str) -> None:
        raise AssertionError(f"{text} is made")

    monkeypatch.setattr(_core, "Topology", made)
    code = main(words)
    err = capsys.readouterr().err
    assert code == 2
    assert why in err
    assert err.count("\n") == 1


def test_ranks_of_a_machine_are_counted_before_they_are_simulated(capsys, monkeypatch):
    def made(*_: object) -> None:
        raise AssertionError("a setup is made")

    monkeypatch.setattr("hopbine.simulation.on_machine.Setup", made)
    words = ["simulate", "allreduce", "--machine", "leonardo", "--hosts", "random:64"]
    assert main([*words, "--ranks-per-node", "20000"]) == 2
    err = capsys.readouterr().err
    assert "1,280,000 ranks on dragonfly_plus:20x18x18x20: up to 1,048,576" in err


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    [("allreduce", "ring", 10_000_000), ("allgather", "ring", 50_000), ("alltoall", "bruck", 2000)],
)
def test_a_check_that_no_memory_holds_is_refused(capsys, collective, algorithm, ranks):
    code = main(["check", collective, algorithm, "-p", str(ranks)])
    err = capsys.readouterr().err
    assert code == 2
    assert "up to 2147483648 are followed, so fewer ranks" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("verb", [["traffic"], ["select", "explain"]])
def test_blocks_that_take_hours_are_not_counted(capsys, verb):
    words = [*verb, "alltoall", "--machine", "leonardo", "--hosts", "random:64"]
    code = main([*words, "--ranks-per-node", "1025"])
    err = capsys.readouterr().err
    assert code == 2
    assert "alltoall between 65,600 ranks has 4,303,360,000 blocks: up to 4,294,967,296" in err
    assert err.count("\n") == 1
