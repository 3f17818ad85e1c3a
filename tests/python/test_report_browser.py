"""The HTML page in a browser: no error, sorting, filtering, tooltips, narrow and dark screens.

Runs where a Chromium is installed. The browser loads the page with a script behind it, which clicks
and writes what it finds into the page.
"""

import json
import re
import shutil
import subprocess
from html import unescape

import pytest

from hopbine.cli import main

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
pytestmark = pytest.mark.skipif(
    not BROWSER, reason=f"no browser here: none of {', '.join(NAMES)} is on PATH"
)

#: Before the page's own script: everything that goes wrong.
WATCH = """<script>
const wrong = [];
addEventListener("error", event => wrong.push(event.message));
console.error = (...words) => wrong.push(words.join(" "));
</script>"""
#: Luminance and contrast as WCAG 2 defines them.
TRY = r"""<script>
const table = document.querySelector("table"), column = name =>
  Array.from(table.tHead.rows[0].cells).findIndex(cell => cell.textContent.trim() === name);
const shown = () => Array.from(table.tBodies[0].rows).filter(row => !row.hidden);
const values = at => shown().map(row => Number(row.cells[at].dataset.v));
const at = column("change"), button = table.tHead.rows[0].cells[at].querySelector("button");
button.click();
const up = values(at);
button.click();
const down = values(at), sorted = button.parentElement.getAttribute("aria-sort");
const filter = document.querySelector("input[type=search]");
filter.value = "bcast";
filter.dispatchEvent(new Event("input"));
const left = shown().map(row => row.cells[0].textContent);
const count = document.querySelector(".count").textContent;
filter.value = "";
filter.dispatchEvent(new Event("input"));
const light = text => {
  const [r, g, b] = text.match(/\d+(\.\d+)?/g).slice(0, 3).map(Number).map(x => x / 255)
    .map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = element => {
  for (let e = element; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if (!/, 0\)$|transparent/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
};
const contrast = (element, property) => {
  const [a, b] = [getComputedStyle(element)[property], behind(element)].map(light);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
const all = query => Array.from(document.querySelectorAll(query));
const weakest = Math.min(
  ...all("h1, h2, p, a, td, th button, label, figcaption, .count").map(e => contrast(e, "color")),
  ...all("svg text").filter(e => !e.style.fill).map(e => contrast(e, "fill")));
const found = document.createElement("pre");
found.id = "found";
found.textContent = JSON.stringify({
  wrong, up, down, sorted, left, count, weakest,
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  back: light(getComputedStyle(document.body).backgroundColor),
  tips: all("svg title").map(title => title.textContent),
});
document.body.append(found);
</script>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report's text with the two scripts."""
    file = tmp_path_factory.mktemp("report") / "page.html"
    words = ["--hosts", "random:24:seed=1", "--machine", "dragonfly:groups=4,nodes=16"]
    collectives = ["allreduce", "bcast", "--sizes", "1KiB,1MiB"]
    assert main(["report", "traffic", *collectives, *words, "-o", str(file)]) == 0
    text = file.read_text().replace("<head>", f"<head>{WATCH}", 1)
    file.write_text(text.replace("</body>", f"{TRY}</body>"))
    return file


def seen(page, width, dark=False):
    """What the script has found on a screen of this width."""
    done = subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={page.parent / 'profile'}",
            f"--window-size={width},900",
            *(["--blink-settings=preferredColorScheme=0"] if dark else []),
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    assert found, done.stderr[-2000:]
    return json.loads(unescape(found[1]))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1200, 500])
def test_the_page_works_in_a_browser(page, width, dark):
    told = seen(page, width, dark)
    assert told["wrong"] == []
    assert told["up"] == sorted(told["up"])
    assert told["down"] == sorted(told["up"], reverse=True)
    assert len(set(told["up"])) > 1
    assert told["sorted"] == "descending"
    assert told["left"] == ["bcast", "bcast"]
    assert told["count"] == "2 of 4 rows"
    assert told["wide"] <= 0, "the page is wider than the screen"
    assert told["weakest"] >= 4.5, "contrast of WCAG's AA"
    assert told["dark"] == dark
    assert (told["back"] < 0.1) == dark
    assert any(" to " in tip for tip in told["tips"])
    assert any(", step " in tip for tip in told["tips"])
