"""Files of results: CSV, compressed by xz. The same text gives the same bytes."""

import csv
import io
import lzma
from pathlib import Path

import polars

#: Smallest, whatever the time: files are written once and read often.
PRESET = 9 | lzma.PRESET_EXTREME


def text(path: Path) -> bytes:
    """What `write` has compressed. FileNotFoundError, or ValueError where it is not whole."""
    try:
        return lzma.decompress(path.read_bytes())
    except lzma.LZMAError as error:
        raise ValueError(f"{path}: {error}") from None


def read(path: Path) -> list[dict[str, str]]:
    """Rows as text. Errors as of `text`."""
    return list(csv.DictReader(io.StringIO(text(path).decode(), newline="")))


def known(path: Path) -> list[dict[str, str]]:
    """Rows as text; none where there is no file."""
    return read(path) if path.exists() else []


def frame(path: Path) -> polars.DataFrame:
    """Rows with the types that their texts have. Errors as of `text`."""
    return polars.read_csv(text(path))


def write(path: Path, table: str) -> None:
    """Compresses the text of a table."""
    path.write_bytes(lzma.compress(table.encode(), preset=PRESET))
