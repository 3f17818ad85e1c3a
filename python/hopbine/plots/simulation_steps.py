"""Loads of links step by step.

Setups are those of hopbine.simulation.setup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import UsageError
from . import style
from .frame import Frame
from .labels import byte_unit
from .network import Marks, Scale, draw, placed, size
from .timeline import timeline
from .topology import topology

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .. import _core
    from ..simulation.setup import Setup
    from .layouts import Layout


__all__ = ["link_heat_map", "link_name", "timeline"]

#: More panels are not readable.
MOST_PANELS = 12
#: Room above a panel for its title, inches.
_HEAD = 0.25


@dataclass(frozen=True)
class _Unit:
    """What loads are told in."""

    part: float  #: the size of a part of the vector
    name: str
    label: str  #: of the colour bar


@dataclass
class _Panel:
    """Steps with the same load on every link."""

    steps: list[int]  #: the first step of each pattern
    times: int  #: how many steps there are
    loads: list[float]  #: of every link
    busiest: int | None

    def title(self, network: _core.Topology, unit: _Unit) -> str:
        """Title such as 'steps 0, 11: ...', or 'step 0 (× 63): ...' where there are many."""
        if self.times > min(len(self.steps), 4):
            named = f"step {self.steps[0]} (× {self.times})"
        else:
            named = f"step{'s' if len(self.steps) > 1 else ''} {', '.join(map(str, self.steps))}"
        return f"{named}: {self.most(network, unit)}"

    def most(self, network: _core.Topology, unit: _Unit) -> str:
        """Largest load and its links: '12.5 % on 0→8 and 127 more'."""
        if self.busiest is None:
            return "nothing on any link"
        most = self.loads[self.busiest]
        others = sum(load >= most * (1 - 1e-9) for load in self.loads) - 1
        return f"{most * unit.part:.4g} {unit.name} on {link_name(network, self.busiest)}" + (
            f" and {others} more" if others else ""
        )


def link_name(network: _core.Topology, link: int) -> str:
    """Name of a link such as '0→8'; switches are 's3'."""
    return "→".join(
        str(v) if v < network.nodes else f"s{v - network.nodes}" for v in network.links()[link][:2]
    )


def _panels(simulation: _core.Simulation, steps: Sequence[int] | None) -> list[_Panel]:
    """One panel for each step given; without, one for each set of steps with equal loads."""
    if steps is not None:
        out = []
        for step in steps:
            if not 0 <= step < simulation.step_count:
                raise UsageError(f"step {step} is not one of 0..{simulation.step_count - 1}")
            loads = simulation.link_loads(step, step + 1)
            out.append(_Panel([step], 1, loads, _busiest(loads)))
        return out
    found: dict[tuple[float, ...], _Panel] = {}
    for pattern in simulation.steps():
        loads = simulation.link_loads(pattern["step"], pattern["step"] + 1)
        panel = found.setdefault(
            tuple(round(load, 9) for load in loads), _Panel([], 0, loads, _busiest(loads))
        )
        panel.steps.append(pattern["step"])
        panel.times += pattern["times"]
    return list(found.values())


def _busiest(loads: list[float]) -> int | None:
    """First of the most loaded links, as in _core.Simulation.steps()."""
    most = max(loads, default=0)
    return loads.index(most) if most > 0 else None


def _unit_of(
    simulation: _core.Simulation,
    network: _core.Topology,
    panels: list[_Panel],
    vector: float | None,
) -> _Unit:
    each = (
        "link"
        if all(capacity == 1 for _, _, capacity, _ in network.links())
        else "link, by its capacity"
    )
    if vector is None:
        return _Unit(100 / simulation.parts, "%", f"load of a {each}, % of the vector")
    part = vector / simulation.parts
    name, unit = byte_unit(max(load for p in panels for load in p.loads) * part)
    return _Unit(part / unit, name, f"load of a {each}, {name}")


def link_heat_map(
    setup: Setup,
    collective: str,
    algorithm: str,
    steps: int | Sequence[int] | None = None,
    vector: float | None = None,
    root: int = 0,
) -> Figure:
    """Draws the loads of all links in one step, in several, or (None) in all that differ.

    There are at most 12 panels, those with the most load. Loads are per cent of the vector, or
    bytes of a vector of `vector` bytes. The most loaded link, the first of several, is highlighted
    and named. UsageError.
    """
    network = setup.network
    shown = placed(network, apart=True)
    simulation = setup.simulation(collective, algorithm, root, vector or 0)
    panels = _panels(simulation, [steps] if isinstance(steps, int) else steps)
    if not panels:
        raise UsageError(f"{collective} {algorithm} has no steps to draw")
    different = len(panels)
    if different > MOST_PANELS:
        heaviest = sorted(panels, key=lambda p: -max(p.loads) * p.times)[:MOST_PANELS]
        panels = [p for p in panels if p in heaviest]
    unit = _unit_of(simulation, network, panels, vector)
    head = f"{collective} {algorithm} on {network.name}"
    if different > MOST_PANELS:
        head += f", {MOST_PANELS} of {different} different steps, those with the most load"
    if len(panels) == 1:
        loads = [load * unit.part for load in panels[0].loads]
        title = f"{head}, {panels[0].title(network, unit)}"
        return topology(network, loads, unit.label, title, panels[0].busiest)
    most = max(panels, key=lambda p: max(p.loads))
    title = f"{head}; most in step {most.steps[0]}: {most.most(network, unit)}"
    return _multiples(network, shown, panels, unit, title)


def _multiples(
    network: _core.Topology,
    shown: Layout,
    panels: list[_Panel],
    unit: _Unit,
    title: str,
) -> Figure:
    """Draws panels of one scale beside each other, as large as there is room."""
    columns = next(n for n in (2, 3, 4) if n * n >= len(panels) or n == 4)
    rows = -(-len(panels) // columns)
    shown = replace(shown, names=[])
    across, down, each = size(shown, 13.0 / columns, max(2.6, 11.0 / rows))
    colours = Scale(max(max(p.loads) for p in panels) * unit.part, unit.label)
    frame = Frame(columns * max(across, 3.2), rows * (down + _HEAD), title, shown.note, colours)
    room = frame.width / columns
    for i, panel in enumerate(panels):
        row, column = divmod(i, columns)
        axes = frame.axes(column * room, (rows - 1 - row) * (down + _HEAD), room, down)
        marks = Marks([load * unit.part for load in panel.loads], colours, panel.busiest)
        draw(axes, network, shown, each, marks)
        axes.set_title(panel.title(network, unit), fontsize=style.FONT_NOTE, pad=3)
    return frame.figure
