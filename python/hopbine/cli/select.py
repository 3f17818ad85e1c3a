"""hopbine select: which algorithm the runtime takes by itself for a job's hosts, and why"""


def configure(parser) -> None:
    """Arguments of the verb."""
    from ._analysis import add_hosts, add_machine

    parser.description = ("select explain counts, as the runtime does at a communicator's first use, what every algorithm and numbering of the "
                          "ranks puts on nodes and groups, models its time from the machine's description, and shows what is taken for each size: of "
                          "those within a third of the fastest, the one that moves least between groups, or one up to twice as long as the fastest "
                          "that moves half of that.")
    parser.add_argument("what", choices=["explain"])
    parser.add_argument("collective")
    add_machine(parser)
    add_hosts(parser)
    parser.add_argument("--sizes", default="8:64MiB:8", help="bytes (default %(default)s)")
    parser.add_argument("--root", type=int, default=0)
    parser.add_argument("--in-order", action="store_true", help="for operations that do not commute")
    parser.add_argument("--all", action="store_true", help="every candidate with its modelled time")


def run(args) -> int:
    """Prints the choice by size, and with --all the candidates."""
    from .. import _core
    from ..bench.sizes import parse_sizes, show_size
    from ..counting import explain
    from ..quantities import show_bytes
    from ._analysis import one_job
    from ._common import print_table

    _core.rooted(args.collective)
    job, sizes = one_job(args), parse_sizes(args.sizes)
    told = explain(job, args.collective, sizes, args.root, not args.in_order)
    p, groups, nodes = len(job.hosts), len(set(job.places.group)), len(set(job.places.node))
    print(f"{p} ranks on {nodes} nodes in {groups} groups of {job.machine.name} ({job.machine.source})")
    print(f"links: {job.machine.network().replace(':', ', ') or 'not described'}; the rest as in docs/choice.md")
    if nodes == 1 or (groups == 1 and nodes == p):
        print("nothing is scarce here: the runtime uses the default table (hopbine info)")
        return 0
    every, scarce = told["candidates"], "global_blocks" if groups > 1 else "local_blocks"
    if args.all:
        order = sorted(range(len(every)), key=lambda i: every[i]["seconds"][-1])
        rows = [[every[i]["algorithm"], every[i]["numbering"], f"{every[i][scarce] / p:.4g} n", *(_time(s) for s in every[i]["seconds"])]
                for i in order]
        print()
        print_table(["algorithm", "numbering", "scarce", *map(show_size, sizes)], rows, right=set(range(2, 3 + len(sizes))))
    rows = []
    for size, chosen, i in zip(sizes, told["chosen"], range(len(sizes))):
        if chosen < 0:
            rows.append([show_size(size), "none is fit", "", "", "", ""])
            continue
        one = every[chosen]
        fastest = min(c["seconds"][i] for c in every if not args.in_order or not c["commutes"])
        rows.append([show_size(size), one["algorithm"], one["numbering"], _time(one["seconds"][i]), f"{one['seconds'][i] / fastest:.2f}x",
                     show_bytes(one[scarce] * size / p)])
    print()
    print_table(["bytes", "algorithm", "numbering", "modelled", "to fastest", "between groups" if groups > 1 else "between nodes"], rows,
                right={0, 3, 4, 5})
    return 0


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} us" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"
