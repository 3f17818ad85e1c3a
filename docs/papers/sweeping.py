"""Tables that take minutes: row by row into a file, gone on with after a stop."""

import argparse
import csv
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

#: A piece of work: what it is called, and what makes its rows.
Work = tuple[str, Callable[[], list[dict[str, Any]]]]


def _kept(part: Path) -> list[dict[str, str]]:
    """Rows of the works that an earlier call has finished; each ends with one marked `end`."""
    if not part.exists():
        return []
    with part.open(newline="") as f:
        rows = [r for r in csv.DictReader(f) if None not in r and None not in r.values()]
    done = {r["work"] for r in rows if r["end"]}
    return [r for r in rows if r["work"] in done]


def collect(path: Path, works: Iterable[Work], columns: list[str]) -> None:
    """Writes the rows of all works to `path`.

    They gather in `path`.part, and what an earlier call has left there is not made again. On
    standard error a line for each work that took a second or more.
    """
    part = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = _kept(part)
    done = {r["work"] for r in kept}
    with part.open("w", newline="") as f:
        out = csv.DictWriter(f, ["work", *columns, "end"])
        out.writeheader()
        out.writerows(kept)
        for name, make in works:
            if name in done:
                continue
            began = time.perf_counter()
            out.writerows({"work": name} | row for row in make())
            out.writerow({"work": name, "end": 1})
            f.flush()
            if (took := time.perf_counter() - began) >= 1:
                print(f"{path.name}: {name}: {took:.1f} s", file=sys.stderr)
    with path.open("w", newline="") as f:
        final = csv.DictWriter(f, columns, extrasaction="ignore", lineterminator="\n")
        final.writeheader()
        final.writerows(r for r in _kept(part) if not r["end"])
    part.unlink()


def guarded(main: Callable[[], int]) -> int:
    """Exit code of a command: 2 and one line for wrong input, 130 when interrupted."""
    try:
        return main()
    except KeyboardInterrupt:
        print("stopped; what is done stays, and the same command goes on from it", file=sys.stderr)
        return 130
    except (ValueError, OSError, EOFError) as error:
        print(f"reproduce.py: {error}", file=sys.stderr)
        return 2


class Parser(argparse.ArgumentParser):
    """Command line whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Ends the command with 2."""
        self.exit(2, f"{self.prog}: {message}\n")
