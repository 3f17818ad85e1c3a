"""hopbine's counts against the published reductions of the Bine paper, job by job.

The jobs are a week of Leonardo's (the paper's public artefact).

    python benchmarks/published_jobs.py JOBS.csv [--machine leonardo]

JOBS.csv has columns job, node_ids and published_allreduce_reduction_pct (Rabenseifner to Bine,
large allreduce, one rank per node). Then what hopbine takes by itself on the jobs of a power of two
of at least 16 nodes, at several sizes.
"""

import argparse
import csv
import time
from statistics import mean, median

from hopbine import _core
from hopbine.allocations import BadJob, read
from hopbine.jobs.counting import change
from hopbine.jobs.job import Job, explain
from hopbine.machines import load

SIZES = [1 << 20, 16 << 20, 64 << 20, 1 << 30]


def agreement(jobs: dict[str, Job], published: dict[str, float]) -> None:
    """Number of jobs that agree to a hundredth of a point."""
    for name, wanted in (("powers of two", True), ("other numbers of nodes", False)):
        off, above = [], 0
        for job in jobs.values():
            p = len(job.hosts)
            if (p & (p - 1) == 0) != wanted:
                continue
            bine, classic = (
                _core.count(_core.Problem("allreduce", a, group=job.places.group))["global_blocks"]
                for a in ("bine_large", "rabenseifner")
            )
            here = change(bine, classic)
            off.append(abs(here + published[job.name]))
            above += published[job.name] > 100 / 3 + 0.005
        print(
            f"{name}: {len(off)} jobs, {sum(x < 0.0101 for x in off)} agree to 0.01 points, "
            f"largest difference {max(off):.2f}; {above} published above 33.3 %"
        )


def automatic(jobs: dict[str, Job]) -> None:
    """Change against Rabenseifner of the algorithms chosen, and their excess over the bound."""
    chosen = [
        job
        for job in jobs.values()
        if len(job.hosts) >= 16 and len(job.hosts) & (len(job.hosts) - 1) == 0
    ]
    results: dict[int, list[tuple[float, float]]] = {size: [] for size in SIZES}
    bound = []
    begin = time.monotonic()
    for job in chosen:
        base = _core.count(_core.Problem("allreduce", "rabenseifner", group=job.places.group))[
            "global_blocks"
        ]
        found = explain(job, _core.Calls("allreduce"), SIZES)
        bound.append(change(found["lower_bound"], base))
        for size, i in zip(SIZES, found["chosen"], strict=True):
            blocks = found["candidates"][i]["global_blocks"]
            results[size].append((change(blocks, base), 100 * (blocks / found["lower_bound"] - 1)))
    print(
        f"\n{len(chosen)} jobs of 16 nodes and more, powers of two; the least that must move is "
        f"{-mean(bound):.1f} % below Rabenseifner's ({time.monotonic() - begin:.1f} s)"
    )
    for size, both in results.items():
        print(
            f"  {size >> 20:>5} MiB: mean change {mean(r for r, _ in both):.1f} %, median "
            f"{median(r for r, _ in both):.1f} %, worse than Rabenseifner: "
            f"{sum(r > 1e-9 for r, _ in both)} jobs; above the least: median "
            f"{median(a for _, a in both):.0f} %, largest {max(a for _, a in both):.0f} %"
        )


def main() -> None:
    """Reads the jobs, prints both comparisons."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("jobs")
    parser.add_argument("--machine", default="leonardo")
    args = parser.parse_args()
    with open(args.jobs, newline="") as f:
        published = {
            row["job"]: float(row["published_allreduce_reduction_pct"]) for row in csv.DictReader(f)
        }
    machine = load(args.machine)
    jobs = {
        j.job: Job(j.job, j.hosts, machine) for j in read(args.jobs) if not isinstance(j, BadJob)
    }
    agreement(jobs, published)
    automatic(jobs)


if __name__ == "__main__":
    main()
