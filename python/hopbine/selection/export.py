"""A rules file as another library's."""

from dataclasses import dataclass
from pathlib import Path

from . import mpich, openmpi, ucc
from .counterparts import LIBRARIES
from .file import read
from .plan import plan

TITLES = LIBRARIES | {"openmpi6": LIBRARIES["openmpi"]}


@dataclass
class Export:
    """What was made.

    The text (empty when nothing could be), lines about what is left out, and the settings that go
    with it.
    """

    text: str
    rules: int
    missing: set[int]
    left_out: list[str]
    target: str
    settings: dict[str, int]
    coordinates: str | None = None

    def usage(self, path: str) -> str:
        """How the library is told to use it."""
        if self.target == "mpich":
            return (
                f"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={path} (on one node or many with "
                "MPIR_CVAR_DEVICE_COLLECTIVES=none)"
                + (f" MPIR_CVAR_COORDINATES_FILE={self.coordinates}" if self.coordinates else "")
            )
        if self.target == "ucc":
            return " ".join(
                [
                    f'UCC_TL_UCP_TUNE="$(cat {path})"',
                    *(f"{key}={value}" for key, value in self.settings.items()),
                ]
            )
        settings = {
            "coll_tuned_use_dynamic_rules": 1,
            "coll_tuned_dynamic_rules_filename": path,
        } | self.settings
        return " ".join(f"--mca {key} {value}" for key, value in settings.items())


def export(
    path: str, target: str, base: str | None = None, coordinates: str | None = None
) -> Export:
    """Writes a rules file for 'openmpi', 'openmpi6', 'mpich' (which needs `base`) or 'ucc'.

    `coordinates`: the path of MPICH's file of the places of the ranks, if it has one.
    UsageError tells what is wrong with the rules or the base.
    """
    rules = read(path)
    made = plan(target.removesuffix("6"), rules, TITLES[target], coordinates is not None)
    note = f"hopbine select export {Path(path).name} --for {target}"
    text = ""
    if made.collectives:
        text = {
            "openmpi": lambda: openmpi.classic(made, note),
            "openmpi6": lambda: openmpi.version6(made, note),
            "mpich": lambda: mpich.tuning(made, base or ""),
            "ucc": lambda: ucc.tune_string(made) + "\n",
        }[target]()
    left_out = [
        f"{path}:{rule.line} {rule.collective} {rule.asks}: {why}" for rule, why in made.left_out
    ]
    missing = {rule.line for rule, _ in made.left_out}
    return Export(text, len(rules), missing, left_out, target, made.settings, coordinates)
