"""What the text of the Swing paper says of its figures, beside what evaluation.py found.

`write_page` renews docs/papers/swing-nsdi24.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from hopbine.notation.units import parse_size, show_size
from hopbine.simulation import Setup
from shared import experiments, page, verdicts
from swing import counts
from swing.evaluation import COUNTS, PAPER, data, files, folder, gained, reading


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper."""

    id: str  #: of claims.toml
    ours: Callable[[], str]  #: what was found, from the data
    why: str = ""  #: where the two differ


def gain(figure: str, network: str, size: str) -> float:
    """Gain in per cent at one size."""
    return next(g["gain_pct"] for g in gained(figure)[network] if g["bytes"] == parse_size(size))


def row(figure: str, network: str, size: str, algorithm: str) -> dict:
    """What was simulated for one point."""
    return next(
        r
        for r in data(figure)[network]
        if r["bytes"] == parse_size(size) and r["algorithm"] == algorithm
    )


def slower(figure: str, network: str, size: str, one: str, other: str) -> float:
    """How many times as long `one` takes at one point as `other`."""
    seconds = [row(figure, network, size, name)["seconds"] for name in (one, other)]
    return seconds[0] / seconds[1]


def most(figure: str, network: str, low: str = "1", high: str = "512MiB") -> str:
    """The highest gain, where and over whom."""
    found = [
        g for g in gained(figure)[network] if parse_size(low) <= g["bytes"] <= parse_size(high)
    ]
    g = max(found, key=lambda g: g["gain_pct"])
    return f"{1 + g['gain_pct'] / 100:.2f}x at {show_size(g['bytes'])} (over {g['best_other']})"


def ahead(figure: str, network: str, high: str = "512MiB") -> str:
    """Where Swing is ahead, and by how much it is behind elsewhere."""
    found = [g for g in gained(figure)[network] if g["bytes"] <= parse_size(high)]
    behind = [f"{show_size(g['bytes'])} {g['gain_pct']:+.1f} %" for g in found if g["gain_pct"] < 0]
    if not behind:
        return (
            f"ahead at all sizes to {show_size(found[-1]['bytes'])}, by "
            f"{min(g['gain_pct'] for g in found):.1f} % or more"
        )
    last = max((g["bytes"] for g in found if g["gain_pct"] >= 0), default=None)
    return (f"ahead to {show_size(last)}; " if last else "") + "behind: " + ", ".join(behind)


def middle(figure: str, network: str) -> str:
    """The median gain over the sizes up to 512 MiB."""
    return f"{median(g['gain_pct'] for g in gained(figure, parse_size('512MiB'))[network]):+.0f} %"


def each(figure: str, what: Callable[[str, str], str]) -> str:
    """`what` of every network of a figure."""
    return "; ".join(f"{name.partition(':')[2]}: {what(figure, name)}" for name in data(figure))


def congestion(topology: str) -> str:
    """Xi of Swing, counted."""
    s = Setup(topology).simulation("allreduce", "swing").deficiencies()
    return f"{topology.partition(':')[2]} {s['congestion']:.4f}"


def share(figure: str, network: str, size: str) -> str:
    """Share of the peak goodput."""
    return f"{100 * row(figure, network, size, 'Swing')['share_of_peak']:.1f} %"


def ratio(figure: str, network: str, size: str, other: str) -> float:
    """How many times faster Swing is than another."""
    return (
        row(figure, network, size, other)["seconds"]
        / row(figure, network, size, "Swing")["seconds"]
    )


CLAIMS = [
    Claim(
        "2.congestion",
        lambda: ", ".join(
            map(congestion, ("torus:64x64", "torus:128x128", "torus:16x16x16", "torus:8x8x8x8"))
        ),
        "counted on finite tori; the count goes to 1.200 in 2D",
    ),
    *(
        Claim(claim, lambda key=counts.CLAIMS[claim].row: counts.read(COUNTS)[key], why)
        for claim, _, why in counts.FOUND
    ),
    Claim(
        "6.ahead",
        lambda: ahead("6", "torus:64x64"),
    ),
    Claim(
        "6.2mib",
        lambda: f"{ratio('6', 'torus:64x64', '2MiB', 'RecDoub'):.2f}x",
    ),
    Claim("6.highest", lambda: most("6", "torus:64x64")),
    Claim(
        "6.small",
        lambda: (
            most("6", "torus:64x64", high="8KiB")
            + f"; at 32 KiB {1 + gain('6', 'torus:64x64', '32KiB') / 100:.2f}x"
        ),
        "42 % at 32 B, where latency is all. Flows that use a link at some time of their way share "
        "it all the time. Trains meet only where a message takes longer on a link than a hop's "
        "400 ns, that is from 20 KB of whole vectors on: by packets recursive doubling waits in "
        "queues for 0 us a rank at 8 KiB, 0.06 at 16 KiB and 24.8 at 32 KiB, Swing for 0",
    ),
    Claim(
        "6.peak",
        lambda: share("6", "torus:64x64", "512MiB"),
        "1 / 1.184 is 84 %; the paper's 81 % and 77 % would need a congestion deficiency of 1.23 "
        "to 1.30",
    ),
    Claim(
        "6.mirrored",
        lambda: "; ".join(
            f"{size} {100 * (ratio('6', 'torus:64x64', size, 'Mirrored') - 1):+.0f} %"
            for size in ("32B", "32KiB", "2MiB", "512MiB")
        ),
    ),
    Claim(
        "7.ahead",
        lambda: each("7", ahead),
        "on 8x8 and 16x16 bucket takes 28 and 60 steps, Swing 12 and 16 (64x64: 252 and 24): for "
        "small vectors that is 11 and 30 us more, and less than the 31 and 47 us that Swing's "
        "congestion of 1.10 and 1.14 adds to the 330 us of the bytes of 32 MiB",
    ),
    Claim(
        "7.grows",
        lambda: each("7", most),
        "sizes grow by four, and the gain is highest where the 4 n of recursive doubling take as "
        "long as bucket's steps: 2 MiB on 64x64 (236 us; 252 steps, 248 us), 4 MiB on 128x128 "
        "(466 us; 508 steps, 499 us), where Swing is 2.33x ahead; 2 and 8 MiB lie beside it",
    ),
    Claim(
        "7.behind",
        lambda: each("7", lambda f, n: f"{min(g['gain_pct'] for g in gained(f)[n]):+.1f} %"),
        "the counted congestion deficiency, 1.10 on 8x8 and 1.19 on 128x128, allows for 9 to 16 %, "
        "less what bucket's latencies take; 20 % would need 1.25",
    ),
    Claim(
        "15.grows",
        lambda: each("7", middle),
        "by flows the last two are the gains of 128 KiB, which by packets are 79 % on both",
    ),
    Claim(
        "8.low",
        lambda: each("8", lambda f, n: f"{gain(f, n, '32KiB'):+.0f} %"),
        "at 100 Gb/s recursive doubling is faster in its bandwidth-optimal form already, at the "
        "others not",
    ),
    Claim("15.bandwidth", lambda: each("8", middle)),
    Claim(
        "8.high",
        lambda: ahead("8", "torus:8x8, 3.2Tb/s"),
        "512 MiB take 0.7 ms even at 3.2 Tb/s: the 11 us by which bucket takes longer for small "
        "vectors cannot make up for a congestion deficiency of 1.10",
    ),
    Claim(
        "10.ahead",
        lambda: each("10", lambda f, n: ahead(f, n, "512MiB")),
    ),
    Claim(
        "10.most",
        lambda: "; ".join(f"{s}: {most('10', f'torus:{s}')}" for s in ("128x8", "256x4")),
        "bucket never shares a link and takes 551 us on 128x8 by both; Swing takes 200 us by "
        "flows, which all share to the end, and 173 by packets. On 256x4 these are 311 and 256",
    ),
    Claim(
        "15.shapes",
        lambda: each("10", lambda f, n: f"{middle(f, n)}, {most(f, n)}"),
    ),
    Claim(
        "10.ring",
        lambda: each(
            "10",
            lambda f, n: (
                "best at 2 GiB: "
                + min((r for r in data(f)[n] if r["bytes"] == 2 << 30), key=lambda r: r["seconds"])[
                    "algorithm"
                ]
            ),
        ),
        "on 64x16 bucket takes 252 steps and ring 2,046: both have no congestion",
    ),
    Claim(
        "15.256x4",
        lambda: (
            f"{100 * (slower('10', 'torus:256x4', '512MiB', 'Ring', 'Swing') - 1):+.1f} %"
            if any(r["algorithm"] == "Ring" for r in data("10")["torus:256x4"])
            else "256x4 has no two edge-disjoint Hamiltonian rings"
        ),
        "the counted congestion deficiency of 1.95 allows for 49 % at most; ring still has 2,046 "
        "latencies to pay at 512 MiB",
    ),
    Claim(
        "11.ahead",
        lambda: "; ".join(
            f"{s}: {ahead('11', f'torus:{s}', '2GiB')}" for s in ("8x8x8", "8x8x8x8")
        ),
        "bucket has no congestion at all, so that a deficiency of 1.02 is behind it once latency "
        "no longer counts",
    ),
    Claim(
        "11.most",
        lambda: each("11", most),
        "128 KiB on 8x8x8x8 by flows: 14.0 us of latencies, 3.9 of bytes, and 2.6 for their "
        "congestion deficiency of 1.67; by packets 17.9 us in all, since no train waits. "
        "Recursive doubling takes 40.0 and 39.6",
    ),
    Claim(
        "12.ahead",
        lambda: ahead("12", "hammingmesh:2x2:32x32"),
        "the counted congestion deficiency is 1.06; at 512 MiB that is more than the 252 "
        "latencies of bucket",
    ),
    Claim(
        "12.most",
        lambda: (
            most("12", "hammingmesh:2x2:32x32")
            + f"; at 2 MiB {1 + gain('12', 'hammingmesh:2x2:32x32', '2MiB') / 100:.2f}x"
        ),
        "at 2 MiB recursive doubling sends 4 n in 24 steps (113 us), Swing 1.06 n in 24 (51 us), "
        "bucket n in 252 (286 us): the lead over the first grows with the bytes until bucket is "
        "the better one, here from 8 MiB (365 and 349 us), at 2 MiB if its steps took 0.37 us "
        "instead of 1.05",
    ),
    Claim(
        "12.peak",
        lambda: (
            f"{share('12', 'hammingmesh:2x2:32x32', '512MiB')}, torus "
            f"{share('6', 'torus:64x64', '512MiB')}"
        ),
    ),
    Claim(
        "13.most",
        lambda: most("13", "hammingmesh:4x4:16x16"),
        "sizes grow by four: at 4 MiB between them it is 2.72x by packets (84.6 us, recursive "
        "doubling 230.6, bucket 275.5)",
    ),
    Claim(
        "13.behind",
        lambda: ahead("13", "hammingmesh:4x4:16x16"),
    ),
    Claim("14.ahead", lambda: ahead("14", "hyperx:64x64")),
    Claim("14.most", lambda: most("14", "hyperx:64x64")),
]


def told(claim: Claim, engine: str) -> str:
    """What an engine found; empty where its figure was not simulated, or nothing is simulated."""
    if engine != "flow" and not counts.CLAIMS[claim.id].where.startswith("Fig."):
        return ""
    token = reading.set(engine)
    try:
        return claim.ours()
    except FileNotFoundError:
        return ""
    finally:
        reading.reset(token)


def table() -> str:
    """Markdown, a row per claim."""
    from swing.judged import FOUND

    each = {c.id: [told(c, "flow"), told(c, "packet")] for c in CLAIMS}
    reasons = {c.id: c.why for c in CLAIMS}
    heads = ["ours", "ours, by packets"]
    tried = experiments.told("swing", folder("flow"))
    return verdicts.table("swing", heads, each, reasons, verdicts.found(FOUND), tried)


def write_page() -> None:
    """Renews the table and the figures of the page. ValueError where a file of its is missing."""
    page.check([*files("flow"), *experiments.files("swing", folder("flow"))])
    page.check(files("packet"))
    from swing.judged import FOUND

    tried = experiments.told("swing", folder("flow"))
    counted = verdicts.counts("swing", verdicts.found(FOUND), tried)
    page.write(PAPER, "reproduce/run.py swing", table(), folder("packet"), counted)
