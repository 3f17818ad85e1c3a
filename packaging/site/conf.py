"""Sphinx: the documentation as a site. scripts/site calls it on a copy of the pages."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
project = "hopbine"
author = "The hopbine developers"
version = release = (ROOT / "VERSION").read_text().strip()
extensions = ["myst_parser"]
root_doc = "index"
html_theme = "furo"
html_title = f"hopbine {version}"
html_static_path = [str(ROOT / "packaging/site/static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
#: Links may name headings, in the form that forges use.
myst_heading_anchors = 4
#: Options and formulas stand as they are: -- is no dash.
smartquotes = False
highlight_language = "text"
