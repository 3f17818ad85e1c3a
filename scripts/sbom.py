"""Writes what a release consists of, as a bill of materials (CycloneDX 1.6, JSON): hopbine, what is
linked into its files, and the Python packages that its commands need.

    python scripts/sbom.py FILE... -o BILL     FILE: those of the release, whose hashes are in it

Needs cyclonedx-python-lib (packaging/requirements/release.in), which also validates the bill.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[1]
PINS = ROOT / "packaging/requirements"


def pinned(purpose: str) -> dict[str, str]:
    """Names and versions of the packages that are installed for a purpose."""
    return dict(re.findall(r"^(\S+)==(\S+)", (PINS / f"{purpose}.txt").read_text(), re.M))


def component(name: str, version: str, licence: str, kind: str, **more) -> Component:
    """One thing, with its address in the package URL's notation."""
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        licenses=[LicenseFactory().make_from_string(licence)],
        purl=PackageURL(kind, None, name.lower(), version),
        bom_ref=f"{name}-{version}",
        **more,
    )


def linked() -> list[Component]:
    """What the compiled files have in them."""
    gcc = subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True, check=True)
    libc = os.confstr("CS_GNU_LIBC_VERSION").split()[1]
    exception = "GPL-3.0-or-later WITH GCC-exception-3.1"
    return [
        component("libstdc++", gcc.stdout.strip(), exception, "generic"),
        # The command is linked statically; its sources are those of the distribution.
        component("glibc", libc, "LGPL-2.1-or-later", "generic"),
        component("nanobind", pinned("run")["nanobind"], "BSD-3-Clause", "pypi"),
    ]


def needed() -> list[Component]:
    """Python packages that the commands need and a release does not have in it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = [re.match(r"[\w-]+", one)[0] for one in project["dependencies"]]
    versions = pinned("run")
    return [
        Component(
            name=name,
            version=versions[name.lower()],
            type=ComponentType.LIBRARY,
            scope=ComponentScope.OPTIONAL,
            description=f"not in the files; allowed: {project['dependencies'][i]}",
            purl=PackageURL("pypi", None, name.lower(), versions[name.lower()]),
            bom_ref=f"{name}-{versions[name.lower()]}",
        )
        for i, name in enumerate(names)
    ]


def files_of(paths: list[Path]) -> list[Component]:
    """The files with their hashes."""
    return [
        Component(
            name=path.name,
            type=ComponentType.FILE,
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
            bom_ref=path.name,
        )
        for path in paths
        for digest in [hashlib.sha256(path.read_bytes()).hexdigest()]
    ]


def bill(files: list[Path]) -> Bom:
    """The bill; the time is the commit's, and the number follows from the version and files."""
    version = (ROOT / "VERSION").read_text().strip()
    whole = component("hopbine", version, "Apache-2.0", "pypi")
    out = Bom()
    out.metadata.component = whole
    out.metadata.timestamp = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    made, parts, wanted = files_of(files), linked(), needed()
    out.components.update([*made, *parts, *wanted])
    out.register_dependency(whole, [*made, *wanted])
    for one in made:
        out.register_dependency(one, parts if "cp3" in one.name or "glibc" in one.name else [])
    hashes = "".join(sorted(one.hashes[0].content for one in made))
    out.serial_number = uuid5(NAMESPACE_URL, f"hopbine {version} {hashes}")
    return out


def main() -> int:
    """Exit code 1 where what was written is no valid bill."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+")
    parser.add_argument("-o", metavar="BILL", type=Path, required=True, dest="out")
    args = parser.parse_args()
    text = JsonV1Dot6(bill(args.files)).output_as_string(indent=1)
    if wrong := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        print(f"sbom: {wrong}", file=sys.stderr)
        return 1
    args.out.write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
