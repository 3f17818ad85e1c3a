"""Machines as the figures of docs/papers were simulated on them."""

from pathlib import Path

from hopbine import machines
from hopbine.machines import Machine

#: Descriptions that figures were made with, where systems/ has learned more since.
KEPT = Path(__file__).parent / "machines"


def load(name: str) -> Machine:
    """The machine of this name, by the description that is kept here where there is one."""
    kept = KEPT / f"{name}.toml"
    return machines.load(str(kept) if kept.is_file() else name)
