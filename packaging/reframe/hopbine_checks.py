"""hopbine's measurements as ReFrame checks, for sites (docs/tuning.md#on-a-site-with-reframe).

    reframe -C SETTINGS -c packaging/reframe/hopbine_checks.py -S ranks=64 -S ranks_per_node=8 -r

The output folder of a check has what is sent back: rules.json of Tune, which `hopbine run --rules`
and `hopbine select show` read, and stats.json of Collective for `hopbine stats` and `hopbine
predict`, with every sample in samples.csv.
"""

import csv
import json
import statistics
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher
from reframe.core.builtins import (
    parameter,
    performance_function,
    run_before,
    sanity_function,
    variable,
)

COLLECTIVES = ("allreduce", "bcast", "reduce", "allgather", "reduce_scatter", "alltoall")
#: Prints the folder of the libraries of the hopbine on PATH.
FOLDER = (
    '$(hopbine info --format csv | awk -F, \'$2 == "libhopbine_preload.so" '
    '{ sub("/[^/]*$", "", $3); print $3 }\')'
)


class Measurement(rfm.RunOnlyRegressionTest):
    """What all measurements have."""

    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    collective = parameter(COLLECTIVES)
    ranks = variable(int, value=4)
    ranks_per_node = variable(int, value=0)
    family = variable(str, value="openmpi")
    sizes = variable(str, value="8,1024,65536,1048576")
    executable = "hopbine"

    @run_before("run")
    def place(self):
        """Ranks as asked for."""
        self.num_tasks = self.ranks
        if self.ranks_per_node:
            self.num_tasks_per_node = self.ranks_per_node


@rfm.simple_test
class Collective(Measurement):
    """The MPI library against some of hopbine's algorithms and its own choice, in turns."""

    algorithms = variable(str, value="auto")
    repetitions = variable(int, value=40)
    keep_files = ["samples.csv", "stats.json", "machine.json"]

    @run_before("run")
    def command(self):
        """hopbine-bench under hopbine run: rank 0 writes samples.csv."""
        self.prerun_cmds = [
            "hopbine info --format json > machine.json",
            f'bench="{FOLDER}/hopbine-bench-{self.family}"',
        ]
        arguments = f"{self.repetitions} 1 0 float32 1"
        self.executable_opts = [
            "run --learn none --stats stats.json",
            f'"$bench" {self.collective} mpi,{self.algorithms} {self.sizes} {arguments}',
            "> samples.csv",
        ]

    def rows(self) -> list[dict[str, str]]:
        """The samples."""
        text = (Path(self.stagedir) / "samples.csv").read_text()
        return list(csv.DictReader(line for line in text.splitlines() if "," in line))

    @sanity_function
    def answers_are_right(self):
        """Every sample is there, and of the right answer."""
        names = ["mpi", *self.algorithms.split(",")]
        expected = len(names) * len(self.sizes.split(",")) * self.repetitions
        rows = self.rows()
        right = sum(row["correct"] == "1" for row in rows)
        return sn.all([sn.assert_eq(len(rows), expected), sn.assert_eq(right, expected)])

    @run_before("performance")
    def medians(self):
        """Microseconds of each algorithm at each size."""
        times: dict[tuple[str, str], list[float]] = {}
        for row in self.rows():
            times.setdefault((row["algorithm"], row["bytes"]), []).append(float(row["seconds"]))
        self.perf_variables = {
            f"{name}_{size}": sn.make_performance_function(
                sn.defer(1e6 * statistics.median(found)), "us"
            )
            for (name, size), found in times.items()
        }


@rfm.simple_test
class Tune(Measurement):
    """Rules for this machine: which algorithm is fastest at each size, beyond noise."""

    budget = variable(str, value="10min")
    keep_files = ["rules.json"]

    @run_before("run")
    def command(self):
        """hopbine tune starts the ranks itself, with the launcher of this partition."""
        self.job.num_tasks = self.num_tasks  # ReFrame sets it later
        launch = " ".join(self.job.launcher.command(self.job))
        self.job.launcher = getlauncher("local")()
        self.executable_opts = [
            f"tune {self.collective} --launch '{launch}' --mpi {self.family}",
            f"--sizes {self.sizes} --budget {self.budget} -o rules.json --format csv",
        ]

    @sanity_function
    def rules_are_written(self):
        """Every size is decided."""
        rules = json.loads((Path(self.stagedir) / "rules.json").read_text())
        return sn.assert_ge(len(rules["rules"]), 1)

    @performance_function("sizes")
    def served_by_hopbine(self):
        """Sizes at which an algorithm of hopbine's is faster than the library."""
        rules = json.loads((Path(self.stagedir) / "rules.json").read_text())["rules"]
        return sum(rule["algorithm"] != "mpi" for rule in rules)
