"""The Bine page compares all algorithms of the registry, by rule."""

import csv
import io
from collections import Counter

import pytest

from hopbine import _core
from hopbine.plots import style


@pytest.fixture
def registry(papers):
    return papers("bine.registry")


def names_of(families: dict[str, list[str]]) -> Counter[str]:
    """How often each algorithm is compared, whatever its parameters."""
    return Counter(a for of in families.values() for a in {x.partition(":")[0] for x in of})


@pytest.mark.parametrize("machine", ["lumi", "leonardo", "marenostrum5", "fugaku"])
def test_every_algorithm_is_compared_once(registry, machine):
    """But for Swing: the paper's, which sends each run of blocks, and hopbine's, which gathers."""
    for collective in registry.SPEC["collectives"]:
        known = {a["name"] for a in _core.algorithms() if a["collective"] == collective}
        found = names_of(registry.families(machine, collective))
        assert set(found) == known, collective
        several = {name: times for name, times in found.items() if times > 1}
        butterflies = collective in ("allreduce", "allgather", "reduce_scatter")
        assert several == ({"swing": 2} if butterflies else {}), collective


def test_a_new_algorithm_is_taken_up(registry, monkeypatch):
    """By the letter of its family; of no family: nowhere without a word."""
    first = next(a for a in _core.algorithms() if a["collective"] == "bcast")
    for name, letter in (("bine_new", "b"), ("ring_new", "r"), ("hierarchical_new", "h")):
        monkeypatch.setattr(_core, "algorithms", lambda name=name: [first | {"name": name}])
        assert registry.further("lumi", "bcast") == {letter: [name]}
    monkeypatch.setattr(_core, "algorithms", lambda: [first | {"name": "unheard_of"}])
    with pytest.raises(KeyError):
        registry.further("lumi", "bcast")


def test_every_family_has_a_small_letter(registry):
    assert set(registry.by_family()) == set(style.FAMILIES) - {"mirrored"}
    assert len({*registry.by_family().values()}) == len(registry.by_family())


def test_packets_have_the_costs_that_a_description_has_else_the_models(papers):
    bine = papers("bine.evaluation")
    engines, places = papers("shared.engines"), papers("shared.places")

    def costs(machine: str) -> dict[str, float]:
        place = bine.places_of(machine, places.Sources(), True)[0]
        return dict(engines.by_packets(machine, place).costs)

    assert costs("fugaku")["send"] == pytest.approx(1.17e-6)
    assert costs("fugaku")["reduce_bandwidth"] == pytest.approx(192e9 / 8)
    assert costs("lumi") == pytest.approx({"send": 1.06e-6, "receive": 1.06e-6, "latency": 1.68e-6})
    known = _core.network_defaults
    assert costs("leonardo") == costs("marenostrum5")
    assert costs("leonardo")["send"] == known["overhead"]
    assert costs("leonardo")["reduce_bandwidth"] == known["reduce_bandwidth"]


def test_the_ring_over_bine_in_segments_by_hand(papers, tmp_path):
    segments, bine = papers("bine.segments"), papers("bine.evaluation")
    size = str(segments.SHOWN[-1])
    names = {"ring": 6.0, "bine_large": 5.0, "bine_segmented:segments=4": 3.0}
    lines = [
        dict.fromkeys(bine.COLUMNS, "")
        | {"engine": "packet", "nodes": "256", "algorithm": name, size: str(seconds)}
        for name, seconds in names.items()
    ]
    text = io.StringIO()
    out = csv.DictWriter(text, bine.COLUMNS)
    out.writeheader()
    out.writerows(lines)
    papers("shared.results").write(tmp_path / "segments.csv.xz", text.getvalue())
    assert segments.told(tmp_path) == "packet, 256: 1.20 whole, 2.00 in 4 segments"
    told = next(line for line in segments.lines(tmp_path) if "512 MiB" in line)
    assert told == "| packet | 256 | 512 MiB | 1.20 | - | **2.00** | - | - | - | - |"


def row(machine: str, collective: str, algorithm: str, letter: str, ranks: int = 64) -> dict:
    """What the views read."""
    told = {"machine": machine, "collective": collective, "algorithm": algorithm, "letter": letter}
    return told | {"ranks": str(ranks)}


def test_what_is_made_for_a_machine_is_switched_off(registry):
    on, off = registry.every, registry.general
    for told, letters in {
        ("fugaku", "allreduce", "torus_bine", "B"): ("B", None),
        ("fugaku", "allreduce", "bine_segmented:segments=8", "b"): ("B", "B"),
        ("fugaku", "allreduce", "hierarchical_large", "h"): ("h", "h"),
        ("fugaku", "bcast", "trinaryx", "V"): ("V", None),
        ("lumi", "allreduce", "hierarchical_large", "h"): ("h", None),
        ("lumi", "allreduce", "torus_bine", "d"): ("B", "B"),
        ("lumi", "allreduce", "swing", "S"): ("S", "S"),
        ("lumi", "alltoall", "scattered", "w"): ("w", "w"),
    }.items():
        assert (on(row(*told)), off(row(*told))) == letters, told
    many = registry.SPEC["machine"]["lumi"]["packets"] + 1
    assert on(row("lumi", "bcast", "bine_small", "B", many)) is None
    assert registry.told(row("lumi", "bcast", "bine_small", "B", many)) == "B"
    assert registry.told(row("lumi", "bcast", "chain", "e")) is None
