"""The graph of which package depends on which, as a Matrix Market file.

It is that within one section of a Debian release.

    apt-cache dumpavail | python debian_depends.py SECTION RELEASE > graph.mtx

RELEASE is for the reader: what apt-cache knows, and since when. Row and column k are the k-th
package of the section by name; all alternatives of Depends and Pre-Depends count, whatever the
version.
"""

import re
import sys


def packages(text: str) -> dict[str, dict[str, str]]:
    """The fields of every package, by name; of several versions the first that is listed."""
    found: dict[str, dict[str, str]] = {}
    for paragraph in text.split("\n\n"):
        fields = dict(
            line.split(": ", 1)
            for line in paragraph.splitlines()
            if re.match(r"[A-Za-z-]+: ", line)
        )
        if "Package" in fields:
            found.setdefault(fields["Package"], fields)
    return found


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("debian_depends: give a section, such as gnu-r, and what release this is")
    section, release = sys.argv[1:]
    everything = packages(sys.stdin.read())
    names = sorted(name for name, fields in everything.items() if fields.get("Section") == section)
    if not names:
        known = sorted({fields["Section"] for fields in everything.values() if "Section" in fields})
        sys.exit(
            f"debian_depends: no package is in section '{section}'; there are {', '.join(known)}"
        )
    number = {name: k for k, name in enumerate(names, 1)}
    edges = set()
    for name in names:
        for field in ("Depends", "Pre-Depends"):
            others = re.findall(
                r"(?:^|[,|])\s*([a-z0-9][a-z0-9.+-]*)", everything[name].get(field, "")
            )
            edges |= {
                (number[name], number[other])
                for other in others
                if other in number and other != name
            }
    print("%%MatrixMarket matrix coordinate pattern general")
    print(
        f"% Packages of section {section} that depend on one another (Depends, Pre-Depends): "
        f"{release}. Node k is the k-th by name."
    )
    print(f"% Made by: apt-cache dumpavail | python debian_depends.py {section} '{release}'")
    print(len(names), len(names), len(edges))
    print("\n".join(f"{a} {b}" for a, b in sorted(edges)))


main()
