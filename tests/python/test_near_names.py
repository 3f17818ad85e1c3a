"""Unknown words: the message names what may have been meant. And what Ctrl-C does."""

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest

from hopbine import _core
from hopbine.bench.library import forcing
from hopbine.cli import VERBS, main
from hopbine.machines import load, names

ALGORITHMS = {
    c: [a["name"] for a in _core.algorithms() if a["collective"] == c]
    for c in sorted({a["collective"] for a in _core.algorithms()})
}


def misspelt(word: str, seed: int) -> str:
    """With two letters exchanged."""
    i = random.Random(seed).randrange(len(word) - 1)
    return word[:i] + word[i + 1] + word[i] + word[i + 2 :]


@pytest.mark.parametrize("known", [list(VERBS), names(), list(ALGORITHMS), *ALGORITHMS.values()])
def test_the_name_that_was_misspelt_is_found(known):
    for seed, name in enumerate(name for name in known if len(name) > 5):
        wrong = misspelt(name, seed)
        shorter = {wrong[:i] + wrong[i + 1 :] for i in range(len(wrong))}  # are as near
        meant = {f"; is {n} meant?" for n in {name, *shorter} & set(known)}
        assert wrong in known or _core.is_meant(wrong, known) in meant


def test_nothing_is_meant_by_noise():
    for word in ("", "zzz", "x" * 100_000, "\x1b[31m", "!?"):
        assert _core.is_meant(word, list(VERBS)) == ""


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("rtaffic", "traffic"),
        ("traffic allredcue --hosts a,b", "allreduce"),
        ("traffic allreduce --hosts a,b --algorithms bine_lrage", "bine_large"),
        ("traffic allreduce --hosts a,b --baseline rnig", "ring"),
        ("traffic allreduce --hosts a,b --machine leonrado", "leonardo"),
        ("traffic allreduce --hosts a,b --algoritms ring", "--algorithms"),
        ("traffic allreduce --hosts a,b --format jsno", "json"),
        ("simulate allreduce --topology tours:4x4", "torus"),
        ("draw bcast bine_smal -n 4 -o x.svg", "bine_small"),
        ("draw bcast chain -n 4 -o x.svg --set sgements=3", "segments"),
        ("check bcast knomal -n 4", "knomial"),
        ("traffic --machine leonardo --hosts contiguuos:4", "contiguous"),
        ("traffic --machine leonardo --hosts random:4:sed=1", "seed"),
        ("traffic --hosts a,b --machine drgonfly:groups=4,nodes=4", "dragonfly"),
        ("traffic --hosts a,b --machine dragonfly:grous=4,nodes=4", "groups"),
        ("jobs /dev/null --input-format jbos", "jobs"),
        ("model bcast -n 8 --kernel knomail", "knomial"),
        ("bench alltoallv --sizes dist:uniofrm:8", "uniform"),
        ("simulate allreduce --topology torus:4x4 --place liner", "linear"),
        ("traffic allreduce --hosts a,b --numberngs", "--numberings"),
        ("run --algorithm allreduce=rnig true", "ring"),
    ],
)
def test_messages_say_what_may_be_meant(capsys, words, meant):
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert f"; is {meant} meant?" in err
    assert err.count("\n") == 1
    assert out == ""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("kidn = 'dragonfly'", "kind"),
        ("kind = 'dragonfyl'", "dragonfly"),
        ("[links.globl]", "global"),
        ("[links.global]\nbandwith = '1 Gb/s'", "bandwidth"),
        ("[costs]\noverhed = '1 us'", "overhead"),
        ("[ranks]\nlatncy = '1 us'", "latency"),
    ],
)
def test_keys_of_machine_files_that_may_be_meant(tmp_path, text, meant):
    head = "name = 'x'\n" + ("kind = 'dragonfly'\n" if "ki" not in text else "")
    (tmp_path / "m.toml").write_text(f"{head}groups = 2\nnodes_per_group = 2\n{text}\n")
    with pytest.raises(ValueError, match=f"; is {meant} meant"):
        load(str(tmp_path / "m.toml"))


def test_the_librarys_algorithm_that_may_be_meant():
    with pytest.raises(ValueError, match=r"it has: default, linear.*; is default meant"):
        forcing("openmpi", "bcast", "dfeault")


def test_ctrl_c_is_one_line_and_130():
    sizes = ["allreduce", "--topology", "torus:64x64", "--sizes", "32:64MiB:2"]
    ready = (
        "import sys; from hopbine.cli import main; sys.stderr.write('ready\\n'); sys.exit(main())"
    )
    command = [sys.executable, "-c", ready, "simulate", *sizes]
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as running:
        assert running.stderr.readline() == "ready\n"
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        assert re.fullmatch(r"hopbine: interrupted( after .* is kept)?\n", running.stderr.read())
    assert running.returncode == 130
