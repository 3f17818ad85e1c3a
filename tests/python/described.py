"""Files of machines that tests write."""

import re

import pytest

from hopbine.machines import load

TOPOLOGY = """# a comment
SwitchName=leaf0 Nodes=n[0-3]
switchname=leaf1 nodes=n[4-7]
SwitchName=leaf2 Nodes=n[8-9],\\
n1[0-1]
SwitchName=mid0 Switches=leaf[0-1]
SwitchName=mid1 Switches=leaf2
SwitchName=top Switches=mid[0-1]
"""


def written(tmp_path, text, name="m"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    load.cache_clear()
    return str(path)


def refused(tmp_path, text, words):
    """Whether the message begins with the file and has these words."""
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match="^" + re.escape(path)) as error:
        load(path)
    assert all(w in str(error.value) for w in words), str(error.value)
