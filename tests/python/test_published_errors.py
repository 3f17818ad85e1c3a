"""The error table of benchmarks/published_errors.py, from made-up measurements."""

import csv
import gzip
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks/published_errors.py"
sys.path.insert(0, str(SCRIPT.parent))

from published_cells import Cell, Job, read  # noqa: E402
from published_errors import errors_of, page, parts, quantile, spearman  # noqa: E402
from published_fit import choice, described, modelled  # noqa: E402
from published_names import OTHERS, OWN_CHOICE  # noqa: E402

ALGORITHMS = ("recursive_doubling_ompi", "rabenseifner_ompi", "ring_ompi", "bine_lat_over")
GROUPS = "1*5 2*6 3*5"


def written(folder, seconds=None):
    """Two runs of 16 nodes in three groups; microseconds by run, size and algorithm."""
    rows = [
        {
            "system": "leonardo",
            "run": run,
            "collective": "allreduce",
            "nodes": "16",
            "tasks_per_node": "1",
            "ranks": "16",
            "bytes": str(size),
            "algorithm": name,
            "median_us": repr(seconds(run, size, name) if seconds else 1.0),
            "mpi": "openmpi",
            "gpu": "no",
        }
        for run in ("a", "b")
        for size in (64, 65536, 1 << 24)
        for name in ALGORITHMS
    ]
    return tables(folder, rows)


def written_torus(folder):
    """An allgather of 64 MiB on 4x4x4."""
    where = {"system": "fugaku", "run": "a", "nodes": "4x4x4", "tasks_per_node": "1", "ranks": "64"}
    what = {"collective": "allgather", "bytes": str(1 << 26), "median_us": "1", "gpu": "no"}
    names = ("default-3dtorus", "default-ring")
    return tables(folder, [where | what | {"algorithm": name, "mpi": "FJMPI"} for name in names])


def tables(folder, rows):
    """The files of these rows and of two runs on 16 nodes."""
    allocations = [{"system": "leonardo", "run": r, "group_of_each": GROUPS} for r in ("a", "b")]
    for name, table in (("measured", rows), ("run_allocations", allocations)):
        with gzip.open(folder / f"{name}.csv.gz", "wt", newline="") as f:
            out = csv.DictWriter(f, list(table[0]))
            out.writeheader()
            out.writerows(table)
    return str(folder)


def as_modelled(folder):
    """Measurements that are the model's own times, 1.5 times as long."""
    cells = read(written(folder)).cells
    times = {
        (c.job.run, c.bytes, name[0]): 1.5e6 * t
        for c, row in zip(cells, modelled(cells, described("leonardo")), strict=True)
        for name, t in zip(c.seconds, row, strict=True)
    }
    names = dict(
        zip(ALGORITHMS, ("recursive_doubling", "rabenseifner", "ring", "bine_small"), strict=True)
    )
    return written(folder, lambda run, size, name: times[run, size, names[name]])


@pytest.mark.parametrize(
    ("name", "machine"),
    [("marenostrum5", "marenostrum5"), ("mare_nostrum", "marenostrum5"), ("jupiter", "jupiter")],
)
def test_a_machine_is_found_under_its_names(tmp_path, name, machine):
    for file in map(
        Path(written(tmp_path)).joinpath, ("measured.csv.gz", "run_allocations.csv.gz")
    ):
        text = gzip.decompress(file.read_bytes()).replace(b"leonardo", name.encode())
        file.write_bytes(gzip.compress(text))
    assert {cell.job.system for cell in read(str(tmp_path)).cells} == {machine}


def test_what_is_made_of_other_collectives_is_no_candidate():
    """It counts among what was timed, and is taken only where nothing else was."""

    class _Model:
        scarce_blocks = 1.0

        @staticmethod
        def patience(given):
            return given

    parts = (("reduce", "linear", ()), ("bcast", "linear", ()))
    job = Job("fugaku", "a run", (0,), (0,), (2, 2, 2))
    cell = Cell(job, "allreduce", 8, {(OTHERS, parts): 1.0, ("ring", ()): 2.0, ("b", ()): 3.0}, 1.0)
    cell.models = [_Model()] * 3
    assert choice(cell, [1.0, 2.0, 2.5], 1.1) == 1
    assert choice(cell, [1.0, 2.5, 2.0], 1.1) == 2
    del cell.seconds["ring", ()], cell.seconds["b", ()]
    assert choice(cell, [1.0], 1.1) == 0


def test_every_row_can_be_charged_the_copies_of_a_job(tmp_path):
    def seconds(copies):
        (cell,) = read(written_torus(tmp_path), copies).cells
        return dict(zip(cell.seconds, modelled([cell], described("fugaku"))[0], strict=True))

    theirs, own = seconds(""), seconds("own")
    bucket, ring = ("bucket", (("ports", 1), ("copies", "none"))), ("ring", ())
    assert own[bucket] > 1.5 * theirs[bucket]
    assert own[ring] == theirs[ring]


def test_a_perfect_model_has_no_errors(tmp_path):
    cells = read(as_modelled(tmp_path)).cells
    errors, factors = errors_of(cells, described("leonardo"))
    assert max(errors["allreduce"]) < 0.03
    assert len(errors["allreduce"]) == 24
    assert len(factors) == 2
    row = next(line for line in page(str(tmp_path)) if line.startswith("| allreduce | 6 |"))
    assert "| 25 % | 1.00 |" in row
    assert "| 1.00 (6) |" in row


def test_a_model_that_is_upside_down_is_seen(tmp_path):
    folder = as_modelled(tmp_path)
    given = {
        (c.job.run, c.bytes, n[0]): t for c in read(folder).cells for n, t in c.seconds.items()
    }
    names = dict(
        zip(ALGORITHMS, ("recursive_doubling", "rabenseifner", "ring", "bine_small"), strict=True)
    )
    written(tmp_path, lambda run, size, name: 1 / given[run, size, names[name]])
    lines = list(page(folder))
    row = next(line for line in lines if line.startswith("| allreduce | 6 |"))
    assert "| 6 | 0 % | 25 % |" in row
    assert "| -1.00 (6) |" in row
    assert any("| allreduce | `" in line and "of all lost" not in line for line in lines)


def on_fugaku(folder, seconds):
    """Two runs of a broadcast on a torus; microseconds by size and algorithm."""
    head = ("system", "run", "collective", "nodes", "tasks_per_node", "ranks", "bytes")
    head += ("algorithm", "median_us", "mpi", "gpu")
    names = ("default-binomial", "default-trinaryx3", "default-trinaryx6")
    with gzip.open(folder / "measured.csv.gz", "wt", newline="") as f:
        out = csv.writer(f)
        out.writerow(head)
        for run in ("a", "b"):
            for size in (256, 1 << 20, 1 << 26):
                for name in names:
                    told = ("fugaku", run, "bcast", "2x2x2", 1, 8, size, name)
                    out.writerow([*told, seconds(size, name), "fujitsu", "no"])
    with gzip.open(folder / "run_allocations.csv.gz", "wt") as f:
        f.write("system,run,group_of_each\n")
    return read(str(folder))


def test_a_pipeline_counts_where_the_model_cuts_the_vector(tmp_path):
    """And its error is that of its latencies and bytes, with the segments that it has."""
    ones = on_fugaku(tmp_path, lambda size, name: 2.0 if name.endswith("x6") else 1.0)
    assert ones.skipped["pipelines of one segment"] == 2
    assert ones.skipped[OWN_CHOICE] == 6
    assert {(c.bytes, *sorted(n[0] for n in c.seconds)) for c in ones.cells} == {
        (1 << 20, "binomial_halving", "trinaryx"),
        (1 << 26, "binomial_halving", "trinaryx"),
    }
    costs = described("fugaku")
    times = {
        (c.bytes, name[0]): 1.5e6 * t
        for c, row in zip(ones.cells, modelled(ones.cells, costs), strict=True)
        for name, t in zip(c.seconds, row, strict=True)
    }
    names = {"default-binomial": "binomial_halving", "default-trinaryx3": "trinaryx"}
    perfect = on_fugaku(tmp_path, lambda size, name: times.get((size, names.get(name)), 1e9))
    for cell, row in zip(perfect.cells, parts(perfect.cells, costs), strict=True):
        for (fixed, rest), measured in zip(row, cell.seconds.values(), strict=True):
            assert min(fixed, rest) > 0
            assert fixed + rest == pytest.approx(measured / 1.5)
    errors, factors = errors_of(perfect.cells, costs)
    assert max(errors["bcast"]) < 0.03, factors


def test_a_choice_of_the_librarys_counts_as_what_takes_its_time(tmp_path):
    """trinaryx6 on rings of two is Fujitsu MPI's own choice: here the binomial tree."""
    told = on_fugaku(tmp_path, lambda size, name: 2.0 if name.endswith("x3") else 1.0 + size / 1e9)
    assert told.skipped[OWN_CHOICE] == 0
    seconds = {c.bytes: c.seconds["binomial_halving", ()] for c in told.cells}
    assert seconds == {size: pytest.approx(1e-6 + size / 1e15) for size in seconds}
    far = {"default-trinaryx6": 30.0, "default-trinaryx3": 20.0}
    untold = on_fugaku(tmp_path, lambda size, name: far.get(name, 1.0))
    assert untold.skipped[OWN_CHOICE] == 6
    assert {c.fastest for c in untold.cells} == {1e-6}


def test_ranks_and_quantiles():
    assert spearman([1, 2, 3], [10, 20, 30]) == 1
    assert spearman([1, 2, 3, 4], [1, 3, 2, 4]) == 0.8
    assert spearman([1, 1, 2], [1, 1, 5]) == 1
    assert spearman([1, 1], [1, 2]) == 0
    assert quantile([3.0, 1.0, 2.0], 0.9) == 3
    assert quantile(list(map(float, range(10))), 0.9) == 8


def refused(folder) -> str:
    """What the script says of wrong data: one line, with exit code 2."""
    done = subprocess.run(
        [sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr


def test_a_name_that_nobody_knows_is_told_with_who_has_it(tmp_path):
    path = Path(written(tmp_path)) / "measured.csv.gz"
    text = gzip.decompress(path.read_bytes()).replace(b"ring_ompi", b"shumilin")
    path.write_bytes(gzip.compress(text))
    assert read(str(tmp_path)).skipped["no counterpart: allreduce 'shumilin' of openmpi"] == 6


def test_a_folder_without_measurements_is_refused_in_one_line(tmp_path):
    told = refused(tmp_path)
    assert told == f"published_errors.py: '{tmp_path}' has no run_allocations.csv.gz\n"


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("measured", "tasks_per_node", "a,b", "measured.csv.gz has no column tasks_per_node"),
        ("measured", ",16,1,16,", ",16,x,16,", ":2: tasks_per_node 'x' is not a whole number from"),
        ("measured", "1.0", "nan", ":2: median_us 'nan' is not a time above 0"),
        ("measured", ",16,1,16,", ",16,1,64,", "leonardo has the groups of 16 nodes, measured are"),
        (
            "measured",
            "leonardo",
            "leonard",
            ":2: system 'leonard' is not one of alps, aurora, ",
        ),
        ("measured", ",allreduce,", ",allredcue,", "'allredcue' is not one of allgather, "),
        ("run_allocations", "leonardo,a", "lumi,a", "has no groups of run a of leonardo"),
        ("run_allocations", "1*5", "1*x", ":2: group_of_each '1*x 2*6 3*5' is not a list such as"),
        ("run_allocations", ",1*5 2*6 3*5", "", ":2: has no group_of_each"),
    ],
)
def test_wrong_data_is_one_line_with_the_file_and_the_line(tmp_path, name, old, new, says):
    path = Path(written(tmp_path)) / f"{name}.csv.gz"
    text = gzip.decompress(path.read_bytes()).decode()
    path.write_bytes(gzip.compress(text.replace(old, new, 1).encode()))
    told = refused(tmp_path)
    assert says in told
    assert str(tmp_path) in told
    path.write_bytes(b"no gzip")
    assert f"{path}: cannot be read: Not a gzipped file" in refused(tmp_path)
