"""Lists of hosts as schedulers write them: nid[001003-001010,002001],login1. ClusterShell expands them; the order given is kept."""

import csv
import re
from itertools import chain

#: More hosts than any machine has: a range of this size is a slip of the pen, and expanding it would take the memory of a machine.
MOST_HOSTS = 1_000_000
#: Bytes of a text file that is read at all; the largest lists of real machines are some MiB.
MOST_BYTES = 64 << 20
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
csv.field_size_limit(MOST_BYTES)  # a list of hosts is one field


def is_file(text: str) -> bool:
    """Is there a file of this name? Text that cannot be a name is none."""
    import os

    try:
        return os.path.exists(text)
    except (OSError, ValueError):
        return False


def read_text(path) -> str:
    """The text of a file of at most MOST_BYTES. ValueError or FileNotFoundError name the file and what is wrong with it."""
    from pathlib import Path

    path = Path(path)
    if not is_file(str(path)):
        raise FileNotFoundError(f"{_short(str(path))}: there is no such file")
    if path.is_dir():
        raise ValueError(f"{path}: is a directory, a file is needed")
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path}: has {path.stat().st_size >> 20} MiB; files of at most {MOST_BYTES >> 20} MiB are read")
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}:{line}: is not UTF-8 text (byte {raw[error.start]:#04x})") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    if "\0" in text:
        raise ValueError(f"{path}:{text.count(chr(10), 0, text.index(chr(0))) + 1}: holds a zero byte; this is no text file")
    if not text.strip():
        raise ValueError(f"{path}: is empty")
    return text


def split(text: str) -> list[str]:
    """Parts between commas and blanks that are outside brackets. ValueError when brackets do not match."""
    parts, depth, now = [], 0, ""
    for c in text:
        depth += (c == "[") - (c == "]")
        if depth not in (0, 1):
            raise ValueError(f"brackets of '{_short(text)}' do not match")
        if depth == 0 and (c == "," or c.isspace()):
            parts.append(now)
            now = ""
        else:
            now += c
    if depth:
        raise ValueError(f"brackets of '{_short(text)}' do not match")
    return [p for p in [*parts, now] if p]


def expand(text: str) -> list[str]:
    """Host names in the order given; a name given twice comes twice. ValueError says which part is wrong."""
    parts = split(text)
    size = sum(map(_size, parts))
    if size > MOST_HOSTS:
        raise ValueError(f"'{_short(text)}' stands for {size:,} hosts; at most {MOST_HOSTS:,} are expanded")
    return list(chain.from_iterable(map(_expand_part, parts)))


def _size(part: str) -> int:
    """How many hosts a part stands for, without expanding it."""
    size = 1
    for inside in re.findall(r"\[([^\]]*)\]", part):
        size *= sum(_length(piece) for piece in inside.split(","))
    return size


def _expand_part(part: str) -> list[str]:
    odd = re.search(r"[^\w.:-]", re.sub(r"\[[^\]]*\]", "", part))
    if odd and odd[0] in "!&^":
        raise ValueError(f"'{_short(part)}' has a '{odd[0]}', which is ClusterShell's syntax, not Slurm's; "
                         "write the hosts that remain, as in n[1-2,4-5]")
    if odd or ("[" not in part and len(part) > 255):
        raise ValueError(f"'{_short(part)}' is no host name")
    if "[" not in part:
        return [part]
    from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet, NodeSetException

    head, _, rest = part.partition("[")
    inside, _, tail = rest.partition("]")
    # A set is sorted; pieces one by one keep the order of the list.
    pieces = [f"{head}[{piece}]{tail}" for piece in inside.split(",")]
    try:
        return [host for piece in pieces for host in NodeSet(piece, resolver=RESOLVER_NOGROUP)]
    except NodeSetException as error:
        raise ValueError(f"'{_short(part)}' is no list of hosts: {error}") from None


def _length(piece: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}(-[0-9]{1,18}(/[0-9]{1,9})?)?", piece):
        raise ValueError(f"'{_short(piece)}' between brackets is no number or range")
    m = _RANGE.match(piece)
    if m and int(m[2]) < int(m[1]):
        raise ValueError(f"the range {piece} runs backwards")
    return int(m[2]) - int(m[1]) + 1 if m else 1


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
