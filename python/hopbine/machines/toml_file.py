"""TOML description of a machine; its keys are in docs/machines.md."""

import re
import tomllib
from collections.abc import Iterator
from itertools import count, islice
from math import prod
from typing import Any

from ..errors import UsageError
from ..notation.hosts import MOST_HOSTS, expand
from ..notation.text import near, short
from .machine import GROUPED, NETWORK_OF_LINKS, ROUTED, Link, Machine, Ranks
from .messages import read_costs

_KEYS = {
    "name": str,
    "kind": str,
    "groups": int,
    "nodes_per_group": int,
    "hosts": str,
    "first": int,
    "shape": list,
    "group": list,
    "links": dict,
    "ranks": dict,
    "costs": dict,
    "topology": str,
    "cards": int,
    "messages": dict,
    "note": str,
    "unknown": str,
    "source": str,
}
#: Classes of links, and what each may have.
_CLASSES = ("node", "local", "global")
_OF_LINKS = ("bandwidth", "latency", "taper")
#: Largest taper of a class of links.
MOST_TAPER = 10**6
#: Network cards of a node.
MOST_CARDS = 64
_UNITS = {"b/s": 1 / 8, "kb/s": 1e3 / 8, "mb/s": 1e6 / 8, "gb/s": 1e9 / 8, "tb/s": 1e12 / 8}
_TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


class Wrong(UsageError):
    """Error in the value of a key."""

    def __init__(self, key: str, why: str, nth: int = 0):
        super().__init__(why)
        self.key, self.nth = key, nth  # the nth line that has the key


def parse(text: str, source: str) -> Machine:
    """Machine described by `text`. UsageError names source, line and what is allowed."""
    try:
        return machine(tomllib.loads(text), source)
    except RecursionError:
        raise UsageError(f"{source}: is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        raise UsageError(
            f"{source}:{at[1] if at else text.count(chr(10)) + 1}: "
            f"{str(error).partition(' (at')[0]}"
        ) from None
    except Wrong as error:
        lines = [
            n
            for n, row in enumerate(text.splitlines(), 1)
            if re.match(rf"\s*\[*\s*(links\.)?{re.escape(error.key)}\b", row)
        ]
        raise UsageError(
            f"{source}:{lines[error.nth] if error.nth < len(lines) else 1}: {error}"
        ) from None


def machine(data: dict[str, Any], source: str) -> Machine:
    """Machine of a parsed description. Wrong names the key."""
    for key, value in data.items():
        if key not in _KEYS:
            raise Wrong(key, f"unknown key '{key}' (known: {', '.join(_KEYS)}){near(key, _KEYS)}")
        if not isinstance(value, _KEYS[key]) or isinstance(value, bool):
            raise Wrong(
                key, f"'{key}' must be of type {_KEYS[key].__name__}, not {type(value).__name__}"
            )
    for key in ("name", "kind"):
        if key not in data:
            raise Wrong("name", f"'{key}' is missing")
    kind = data["kind"]
    kinds = GROUPED + ROUTED
    if kind not in kinds:
        raise Wrong(
            "kind",
            f"kind '{kind}' is not one of {', '.join(kinds)}{near(kind, kinds)}",
        )
    if kind in ROUTED and "group" in data:
        raise Wrong("group", f"a {kind} has a shape, no groups")
    groups, hosts = (
        _explicit(data["group"])
        if "group" in data
        else _shaped(data)
        if kind in ROUTED
        else _numbered(data)
    )
    return Machine(
        data["name"],
        kind,
        groups,
        hosts,
        _links(data.get("links", {})),
        tuple(data["shape"]) if kind in ROUTED else None,
        data.get("hosts", None if "group" in data else "node{}"),
        source,
        data.get("note", ""),
        _ranks(data["ranks"]) if "ranks" in data else None,
        _costs(data.get("costs", {})),
        _topology(data),
        _cards(data),
        _messages(data.get("messages", {})),
        data.get("unknown", ""),
        data.get("source", ""),
    )


def _positive(data: dict[str, Any], key: str) -> int:
    if key not in data:
        raise Wrong(
            "name",
            f"'{key}' is missing (or describe every group in a [[group]] with name and hosts)",
        )
    if not 1 <= data[key] <= MOST_HOSTS:
        raise Wrong(
            key,
            f"'{key}' is {data[key] if abs(data[key]) < 10**18 else 'too large'}, a number from 1 "
            f"to {MOST_HOSTS} is needed",
        )
    return int(data[key])


def _names(data: dict[str, Any], n: int, key: str) -> Iterator[str]:
    pattern = data.get("hosts", "node{}")
    if not re.fullmatch(r"[^{}]{0,200}\{(:0?[0-9]{1,2}d?)?\}[^{}]{0,200}", pattern):
        raise Wrong(
            "hosts", f"hosts '{pattern[:60]}' needs one place for the number, as in 'nid{{:06d}}'"
        )
    if n > MOST_HOSTS:
        raise Wrong(
            key, f"{n:,} nodes are more than the {MOST_HOSTS:,} that a description may have"
        )
    if not 0 <= data.get("first", 0) <= 10**12:
        raise Wrong("first", "'first' is not a number from 0 to 10^12")
    return (pattern.format(i) for i in islice(count(data.get("first", 0)), n))


def _numbered(data: dict[str, Any]) -> tuple[list[str], dict[str, int]]:
    k, each = _positive(data, "groups"), _positive(data, "nodes_per_group")
    hosts = {name: i // each for i, name in enumerate(_names(data, k * each, "groups"))}
    return [f"group {g + 1}" for g in range(k)], hosts


def _shaped(data: dict[str, Any]) -> tuple[list[str], dict[str, int]]:
    from .._core import MOST_DIMENSIONS

    shape = data.get("shape")
    if (
        not shape
        or len(shape) > MOST_DIMENSIONS
        or any(type(n) is not int or not 0 < n <= MOST_HOSTS for n in shape)
    ):
        raise Wrong(
            "shape",
            f"'shape' must be the extents of at most {MOST_DIMENSIONS} dimensions, as in [8, 8, 4]",
        )
    return ["whole machine"], dict.fromkeys(_names(data, prod(shape), "shape"), 0)


def _explicit(tables: list[Any]) -> tuple[list[str], dict[str, int]]:
    groups: list[str] = []
    names: set[str] = set()
    hosts: dict[str, int] = {}
    if not tables:
        raise Wrong("group", "there is no [[group]]")
    for nth, table in enumerate(tables):
        if (
            not isinstance(table, dict)
            or set(table) != {"name", "hosts"}
            or not all(isinstance(v, str) for v in table.values())
        ):
            raise Wrong("group", "a [[group]] has a name and hosts, both text", nth)
        if table["name"] in names:
            raise Wrong("group", f"group '{table['name']}' is there twice", nth)
        groups.append(table["name"])
        names.add(table["name"])
        try:
            listed = expand(table["hosts"])
        except UsageError as error:
            raise Wrong("group", f"group '{table['name']}': {error}", nth) from None
        for host in listed:
            if host in hosts:
                raise Wrong(
                    "group",
                    f"host '{host}' is in group '{groups[hosts[host]]}' and in group "
                    f"'{table['name']}'",
                    nth,
                )
            hosts[host] = len(groups) - 1
        if len(hosts) > MOST_HOSTS:
            raise Wrong(
                "group",
                f"these are more than the {MOST_HOSTS:,} hosts that a description may have",
                nth,
            )
    return groups, hosts


def _quantity(key: str, text: object, units: dict[str, float], example: str) -> float:
    m = (
        re.fullmatch(
            r"\s*([0-9]{1,15}(?:\.[0-9]{1,15})?(?:[eE][+-]?[0-9]{1,2})?)\s*([A-Za-z/]+)\s*", text
        )
        if isinstance(text, str)
        else None
    )
    if not m or m[2].lower() not in units or not 1e-18 <= float(m[1]) * units[m[2].lower()] <= 1e18:
        raise Wrong(
            key,
            f'{key} = {short(repr(text))} is not a quantity like "{example}" (units: '
            f"{', '.join(units)})",
        )
    return float(m[1]) * units[m[2].lower()]


def _links(data: dict[str, Any]) -> dict[str, Link]:
    out = {}
    for name, table in data.items():
        if name not in _CLASSES or not isinstance(table, dict):
            raise Wrong(
                name,
                f"link class '{name}' is not one of {', '.join(_CLASSES)}{near(name, _CLASSES)}",
            )
        unknown = set(table) - set(_OF_LINKS)
        if unknown:
            raise Wrong(
                min(unknown),
                f"links.{name} has no key '{min(unknown)}' (known: {', '.join(_OF_LINKS)})"
                f"{near(min(unknown), _OF_LINKS)}",
            )
        taper = table.get("taper")
        if taper is not None and (
            isinstance(taper, bool)
            or not isinstance(taper, (int, float))
            or not 0 < taper <= MOST_TAPER
        ):
            raise Wrong("taper", f"taper is not a number above 0 and up to {MOST_TAPER}")
        out[name] = Link(
            _quantity("bandwidth", table["bandwidth"], _UNITS, "200 Gb/s")
            if "bandwidth" in table
            else None,
            _quantity("latency", table["latency"], _TIMES, "2 us") if "latency" in table else None,
            taper,
        )
    return out


def _costs(data: dict[str, Any]) -> dict[str, float]:
    """What the choice by counting needs beyond the links, by the keys of HOPBINE_NETWORK."""
    from .._core import network_keys

    known = [k for k in network_keys.split(", ") if k not in (*NETWORK_OF_LINKS, "cards")]
    for key in data:
        if key not in known:
            raise Wrong(
                key,
                f"[costs] has no key '{short(key)}' (known: {', '.join(known)}){near(key, known)}",
            )
    return {
        key: _quantity(key, value, _UNITS, "100 Gb/s")
        if key.endswith("bandwidth")
        else _quantity(key, value, _TIMES, "0.5 us")
        for key, value in data.items()
    }


def _topology(data: dict[str, Any]) -> str | None:
    """The links, which the simulator can read."""
    from .._core import topology_nodes

    if "topology" in data:
        try:
            topology_nodes(data["topology"])
        except ValueError as error:
            raise Wrong("topology", f"topology: {error}") from None
    return data.get("topology")


def _cards(data: dict[str, Any]) -> int:
    cards = data.get("cards", 1)
    if not 1 <= cards <= MOST_CARDS:
        raise Wrong("cards", f"'cards' is {cards}, a number from 1 to {MOST_CARDS} is needed")
    return int(cards)


def _messages(data: dict[str, Any]) -> dict[str, float]:
    for key, value in data.items():
        try:
            read_costs({key: value})
        except UsageError as error:
            raise Wrong(key, f"[messages] {error}") from None
    return read_costs(data)


def _ranks(data: dict[str, Any]) -> Ranks:
    units = {
        "latency": (_TIMES, "0.5 us"),
        "bandwidth": (_UNITS, "40 Gb/s"),
        "overhead": (_TIMES, "0.5 us"),
        "pack": (_TIMES, "10 ns"),
        "copy": (_UNITS, "80 Gb/s"),
    }
    if set(data) != set(units):
        odd = [key for key in data if key not in units]
        raise Wrong(
            "ranks",
            f"[ranks] needs {', '.join(units)} and nothing else; it has "
            f"{', '.join(data) or 'nothing'}{near(odd[0], units) if odd else ''}",
        )
    try:
        return Ranks(**{key: _quantity(key, data[key], *how) for key, how in units.items()})
    except Wrong as error:
        raise Wrong(
            "ranks", f"[ranks] {error}"
        ) from None  # another table may have a line with the same key
