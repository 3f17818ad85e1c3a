"""The data frames of `import hopbine` say what the verbs say."""

import io
import subprocess
import sys
from pathlib import Path

import polars
import pytest

import hopbine
from hopbine import _core
from hopbine.cli import main

ROOT = Path(__file__).parents[2]
RECORDED = str(ROOT / "examples/data/recorded.json")
WHERE = ("leonardo", "fragmented:64:seed=1")


def verb(capsys, *words) -> polars.DataFrame:
    """Its --format csv."""
    assert main([*words, "--format", "csv"]) == 0
    return polars.read_csv(io.StringIO(capsys.readouterr().out), infer_schema_length=None)


def test_all_that_is_named_is_there():
    assert hopbine.__version__ == _core.version
    assert all(getattr(hopbine, name) is not None for name in hopbine.__all__)
    assert set(hopbine.__all__) <= set(dir(hopbine))
    with pytest.raises(AttributeError, match="no attribute 'sums'"):
        _ = hopbine.sums


def test_algorithms_are_those_of_the_registry():
    assert hopbine.algorithms().height == len(_core.algorithms())
    assert set(hopbine.algorithms("scan")["collective"]) == {"scan"}
    with pytest.raises(ValueError, match="alreduce"):
        hopbine.algorithms("alreduce")


def test_columns_of_algorithms_are_those_of_the_verb(capsys):
    there = verb(capsys, "list", "scan")
    here = hopbine.algorithms("scan")
    assert here["algorithm"].to_list() == there["algorithm"].to_list()
    assert set(there.columns) <= set(here.columns)
    assert "name" not in here.columns
    elsewhere = dict(zip(here["algorithm"], here["elsewhere"].to_list(), strict=True))
    assert elsewhere["chain"] == ["Open MPI linear"]


def test_a_text_is_one_name_and_sizes_may_have_units():
    one = hopbine.traffic(["a", "b"], algorithms="ring", sizes="1.5KiB", numberings="given")
    many = hopbine.traffic(["a", "b"], algorithms=["ring"], sizes=[1536])
    assert one.equals(many)
    assert one.height == 1
    assert hopbine.choice("bcast", "a,b", sizes="1KiB")["bytes"].unique().to_list() == [1024]


@pytest.mark.parametrize("sizes", [[-1], [0], -1, [1.5], [True], ["1Mb"], [None], [1 << 63]])
def test_sizes_that_are_none(sizes):
    with pytest.raises(ValueError, match="size"):
        hopbine.traffic(["a", "b"], sizes=sizes)
    with pytest.raises(ValueError, match="size"):
        hopbine.choice("bcast", "a,b", sizes=sizes)


def test_unknown_words_of_traffic_are_errors():
    with pytest.raises(
        ValueError, match="numbering 'givn' is not one of given, rotated by 1; is given meant"
    ):
        hopbine.traffic(["a", "b"], numberings=["givn"])
    with pytest.raises(ValueError, match="bcats"):
        hopbine.traffic(["a", "b"], collectives="bcats")


def test_stats_are_those_of_the_verb(capsys):
    same = ["collective", "algorithm", "calls", "bytes"]
    assert hopbine.stats(RECORDED)[same].equals(verb(capsys, "stats", RECORDED)[same])


def test_a_prediction_is_that_of_the_verb(capsys):
    words = ("--machine", WHERE[0], "--hosts", WHERE[1])
    there = verb(capsys, "predict", RECORDED, *words).filter(polars.col("total") == "no")
    here = hopbine.predict(RECORDED, *WHERE)
    assert here["choice"].to_list() == there["choice"].to_list()
    assert here["choice_bytes"].round().to_list() == there["choice_bytes"].to_list()


def test_the_choice_is_that_of_the_verb(capsys):
    words = ("--machine", WHERE[0], "--hosts", WHERE[1], "--sizes", "8,1MiB", "--all")
    there = verb(capsys, "select", "explain", "allreduce", *words)
    here = hopbine.choice("allreduce", WHERE[1], WHERE[0], [8, 1 << 20])
    assert here["algorithm"].to_list() == there["algorithm"].to_list()
    assert here["chosen"].to_list() == [said == "yes" for said in there["chosen"]]
    assert here.filter("chosen").height == 2


def test_traffic_takes_a_list_or_what_hosts_takes():
    listed = [f"lrdn{n:04d}" for n in range(1, 5)]
    text = hopbine.traffic("lrdn[0001-0004]", "leonardo")
    assert text.drop("job").equals(hopbine.traffic(listed, "leonardo").drop("job"))


def test_the_notebook_answers_as_it_is_shown():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/notebook", "--check"], capture_output=True, text=True
    )
    # What its kernel says of its own sockets when it ends is not the notebook's.
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "notebook: 6 cells answer as they are shown\n"
