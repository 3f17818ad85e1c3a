"""matplotlib's SVG in two thirds of its bytes, as a page has it."""

import re

#: What every text of a picture repeats; the picture's style sheet has it once.
FONT = re.compile(r"font-family: 'DejaVu Sans'(, '[^']*')*, sans-serif(; )?")
SHEET = "text{font-family:'DejaVu Sans',sans-serif}"


def smaller(svg: str) -> str:
    """Shrinks a picture: coordinates to a hundredth of a point, no metadata and unused names."""
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    used = set(re.findall(r"#([\w-]+)", svg))
    svg = re.sub(r"<[^>]*>", lambda tag: _tag(tag[0], used), svg)
    svg = re.sub(r">\s*\n\s*<", ">\n<", svg).replace("</style>", f"{SHEET}</style>")
    return re.sub(r"<g>\n(<[^>]*/>|<text[^>]*>[^<]*</text>)\n</g>", r"\1", svg)


def _tag(tag: str, used: set[str]) -> str:
    """One tag, on one line."""
    tag = re.sub(r"\d+\.\d{3,}", lambda n: f"{float(n[0]):.2f}".rstrip("0").rstrip("."), tag)
    tag = re.sub(r' id="([^"]*)"', lambda own: own[0] if own[1] in used else "", tag)
    tag = re.sub(r'(?<= d=")[^"]*', lambda path: _path(path[0]), tag)
    tag = re.sub(r' style="[^"]*"', lambda style: _style(style[0]), tag)
    return re.sub(r"\s+", " ", tag)


def _path(path: str) -> str:
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", path)


def _style(style: str) -> str:
    return re.sub(r"([;:]) ", r"\1", FONT.sub("", style))
