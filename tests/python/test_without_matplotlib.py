"""Every verb that draws says what is missing where matplotlib is not installed."""

import subprocess
import sys

import pytest

COMMANDS = [
    "draw bcast binomial_halving -p 8 -o {}/a.svg",
    "simulate allreduce --topology torus:4x4 --sizes 1KiB --figure {}/a.svg",
    "traffic bcast --machine torus:4x4 --hosts contiguous:16 --heat-map {}/a.svg",
    "model bcast --ranks 8 --alpha 2us --beta 1ns/B --plot {}/a.svg",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_pictures_need_it(command, tmp_path):
    code = """
import sys
sys.modules["matplotlib"] = None
from hopbine import cli
sys.exit(cli.main(sys.argv[1:]))"""
    done = subprocess.run(
        [sys.executable, "-c", code, *command.format(tmp_path).split()],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.endswith("matplotlib, which is not there: pip install 'hopbine[plot]'\n")
    assert not list(tmp_path.iterdir())
