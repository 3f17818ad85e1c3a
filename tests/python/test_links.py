"""Links of all pages lead somewhere: to files of the repository, and to headings of pages."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LISTED = subprocess.run(
    ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
).stdout
FILES = set(filter(None, LISTED.split("\0")))
PAGES = sorted(name for name in FILES if name.endswith(".md"))
#: Pages that are put elsewhere before they are read: their folder there; files that are made there.
ELSEWHERE = {"packaging/site/landing.md": ("", {"gained.svg", "examples/recorded.md"})}
#: A path in code font, of a folder that only this repository has.
PATH = re.compile(
    r"`((?:src|tests|scripts|docs|benchmarks|reproduce|packaging|systems|examples)/[\w./-]+)`"
)


def prose(page: str) -> str:
    """A page without its fenced code, in which nothing is a link."""
    return re.sub(r"^```.*?^```", "", (ROOT / page).read_text(), flags=re.M | re.S)


def slug(heading: str) -> str:
    """The fragment that forges and the site make of a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


@cache
def fragments(page: str) -> set[str]:
    """The fragments of a page; of equal headings those behind the first have a number."""
    found: dict[str, int] = {}
    out = set()
    for heading in re.findall(r"^#+ (.*)$", prose(page), re.M):
        name = slug(heading)
        out.add(f"{name}-{found[name]}" if name in found else name)
        found[name] = found.get(name, 0) + 1
    return out


def wrong(page: str, link: str) -> str | None:
    """Why a link of a page leads nowhere."""
    folder, made = ELSEWHERE.get(page, (str(Path(page).parent), set()))
    path, _, fragment = link.partition("#")
    if path in made:
        return None
    target = (ROOT / folder / path).resolve() if path else ROOT / page
    name = target.relative_to(ROOT).as_posix() if target.is_relative_to(ROOT) else str(target)
    if name not in FILES and not any(file.startswith(f"{name}/") for file in FILES):
        return f"{page}: {link}: git has no {name}"
    if fragment and name.endswith(".md") and fragment not in fragments(name):
        return f"{page}: {link}: {name} has no heading #{fragment}"
    return None


def links(page: str) -> list[str]:
    """Where a page leads, without what begins with a scheme."""
    text = prose(page)
    found = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"(?:src|href)=\"([^\"]+)\"", text)
    return [link for link in found if not re.match(r"[a-z]+:", link)]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    assert [why for link in links(page) if (why := wrong(page, link))] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page != "CHANGELOG.md"])
def test_every_path_is_there(page):
    """Paths in code font, of files and folders; a name may stand for several by its beginning."""
    missing = [
        path
        for path in PATH.findall(prose(page))
        if not any(file.startswith(path.rstrip("/.")) for file in FILES)
    ]
    assert missing == []


def test_there_are_links_and_wrong_ones_are_found():
    assert sum(len(links(page)) for page in PAGES) > 300
    page = "docs/README.md"
    assert wrong(page, "start.md") is None
    assert wrong(page, "begin.md") == "docs/README.md: begin.md: git has no docs/begin.md"
    told = wrong(page, "start.md#nowhere")
    assert told == "docs/README.md: start.md#nowhere: docs/start.md has no heading #nowhere"
