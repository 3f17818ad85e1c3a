"""InfiniBand networks as ibnetdiscover prints them: groups of fat trees and of dragonfly+."""

import re

import pytest
from described import refused, written

from hopbine.errors import InputWarning
from hopbine.machines import load


def switch(guid, name, *links):
    rows = "".join(
        f'[{port}]\t"{to}"[1]\t\t# "whoever" lid {port} 4xHDR\n' for port, to in enumerate(links, 1)
    )
    return (
        f"vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0x{guid}\nswitchguid=0x{guid}({guid})\n"
        f'Switch\t41 "S-{guid}"\t\t# "{name}" enhanced port 0 lid 1 lmc 0\n{rows}\n'
    )


def adapter(guid, description, *links):
    rows = "".join(
        f'[{port}](b8{guid}) \t"{to}"[{port}]\t\t# lid 3 lmc 0 "leaf" lid 9 4xHDR\n'
        for port, to in enumerate(links, 1)
    )
    return (
        f"vendid=0x2c9\ndevid=0x101b\nsysimgguid=0x{guid}\ncaguid=0x{guid}\n"
        f'Ca\t1 "H-{guid}"\t\t# "{description}"\n{rows}\n'
    )


def network(switches, hosts):
    """Switches by their links upwards and sideways, hosts by their switches."""
    top = "#\n# Topology file: generated on Mon Mar  2 10:00:00 2026\n#\n\n"
    guids = {name: f"{n:016x}" for n, name in enumerate([*switches, *hosts], 1)}
    return (
        top
        + "".join(
            switch(guids[name], f"MF0;{name}:MQM8700/U1", *(f"S-{guids[to]}" for to in links))
            for name, links in switches.items()
        )
        + "".join(
            adapter(guids[name], f"{name} mlx5_0", *(f"S-{guids[to]}" for to in links))
            for name, links in hosts.items()
        )
    )


#: Two pods of two leaves each, below two cores.
TREE = {
    "core1": [],
    "core2": [],
    "spine1": ["core1", "core2"],
    "spine2": ["core1", "core2"],
    "leaf1": ["spine1"],
    "leaf2": ["spine1"],
    "leaf3": ["spine2"],
    "leaf4": ["spine2"],
}
HOSTS = {f"ash{n}": [f"leaf{(n + 1) // 2}"] for n in range(1, 9)}
PLUS = {
    "s1": ["s3"],
    "s2": ["s4"],
    "s3": [],
    "s4": [],  # links between spines of two groups
    "l1": ["s1", "s2"],
    "l2": ["s1", "s2"],
    "l3": ["s3", "s4"],
    "l4": ["s3", "s4"],
}
PLUS_HOSTS = {f"ash{n}": [f"l{n}"] for n in range(1, 5)}


def test_pods_and_leaves_of_a_fat_tree(tmp_path):
    path = written(tmp_path, network(TREE, HOSTS))
    names = list(HOSTS)
    assert load(path).place(names).group == [0, 0, 0, 0, 1, 1, 1, 1]
    assert load(path, 0).place(names).group == [0] * 8
    assert load(path, 2).place(names).group == [0, 0, 1, 1, 2, 2, 3, 3]
    with pytest.raises(ValueError, match="--level 3: the network has the levels 0 to 2"):
        load(path, 3)


def test_groups_of_a_dragonfly_plus(tmp_path):
    path = written(tmp_path, network(PLUS, PLUS_HOSTS))
    assert load(path).place(list(PLUS_HOSTS)).group == [0, 0, 1, 1]
    assert load(path, 2).place(list(PLUS_HOSTS)).group == [0, 1, 2, 3]
    assert load(path).groups[0].startswith("MF0;s1:MQM8700")


def test_one_switch_is_one_group(tmp_path):
    assert load(written(tmp_path, network({"l1": []}, {"a": ["l1"], "b": ["l1"]}))).groups == [
        "MF0;l1:MQM8700/U1"
    ]


def test_a_host_on_two_rails_is_in_the_group_of_the_first(tmp_path):
    path = written(tmp_path, network(TREE, HOSTS | {"ash9": ["leaf1", "leaf4"]}))
    with pytest.warns(InputWarning, match="host 'ash9' is in 'MF0;.*' and 'MF0;.*'; the first"):
        assert load(path).place(["ash9"]).group == [0]


def test_adapters_inside_switches_are_no_hosts(tmp_path):
    text = network(TREE, HOSTS) + adapter("ff01", "Mellanox Technologies Aggregation Node")
    assert len(load(written(tmp_path, text)).hosts) == 8


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            network(TREE, {"MT23108 InfiniHost": ["leaf1"]}),
            ["names no host (so it is with 1)", "rdma-ndd", "--node-name-map"],
        ),
        (network(TREE, {}), ["has no host (Ca) that is plugged into a switch"]),
    ],
)
def test_networks_without_hosts_are_refused(tmp_path, text, words):
    refused(tmp_path, text, words)


def test_levels_are_named_where_there_are_none(tmp_path):
    with pytest.raises(ValueError, match=re.escape("of ibnetdiscover's network and of xnames")):
        load("leonardo", 1)
